import Base
import Glibc

/// A file that one process at a time can hold, with that process's number in it, and its folder.
final class SocketLock: Sendable {
  private let path: String
  private let file: LockFile
  /// True when the folder was made for this lock.
  private let ownsFolder: Bool

  /// - Parameters:
  ///   - folderMode: Permissions of its folder where that is made.
  ///   - guardian: The process that starts this one again, whose number follows this one's.
  ///   - refusal: Failure when another process holds it, of `, PID 812`; empty for one that left no number.
  /// - Throws: ``Failure``; `refusal` when another process holds it.
  init(
    path: String, folderMode: UInt32 = 0o700, guardian: Int32? = nil, refusal: (_ owner: String) -> Failure
  ) throws(Failure) {
    self.path = path
    while true {
      let isMade = try SocketFolder.prepare(for: path, mode: folderMode)
      do throws(Failure) {
        file = try Self.locked(path, refusal)
        ownsFolder = isMade
        break
      } catch {
        // A daemon that was ending has just removed its folder: make it anew.
        guard access(FilePath.folder(of: path), F_OK) != 0 else { throw error }
      }
    }
    file.note([getpid(), guardian].compactMap(\.self))
  }

  /// True while the file lies where others look for it.
  var isInPlace: Bool { FileIdentity(of: file.descriptor)?.isStill(at: path) ?? true }

  /// Removes the file while it is held, then the folder if it was made for it and nothing else is in it.
  /// The lock itself, by now on a file that nobody finds, goes with this.
  func release() {
    // Where it was taken away, another's may lie there by now.
    let isInPlace = isInPlace
    guard isInPlace else { return }
    unlink(path)
    if ownsFolder { rmdir(FilePath.folder(of: path)) }
  }

  private static func locked(_ path: String, _ refusal: (String) -> Failure) throws(Failure) -> LockFile {
    while true {
      let file: LockFile
      do throws(LockFile.Refusal) { file = try LockFile(path) } catch {
        switch error {
        case .held(let owner): throw refusal(owner.map { ", PID \($0)" } ?? "")
        case .system(let problem):
          throw Failure.socket(problem.code, "lock file \(path)", "\(problem.call) it")
        }
      }
      // The last holder may have removed the file between opening and locking; then this lock is on nothing.
      if let held = FileIdentity(of: file.descriptor), held == FileIdentity(at: path) { return file }
    }
  }
}

/// The daemon of a socket, as the lock file beside it tells. Nothing is connected to: where a service manager keeps the socket, a
/// connection would start the daemon, and with it sound that somebody may have ended on purpose.
///
/// - Threads: any.
package enum DaemonTrace: Sendable, Equatable {
  /// One runs, with this process ID.
  case running(Int32)
  /// None runs.
  case absent
  /// Not to be told: another user's lock file that is held cannot be read, and a name in the abstract namespace has none.
  case unknown

  package init(ofSocket path: String) {
    guard !path.hasPrefix("@") else {
      self = .unknown
      return
    }
    do throws(Failure) {
      let bytes = try FileContent.bytes(of: path + ".lock", limit: 64)
      let number = Int32(String(decoding: bytes.prefix { $0 != .newline }, as: UTF8.self))
      guard let number, number > 0 else {
        self = .unknown
        return
      }
      self = Self.isDaemon(number) ? .running(number) : .absent
    } catch {
      switch error.exitStatus {
      case .noInput: self = .absent
      // The one that another user's daemon left when it was killed is held by nobody.
      case .noPermission: self = Self.isHeld(path + ".lock") == false ? .absent : .unknown
      default: self = .unknown
      }
    }
  }

  /// True where a process has a lock on the file (flock(2)), which the kernel tells everybody (proc_locks(5)); nil where that cannot be
  /// told.
  ///
  ///     2: FLOCK  ADVISORY  WRITE 812 00:1b:838605 0 EOF
  static func isHeld(_ path: String) -> Bool? {
    var status = stat()
    guard stat(path, &status) == 0, let bytes = try? FileContent.bytes(of: "/proc/locks", limit: 1 << 20)
    else { return nil }
    // Some file systems have another device here than stat(2) tells, so that the file's number alone decides.
    let file = ":\(status.st_ino)"
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains { line in
      let words = line.split(separator: " ")
      return words.count > 5 && words[1] == "FLOCK" && words[5].hasSuffix(file)
    }
  }

  /// The lock file of a killed daemon stays, and its number may be another program's by now. Names of processes that cannot be
  /// read (mount option hidepid, proc(5)) tell nothing.
  private static func isDaemon(_ number: Int32) -> Bool {
    guard kill(number, 0) == 0 || errno == EPERM else { return false }
    guard let name = try? FileContent.bytes(of: "/proc/\(number)/comm", limit: 64) else { return true }
    return name.starts(with: program.utf8)
  }

  /// Beginning of this program's names.
  private static let program = "auricle"
}

/// Identity of a file, however it is called: to notice that another lies in its place.
package struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  private init?(_ look: (inout stat) -> Int32) {
    var status = stat()
    guard look(&status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// Nil when it cannot be looked at.
  init?(of descriptor: Int32) { self.init { fstat(descriptor, &$0) } }

  /// Of what lies at `path`, a link itself; nil when it cannot be looked at.
  package init?(at path: String) { self.init { lstat(path, &$0) } }

  /// True while it lies at `path`. What cannot be looked at is not known to be gone.
  package func isStill(at path: String) -> Bool {
    if let found = FileIdentity(at: path) { return found == self }
    return errno != ENOENT && errno != ENOTDIR
  }
}

/// The folder of the control socket: made when missing, refused when others could put their own socket there.
enum SocketFolder {
  /// - Parameter mode: Permissions of a folder that is made.
  /// - Returns: True when the folder was made, and is thus this daemon's to remove.
  /// - Throws: ``Failure``.
  static func prepare(for socket: String, mode: UInt32) throws(Failure) -> Bool {
    let folder = FilePath.folder(of: socket)
    let subject = "folder \(folder)"
    let isMade = mkdir(folder, mode_t(mode)) == 0
    if !isMade, errno != EEXIST {
      if errno == ENOENT {
        throw Failure(
          subject, found: "no folder \(FilePath.folder(of: folder)) to make it in",
          expected: "an existing folder", remedy: "Make it, or set control.socket to another path.",
          exit: .configuration)
      }
      throw Failure.socket(errno, subject, "make it")
    }
    var status = stat()
    // In a folder where everybody may write, such as /tmp, a link is somebody's trick.
    let isExposed = isOpenToAll(FilePath.folder(of: folder))
    let result = isExposed ? lstat(folder, &status) : stat(folder, &status)
    guard result == 0 else { throw Failure.socket(errno, subject, "look at it") }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw Failure(subject, found: "something that is not a folder", exit: .configuration)
    }
    let user = geteuid()
    let isTrusted = status.st_uid == user || (status.st_uid == 0 && !isExposed)
    guard isTrusted else {
      throw Failure(
        subject, found: "user \(status.st_uid) as its owner", expected: "user \(user)",
        remedy: "Set control.socket to a folder of your own.", exit: .noPermission)
    }
    let isSticky = status.st_mode & S_ISVTX != 0
    guard status.st_mode & 0o022 == 0 || isSticky else {
      throw Failure(
        subject, found: "permissions \(octal(status.st_mode)), with which others may write",
        expected: octal(mode), remedy: "Run: chmod \(octal(mode)) \(folder)", exit: .noPermission)
    }
    return isMade
  }

  /// True for a folder in which others than its owner may make files.
  static func isShared(_ folder: String) -> Bool {
    var status = stat()
    return stat(folder, &status) == 0 && status.st_mode & 0o022 != 0
  }

  /// True for a folder of that user alone, which nobody can have made to deceive others: it lies in none that is open to all.
  static func belongs(_ folder: String, to user: UInt32) -> Bool {
    var status = stat()
    return stat(folder, &status) == 0 && status.st_uid == user && status.st_mode & 0o022 == 0
      && !isOpenToAll(FilePath.folder(of: folder))
  }

  /// True for a folder that another user than root has made where everybody may, as in `/tmp`: what lies in it may be anybody's.
  static func isStrangers(_ folder: String) -> Bool {
    var status = stat()
    return lstat(folder, &status) == 0 && status.st_uid != geteuid() && status.st_uid != 0
      && isOpenToAll(FilePath.folder(of: folder))
  }

  private static func isOpenToAll(_ folder: String) -> Bool {
    var status = stat()
    return stat(folder, &status) == 0 && status.st_mode & S_IWOTH != 0
  }

  private static func octal(_ mode: mode_t) -> String { String(mode & 0o7777, radix: 8) }
}
