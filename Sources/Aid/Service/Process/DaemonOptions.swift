import Base
import CLinux
import Glibc

/// Options of a daemon, from the command line.
package struct DaemonOptions: Sendable, Equatable {
  /// Configuration file; nil: the standard places.
  package var configurationFile: String?
  /// Path of the control socket; nil: `AURICLE_SOCKET`'s, the configuration's, otherwise the
  /// standard place.
  package var socket: String?
  /// True when the process ends when sound is stopped: the daemon of somebody who asked for sound, not for a
  /// service.
  package var endsWhenStopped = false
  /// True when a second process starts the daemon again when a signal ends it, where no service manager
  /// does.
  package var isGuarded = false
  /// Word of that second process to the daemon that it starts; nil: there is none.
  package var ward: String?

  package init(configurationFile: String?, socket: String?) {
    self.configurationFile = configurationFile
    self.socket = socket
  }
}

/// The system's bounds on the process (getrlimit(2)) that would leave it without sound, told before it
/// begins.
enum ProcessLimits {
  /// Files the daemon has without a client: 10 of its own, 4 of the book, 20 of JACK's plugin in both directions, as measured.
  private static let ownFiles = 34
  /// Files that are read or written for a moment. Own choice: a configuration with all that it names, and a backup, with room.
  private static let briefFiles = 14
  /// Files the daemon may need at once.
  static let files = UInt64(ownFiles + ControlServer.Limits().connections + briefFiles)
  /// The kernel's own default (include/asm-generic/resource.h, INR_OPEN_CUR).
  static let usualFiles: UInt64 = 1024
  /// Address space it needs, bytes: 708 MiB with JACK, as measured, rounded up. With less, JACK's client ends the process now and
  /// then: between 256 and 512 MiB at every fourth limit tried.
  static let addressSpace: UInt64 = 1 << 30

  /// Raises the soft limit of open files as far as the hard one allows.
  ///
  /// - Throws: ``Failure`` when there are too few, or too little address space.
  static func prepare() throws(Failure) {
    var (soft, hard) = (UInt64(), UInt64())
    if clinux_get_limit(Int32(CLINUX_RLIMIT_NOFILE), &soft, &hard) == 0 {
      let limit = raised(soft: soft, hard: hard)
      if limit > soft { clinux_set_limit(Int32(CLINUX_RLIMIT_NOFILE), limit, hard) }
      guard limit >= files else { throw tooFewFiles(limit) }
    }
    if clinux_get_limit(Int32(CLINUX_RLIMIT_AS), &soft, &hard) == 0, soft < addressSpace {
      throw tooLittleAddressSpace(soft)
    }
  }

  /// The soft limit of open files to set.
  static func raised(soft: UInt64, hard: UInt64) -> UInt64 { max(soft, min(hard, usualFiles)) }

  static func tooFewFiles(_ limit: UInt64) -> Failure {
    Failure(
      "auricled", found: "a limit of \(limit) open files", expected: "at least \(files)",
      remedy: "Raise it: ulimit -n, or LimitNOFILE= in the service's unit.", exit: .system)
  }

  static func tooLittleAddressSpace(_ limit: UInt64) -> Failure {
    Failure(
      "auricled", found: "a limit of \(limit >> 20) MiB of address space",
      expected: "at least \(addressSpace >> 20) MiB",
      remedy: "Raise it: ulimit -v, or LimitAS= in the service's unit.", exit: .system)
  }
}
