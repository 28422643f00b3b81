public import Base
import Glibc

/// News of the kernel's files of sound devices: that one has come, has gone, or got other rights.
///
/// What the news say is not read, for any is a reason to look: names that somebody chose, and a full queue, lead nowhere. The kernel removes
/// `/dev/snd` with its last file and makes it again, so that the folder is looked up anew with each news, and the one
/// around it is watched while there is none.
/// The corresponding C interface is inotify(7).
///
/// - Threads: control, or audio while there is no sound.
public final class DeviceWatch {
  /// The kernel's folder of sound devices.
  public static let folder = "/dev/snd"

  /// Made, moved there, removed, and given a mode or an access control list, which udev(7) does after the kernel has made
  /// the file.
  private static let changes = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_ATTRIB | IN_ONLYDIR)
  private static let arrivals = UInt32(IN_CREATE | IN_MOVED_TO | IN_ONLYDIR)
  /// Reads of 4 KiB at a time: twice what the 16,384 events take that the kernel keeps (fs.inotify.max_queued_events).
  private static let reads = 256

  /// Readable when there are news; it is polled and never read by others.
  public let descriptor: Int32
  private let folder: String
  /// Watch of the folder around; negative while there is the folder itself.
  private var around: Int32

  /// Begins to watch.
  ///
  /// - Parameter folder: Another one in tests.
  /// - Throws: ``SystemError`` where the system's limits of watches are used up, or there is nothing to watch.
  public init(folder: String = DeviceWatch.folder) throws(SystemError) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { throw SystemError(call: "inotify_init1", code: errno) }
    do throws(SystemError) { around = try Self.settle(descriptor, on: folder, around: -1) } catch {
      close(descriptor)
      throw error
    }
    (self.descriptor, self.folder) = (descriptor, folder)
  }

  deinit { close(descriptor) }

  /// Uses up the news that there are.
  ///
  /// - Returns: True when a device may have come, gone, or become one that may be used.
  /// - Throws: ``SystemError`` when nothing can be watched any more.
  public func takeNews() throws(SystemError) -> Bool {
    let hadFolder = around < 0
    let isTold = drain()
    around = try Self.settle(descriptor, on: folder, around: around)
    guard !hadFolder else { return isTold }
    guard around < 0 else { return false }
    // Of the watch that has ended.
    _ = drain()
    return true
  }

  /// - Returns: False when there was nothing.
  private func drain() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    for count in 0..<Self.reads where unsafe read(descriptor, &bytes, bytes.count) <= 0 { return count > 0 }
    return true
  }

  /// Watches the folder, or the one around it while there is none.
  ///
  /// - Parameter around: Watch of the one around so far.
  /// - Returns: That watch now; negative: the folder is watched.
  private static func settle(
    _ descriptor: Int32, on folder: String, around former: Int32
  ) throws(SystemError) -> Int32 {
    // The same watch where the folder is the same.
    var code = add(descriptor, folder, changes)
    guard code == -ENOENT else {
      if former >= 0 { inotify_rm_watch(descriptor, former) }
      if code < 0 { throw SystemError(call: "inotify_add_watch", code: -code) }
      return -1
    }
    let parent = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]
    let around = add(descriptor, parent.isEmpty ? "/" : String(parent), arrivals)
    guard around >= 0 else { throw SystemError(call: "inotify_add_watch", code: -around) }
    // It may have come in between.
    code = add(descriptor, folder, changes)
    guard code >= 0 else { return around }
    inotify_rm_watch(descriptor, around)
    return -1
  }

  /// - Returns: The watch, or a negated errno.
  private static func add(_ descriptor: Int32, _ folder: String, _ events: UInt32) -> Int32 {
    let watch = unsafe inotify_add_watch(descriptor, folder, events)
    return watch >= 0 ? watch : -errno
  }
}
