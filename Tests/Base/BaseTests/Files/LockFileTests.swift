import CommonTesting
import Glibc
import Synchronization
import Testing

@testable import Base

@Suite("A file that one process at a time holds") struct LockFileTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.file("lock") }

  /// Number of the holder by which a second one is refused; nil: it is not refused so.
  private func holder() -> Int32?? {
    do throws(LockFile.Refusal) {
      _ = try LockFile(path)
      return nil
    } catch {
      guard case .held(let process) = error else { return nil }
      return .some(process)
    }
  }

  @Test("who comes second is told the first number that was left in it, and comes in once it is given back")
  func second() throws {
    var first: LockFile? = try LockFile(path)
    #expect(holder() == .some(nil))
    first?.note([4711, 12])
    #expect(holder() == .some(4711))
    #expect(folder.bytes(of: "lock") == [UInt8]("4711\n12\n".utf8))
    first?.note([8])
    #expect(folder.bytes(of: "lock") == [UInt8]("8\n".utf8))
    first = nil
    #expect(holder() == nil && folder.names == ["lock"])
  }

  @Test("who waits comes in when the holder gives it back")
  func waiting() async throws {
    let path = path
    let first = Mutex<LockFile?>(try LockFile(path))
    let isIn = Atomic(false)
    async let second: Void = {
      _ = try LockFile(path, waits: true)
      isIn.store(true, ordering: .releasing)
    }()
    // It may not have come to the lock yet, and must not be in all the same.
    usleep(20_000)
    let isEarly = isIn.load(ordering: .acquiring)
    #expect(!isEarly)
    first.withLock { $0 = nil }
    try await second
    let isInAtLast = isIn.load(ordering: .acquiring)
    #expect(isInAtLast)
  }

  @Test("a link in its place is refused, and so is a folder that is not there")
  func refused() {
    folder.write("", to: "other")
    symlink(folder.file("other"), path)
    for (place, code) in [(path, ELOOP), (folder.file("missing/lock"), ENOENT)] {
      do throws(LockFile.Refusal) {
        _ = try LockFile(place)
        Issue.record("\(place) was taken")
      } catch {
        guard case .system(let problem) = error else {
          Issue.record("\(place) is held")
          continue
        }
        #expect(problem == SystemError(call: "open", code: code))
      }
    }
  }

  @Test("who is refused closes no file that another thread has opened meanwhile", arguments: [true, false])
  func closedOnce(isFile: Bool) throws {
    let (file, folder) = (path, folder.path)
    let held = isFile ? try LockFile(file) : nil
    let turn = isFile ? nil : try FolderTurn(in: folder)
    let lost = Mutex(0)
    let observer = Observer {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      sched_yield()
      if close(descriptor) != 0 { lost.withLock { $0 += 1 } }
    }
    for _ in 0..<20_000 {
      if isFile {
        _ = try? LockFile(file)
      } else {
        _ = try? FolderTurn(in: folder, patience: 0)
      }
    }
    let looks = observer.end()
    #expect(looks > 0)
    #expect(lost.withLock { $0 } == 0)
    withExtendedLifetime((held, turn)) {}
  }
}
