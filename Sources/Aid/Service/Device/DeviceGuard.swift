import Base
import Control
import Glibc

/// Way round the prescription that is closed on a clinic's device.
package enum DeviceAttempt: String, Sendable, Hashable, CaseIterable {
  /// A daemon of another user than the system's.
  case daemon
  /// Sound of a command's own: a test of the earphones, a measurement.
  case sound
  /// A configuration file of one's own: audiogram, calibration, limits.
  case configuration
  /// A clinic, a prescription or a backup for a book of one's own.
  case book

  /// Continues a sentence that begins with the clinic.
  var refusal: String {
    switch self {
    case .daemon: "no daemon but the system's plays on it"
    case .sound: "nothing but the system's daemon plays on it"
    case .configuration: "no configuration but root's is in force on it"
    case .book: "clinics and prescriptions are the system daemon's on it"
    }
  }

  /// - Parameter start: Command that starts the system's daemon.
  func remedy(startedBy start: String) -> String {
    switch self {
    case .daemon, .sound:
      "The system's daemon plays the sound: auricle start. If it is off: \(start)"
    case .configuration: "The clinic decides on it: ask the clinic, or the person who runs the machine."
    case .book:
      "Cards of the clinic are taken by the system's daemon: auricle rx scan. If it is off: \(start)"
    }
  }
}

/// Refuses, on a clinic's device, what only the system's daemon may do, and has that daemon note it.
///
/// - Threads: control.
package struct DeviceGuard {
  /// The system daemon's socket, wherever a variable or a configuration points to.
  package static let socket = StandardPaths.systemsSocket

  let standing: DeviceStanding
  let userID: UInt32
  /// User as whom the system's daemon runs, whatever the mark says; nil: nobody can tell.
  let systemsUser: UInt32?
  /// Tells the system's daemon.
  ///
  /// - Returns: Why it could not be told, a clause.
  let note: (DeviceAttempt) -> String?

  package init() {
    self.init(.current, userID: geteuid(), systemsUser: Self.systemsUser()) { attempt in
      do {
        try ControlClient(path: Self.socket, timeout: 2).call(
          "device.note", ["attempt": .text(attempt.rawValue)])
        return nil
      } catch { return (error as? Failure)?.message ?? "\(error)" }
    }
  }

  init(
    _ standing: DeviceStanding, userID: UInt32, systemsUser: UInt32? = nil,
    note: @escaping (DeviceAttempt) -> String?
  ) {
    (self.standing, self.userID, self.systemsUser, self.note) = (standing, userID, systemsUser, note)
  }

  /// User as whom the system's daemon runs: the owner of the folder of its socket, which systemd makes anew at each boot in a folder of
  /// root's, for the user of the unit. Not of its state folder, which a restored backup may give to anybody; and never root.
  ///
  /// - Parameter folder: Another in tests.
  /// - Returns: Nil where there is no such folder.
  static func systemsUser(folder: String = StandardPaths.systemsRuntime) -> UInt32? {
    guard let owner = FileTrust(of: folder)?.owner, owner != 0 else { return nil }
    return owner
  }

  /// Refuses an attempt on a clinic's device, by anybody but root and the system daemon's user; a daemon by root too.
  ///
  /// The system's daemon starts also where the mark says nothing, or has a number that its user had before: nobody would hear anything
  /// otherwise, and root needs its book to hand the machine over again. The book keeps to the clinic meanwhile.
  ///
  /// - Throws: ``Failure`` with ``ExitStatus/noPermission``.
  package func refuse(_ attempt: DeviceAttempt) throws(Failure) {
    guard let clinic = standing.clinicName, !isAllowed(attempt) else { return }
    let unnoted = note(attempt).map { " This could not be noted in the audit trail: \($0)" } ?? ""
    let trouble = standing.trouble(for: systemsUser).map { ". Its mark is wrong: \($0.message)" } ?? ""
    let start = StartAdvice(isSystems: true, isRoot: userID == 0).command
    throw Failure(
      "this device", inWords: "It belongs to \(clinic): \(attempt.refusal)\(trouble)",
      remedy: attempt.remedy(startedBy: start) + unnoted, exit: .noPermission)
  }

  private func isAllowed(_ attempt: DeviceAttempt) -> Bool {
    if attempt != .daemon, userID == 0 { return true }
    return userID == systemsUser || standing.mark?.daemonUser == userID
  }
}
