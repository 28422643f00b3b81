import CLinux
import Glibc

/// Descriptors and address space that a device needs, found missing by asking the system for them.
enum SystemShortage {
  /// Descriptors that opening one direction takes at most: 10 by JACK's plugin, as measured, and two files that are read.
  private static let descriptors = 12
  /// Address space that it takes at most, bytes: JACK's engine is 105 MB of shared memory, as measured.
  private static let addressSpace = 128 << 20

  /// `EMFILE`, `ENFILE` or `ENOMEM`; nil when there is enough of all.
  ///
  /// - Threads: control.
  static var present: Int32? { descriptorShortage ?? memoryShortage }

  private static var descriptorShortage: Int32? {
    var held: [Int32] = []
    defer { for descriptor in held { Glibc.close(descriptor) } }
    while held.count < descriptors {
      let descriptor = clinux_eventfd()
      guard descriptor >= 0 else {
        return descriptor == -EMFILE || descriptor == -ENFILE ? -descriptor : nil
      }
      held.append(descriptor)
    }
    return nil
  }

  private static var memoryShortage: Int32? {
    let memory = unsafe mmap(nil, addressSpace, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard unsafe memory != MAP_FAILED else { return errno == ENOMEM ? ENOMEM : nil }
    unsafe munmap(memory, addressSpace)
    return nil
  }

  /// The shortage, with the limit that says so; nil for another error.
  static func words(for code: Int32) -> String? {
    switch code {
    case EMFILE: "too few file descriptors, limit \(limit(CLINUX_RLIMIT_NOFILE)) (ulimit -n)"
    case ENFILE: "no file descriptors left on this machine (fs.file-max)"
    case ENOMEM:
      limit(CLINUX_RLIMIT_AS) == CLINUX_RLIM_INFINITY
        ? "no memory left"
        : "too little address space, limit \(limit(CLINUX_RLIMIT_AS) >> 20) MiB (ulimit -v)"
    default: nil
    }
  }

  private static func limit(_ resource: Int) -> UInt64 {
    var (soft, hard) = (UInt64(), UInt64())
    unsafe clinux_get_limit(Int32(resource), &soft, &hard)
    return soft
  }
}
