import Base
import Clinic
import Control
import Glibc
import Prescriptions
import Service

/// The way to the prescription book: through the daemon that has it open, or straight to it when none runs.
enum BookDoor {
  case daemon(ControlClient)
  case desk(PrescriptionDesk)

  /// Connects to the daemon, or opens the book where none runs.
  ///
  /// - Parameter socket: Socket of the daemon.
  /// - Throws: ``Failure`` when a daemon is there but may not be asked.
  init(_ socket: SocketOption) throws(Failure) {
    do throws(Failure) {
      self = .daemon(try socket.client())
    } catch {
      // A socket that was named is meant: no other book will do.
      guard error.exitStatus == .unavailable, socket.socket == nil else { throw error }
      self = .desk(PrescriptionDesk(.current))
    }
  }

  /// True when a daemon answers, so that a change is heard at once.
  var isHeard: Bool { if case .daemon = self { true } else { false } }

  func change(_ call: BookCall) throws(Failure) -> BookAnswer {
    switch self {
    case .daemon(let client): return try client.change(call)
    case .desk(let desk):
      guard case .changed(let change) = try answer(desk, call) else { throw unexpected(call) }
      return change
    }
  }

  func book() throws(Failure) -> BookReport {
    switch self {
    case .daemon(let client): return try client.book()
    case .desk(let desk):
      guard case .list(let report) = try answer(desk, .list) else { throw unexpected(.list) }
      return report
    }
  }

  func card(number: Int?) throws(Failure) -> CardReport {
    switch self {
    case .daemon(let client): return try client.card(number: number)
    case .desk(let desk):
      guard case .card(let report) = try answer(desk, .card(number: number)) else {
        throw unexpected(.card(number: number))
      }
      return report
    }
  }

  func clinics() throws(Failure) -> ClinicsReport {
    switch self {
    case .daemon(let client): return try client.clinics()
    case .desk(let desk):
      guard case .clinics(let report) = try answer(desk, .clinics) else { throw unexpected(.clinics) }
      return report
    }
  }

  /// The clinics with their keys, as a card is checked against.
  func trustedClinics() throws(Failure) -> [TrustedClinic] {
    try clinics().clinics.compactMap { clinic in
      guard let card = try? CardText(reading: clinic.card),
        let identity = try? ClinicIdentity(reading: card), let enrolled = Int(exactly: clinic.enrolled)
      else { return nil }
      // Even an invalid time means that the clinic is no longer trusted.
      return TrustedClinic(
        identity: identity, enrolled: Instant(seconds: enrolled),
        revoked: clinic.revoked.map { Instant(seconds: Int(exactly: $0) ?? enrolled) })
    }
  }

  /// The book's clinics; none when there is no book to ask.
  static func trustedClinics(_ socket: SocketOption) -> [TrustedClinic] {
    (try? BookDoor(socket).trustedClinics()) ?? []
  }

  /// The clinic whose own key is kept here, by whose name its cards can be read; none elsewhere.
  static var ownClinic: [TrustedClinic] {
    let folder = ClinicFolder(environment: ProcessEnvironment.variables)
    guard let text = try? folder.card(), let own = try? ClinicReading.clinic(on: text, from: folder.path)
    else {
      return []
    }
    return [TrustedClinic(identity: own, enrolled: Instant(seconds: 0))]
  }

  func audit(count: Int) throws(Failure) -> AuditReport {
    switch self {
    case .daemon(let client): return try client.audit(count: count)
    case .desk(let desk):
      guard case .audit(let report) = try answer(desk, .audit(count: count)) else {
        throw unexpected(.audit(count: count))
      }
      return report
    }
  }

  func verifyAudit() throws(Failure) -> AuditVerdict {
    switch self {
    case .daemon(let client): return try client.verifyAudit()
    case .desk(let desk):
      guard case .verdict(let verdict) = try answer(desk, .verifyAudit) else {
        throw unexpected(.verifyAudit)
      }
      return verdict
    }
  }

  private func answer(_ desk: PrescriptionDesk, _ call: BookCall) throws(Failure) -> BookReply {
    try desk.answer(call, fromUser: geteuid(), process: getpid())
  }

  private func unexpected(_ call: BookCall) -> Failure {
    Failure(call.method, found: "an answer of another kind", exit: .software)
  }
}
