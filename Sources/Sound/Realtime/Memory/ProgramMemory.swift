import Base
import CLinux
import Glibc

/// Result of the attempt to keep the process's memory from being paged out.
public enum MemoryLock: Sendable, Equatable, CustomStringConvertible {
  /// Pages are locked as they are first touched (MCL_ONFAULT): exactly those in use.
  case onFault
  /// Every mapping is filled and locked; a kernel before 4.4.
  case everything
  /// Nothing is locked; `limit` is the soft RLIMIT_MEMLOCK, bytes, `nil` for none; `error` the last
  /// failure.
  case refused(limit: UInt64?, error: SystemError)

  /// Locks all present and future pages of the process.
  ///
  /// Call it once pools and buffers exist. Everything counts against RLIMIT_MEMLOCK, touched or not, so the
  /// usual 8 MiB do not suffice for any program; the unit sets `LimitMEMLOCK=infinity`.
  ///
  /// - Parameter lock: The system call (flags in, 0 or a negated errno out); replaced in tests.
  /// - Threads: control.
  public static func lockAll(
    lock: (_ flags: Int32) -> Int32 = { flags in clinux_mlockall(flags) }
  ) -> MemoryLock {
    let all = Int32(CLINUX_MCL_CURRENT | CLINUX_MCL_FUTURE)
    var result = lock(all | Int32(CLINUX_MCL_ONFAULT))
    if result == 0 { return .onFault }
    if result == -EINVAL {
      result = lock(all)
      if result == 0 { return .everything }
    }
    var (soft, hard): (UInt64, UInt64) = (0, 0)
    let known = unsafe clinux_get_limit(Int32(CLINUX_RLIMIT_MEMLOCK), &soft, &hard) == 0
    return .refused(
      limit: known && soft != CLINUX_RLIM_INFINITY ? soft : nil,
      error: SystemError(call: "mlockall", code: -result))
  }

  /// Undoes ``lockAll(lock:)``.
  ///
  /// - Threads: control.
  public static func unlockAll() { _ = clinux_munlockall() }

  /// One sentence without a final stop, for status lines.
  public var description: String {
    switch self {
    case .onFault: "memory in use is locked"
    case .everything: "all memory is locked"
    case .refused(let limit?, let error):
      "memory is not locked: \(error); RLIMIT_MEMLOCK is \(limit / 1024) KiB, set LimitMEMLOCK=infinity in the "
        + "unit, or memlock in /etc/security/limits.d"
    case .refused(nil, let error): "memory is not locked: \(error)"
    }
  }
}

/// The pages of program code that are mapped into this process.
///
/// A start reads the configuration, unlocks the book and checks signatures: megabytes of code that sound
/// never runs again. The kernel maps sixteen pages around each one touched, and keeps them mapped; a lock
/// of all memory would hold them for good.
public enum ProgramPages {
  /// Releases code that is mapped from files, here and in libraries; pages that are needed again are mapped
  /// again as they are touched, from the page cache.
  ///
  /// A mapping of which a page was written to (a debugger's breakpoint, say) is left alone, since that page
  /// is nowhere else. Nothing happens where `smaps` cannot be read or memory is locked.
  ///
  /// - Parameters:
  ///   - smaps: Description of the process's mappings (proc(5)); replaced in tests.
  ///   - release: Releases `count` bytes from `start`; replaced in tests.
  /// - Threads: control, before sound flows: code of the audio thread is released as well.
  public static func letGo(
    smaps: String = "/proc/self/smaps",
    release: (_ start: UInt, _ count: UInt) -> Void = { start, count in
      _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: start), Int(count), MADV_DONTNEED)
    }
  ) {
    let text = (try? FileContent.bytes(of: smaps, limit: 1 << 26)) ?? []
    for range in cleanCode(text) { release(range.lowerBound, UInt(range.count)) }
  }

  /// Addresses of the mappings in `smaps` that hold code of a file and nothing else.
  static func cleanCode(_ smaps: [UInt8]) -> [Range<UInt>] {
    var found: [Range<UInt>] = []
    var candidate: Range<UInt>?
    // Byte by byte, and only the lines of code are taken apart: a start has 5,000 lines here and waits for them.
    var start = 0
    while start < smaps.count {
      let end = smaps[start...].firstIndex(of: UInt8(ascii: "\n")) ?? smaps.count
      let line = smaps[start..<end]
      start = end + 1
      guard let first = line.first else { continue }
      if isHexadecimal(first) {
        candidate = codeRange(line)
      } else if let range = candidate, line.starts(with: anonymous) {
        if line.split(separator: space).dropFirst().first?.elementsEqual("0".utf8) == true {
          found.append(range)
        }
        candidate = nil
      }
    }
    return found
  }

  /// Of a mapping's lines the one that says how much of it is no file's; kB, without zeros in front.
  private static let anonymous = Array("Anonymous:".utf8)
  private static let space = UInt8(ascii: " ")

  /// Addresses are written in small letters; the names of all other lines begin with a capital one.
  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
  }

  /// `start-end r-xp offset device inode /path`, the line that begins a mapping; nil for another kind of
  /// mapping.
  private static func codeRange(_ line: ArraySlice<UInt8>) -> Range<UInt>? {
    let words = line.split(separator: space)
    guard words.count >= 6, words[1].elementsEqual("r-xp".utf8), words[5].first == UInt8(ascii: "/") else {
      return nil
    }
    let ends = words[0].split(separator: UInt8(ascii: "-")).map {
      UInt(String(decoding: $0, as: UTF8.self), radix: 16)
    }
    guard ends.count == 2, let start = ends[0], let end = ends[1], start < end else { return nil }
    return start..<end
  }
}
