import Base
import CommonTesting
import Glibc
import Testing

@testable import AudioIO

/// A folder of the test's in the place of `/dev/snd`.
@Suite("News of devices' files") struct DeviceWatchTests {
  private let around = TemporaryFolder()
  private var folder: String { around.file("snd") }
  private func file(_ name: String) -> String { "\(folder)/\(name)" }

  private func make() { #expect(mkdir(folder, 0o755) == 0) }

  private func touch(_ path: String) {
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    #expect(descriptor >= 0)
    close(descriptor)
  }

  /// True when a wait would end.
  private func isReadable(_ watch: DeviceWatch) -> Bool {
    var descriptor = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }

  @Test("a file that is made, gets other rights, is moved there and is removed is told, each once")
  func changes() throws {
    make()
    let watch = try DeviceWatch(folder: folder)
    #expect(!isReadable(watch))
    #expect(try !watch.takeNews())
    let card = file("pcmC0D0p")
    // As the kernel makes it, and as udev(7) then gives it to a group.
    touch(card)
    #expect(isReadable(watch))
    #expect(try watch.takeNews())
    #expect(chmod(card, 0o660) == 0)
    #expect(try watch.takeNews())
    touch(around.file("other"))
    #expect(!isReadable(watch))
    #expect(rename(around.file("other"), file("controlC1")) == 0)
    #expect(try watch.takeNews())
    #expect(unlink(card) == 0)
    #expect(try watch.takeNews())
    #expect(!isReadable(watch))
    #expect(try !watch.takeNews())
  }

  @Test(
    "a file that is opened, written and closed is none, so that an attempt to open is not the next one's cause"
  )
  func use() throws {
    make()
    touch(file("pcmC0D0p"))
    let watch = try DeviceWatch(folder: folder)
    let descriptor = open(file("pcmC0D0p"), O_RDWR | O_CLOEXEC)
    #expect(write(descriptor, "x", 1) == 1)
    close(descriptor)
    #expect(!isReadable(watch))
  }

  @Test(
    "a folder that is not there yet is told when it comes, with what it has by then; what else lies beside it is not"
  )
  func laterFolder() throws {
    let watch = try DeviceWatch(folder: folder)
    touch(around.file("null"))
    #expect(try !watch.takeNews())
    make()
    touch(file("controlC0"))
    #expect(try watch.takeNews())
    #expect(try !watch.takeNews())
    touch(around.file("zero"))
    #expect(!isReadable(watch))
    touch(file("pcmC0D0p"))
    #expect(try watch.takeNews())
  }

  @Test("a folder that goes with its last file, and comes again, is followed")
  func folderAgain() throws {
    make()
    let watch = try DeviceWatch(folder: folder)
    for _ in 0..<3 {
      touch(file("controlC0"))
      #expect(try watch.takeNews())
      #expect(unlink(file("controlC0")) == 0 && rmdir(folder) == 0)
      #expect(try watch.takeNews())
      #expect(try !watch.takeNews())
      make()
      #expect(try watch.takeNews())
    }
    // Gone and there again between two looks.
    #expect(rmdir(folder) == 0)
    make()
    #expect(try watch.takeNews())
    _ = try watch.takeNews()
    touch(file("controlC0"))
    #expect(try watch.takeNews())
  }

  @Test("more news than the kernel keeps are one, and do not hide the next")
  func flood() throws {
    make()
    let kept = (try? FileContent.bytes(of: "/proc/sys/fs/inotify/max_queued_events", limit: 32)) ?? []
    let most = Int(String(decoding: kept.prefix { $0 != 10 }, as: UTF8.self)) ?? 16_384
    let watch = try DeviceWatch(folder: folder)
    let names = ["a", "b"].map { file($0) }
    for name in names { touch(name) }
    // Two files in turn: the kernel keeps equal events that follow each other only once.
    for n in 0..<min(most, 100_000) { #expect(chmod(names[n % 2], n % 4 < 2 ? 0o600 : 0o660) == 0) }
    #expect(try watch.takeNews())
    // A queue that was made longer may need another look.
    for _ in 0..<10 where try watch.takeNews() {}
    #expect(try !watch.takeNews())
    touch(file("pcmC0D0p"))
    #expect(try watch.takeNews())
  }

  @Test("where nothing can be watched the error says which call failed, and no descriptor is kept")
  func refused() throws {
    #expect(throws: SystemError(call: "inotify_add_watch", code: ENOENT)) {
      _ = try DeviceWatch(folder: around.file("no/snd"))
    }
    touch(folder)
    #expect(throws: SystemError(call: "inotify_add_watch", code: ENOTDIR)) {
      _ = try DeviceWatch(folder: folder)
    }
  }

  @Test("a watched place that goes altogether is an error")
  func lost() throws {
    let inner = around.file("dev")
    #expect(mkdir(inner, 0o755) == 0)
    let watch = try DeviceWatch(folder: "\(inner)/snd")
    #expect(rmdir(inner) == 0)
    #expect(throws: SystemError(call: "inotify_add_watch", code: ENOENT)) { _ = try watch.takeNews() }
  }

  @Test(
    "a card that is missing, or that may not be opened, is told by its files; what is held, or lies on no card, is not",
    arguments: [
      (PCMOpenError.noSuchDevice(name: "hw:CARD=Aid,DEV=0", available: []), true),
      (.noSuchDevice(name: "plug:'hw:1,0'", available: ["hw:0,0"]), true),
      (.noSuchDevice(name: "jack", available: []), false),
      (.noSuchDevice(name: "default", available: []), false),
      (.noSuchDevice(name: "bluealsa:DEV=00:11:22:33:44:55", available: []), false),
      (.noPermission(name: "hw:0", node: "/dev/snd/pcmC0D0p"), true),
      (.noPermission(name: "default", node: nil), false),
      (.busy(name: "hw:0", holders: []), false),
      (.failed(name: "hw:0", call: "snd_pcm_open", errno: EIO), false),
    ])
  func signs(error: PCMOpenError, isTold: Bool) { #expect(error.isToldByFile == isTold) }
}
