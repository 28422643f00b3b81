import Base
import Control
import Glibc
import Prescriptions
import Service

/// The way to the prescription book: through the daemon that has it open, or straight to it when none runs.
enum BookDoor {
  case daemon(ControlClient)
  case store(PrescriptionStore)

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
      self = .store(PrescriptionStore(.current))
    }
  }

  /// True when a daemon answers, so that a change is heard at once.
  var isHeard: Bool { if case .daemon = self { true } else { false } }

  /// Calls a method of the book.
  func ask<Method: BookMethod>(_ method: Method) throws(Failure) -> Method.Reply {
    switch self {
    case .daemon(let client): try client.ask(method)
    case .store(let store): try store.answer(method, fromUser: geteuid(), process: getpid())
    }
  }

  /// Text of a card in the book.
  ///
  /// - Parameter entry: Its number there, from 1; nil: the prescription in force.
  func card(entry: Int?) throws(Failure) -> String {
    if let entry, entry < 1 {
      throw Failure(
        "--number", found: "\(entry)", expected: "1 or more", remedy: "See: auricle rx list", exit: .usage)
    }
    return try ask(PrescriptionMethods.Card(number: entry)).card
  }

  /// The clinics with their keys, as a card is checked against.
  func trustedClinics() throws(Failure) -> [TrustedClinic] {
    try ask(TrustMethods.List()).clinics.compactMap { clinic in
      guard let card = try? CardText(reading: clinic.card),
        let identity = try? ClinicIdentity(reading: card),
        let enrolled = Int(exactly: clinic.enrolledUnixSeconds)
      else { return nil }
      // Even an invalid time means that the clinic is no longer trusted.
      return TrustedClinic(
        identity: identity, enrolled: Instant(seconds: enrolled),
        revoked: clinic.revokedUnixSeconds.map { Instant(seconds: Int(exactly: $0) ?? enrolled) })
    }
  }

  /// The book's clinics; none when there is no book to ask.
  static func trustedClinics(_ socket: SocketOption) -> [TrustedClinic] {
    (try? BookDoor(socket).trustedClinics()) ?? []
  }

  /// The clinic whose own key is kept here, by whose name its cards can be read; none elsewhere.
  static var ownClinic: [TrustedClinic] {
    let folder = ClinicFolder(environment: ProcessEnvironment.variables)
    guard let text = try? folder.card(), let own = try? ClinicIdentity(reading: text, from: folder.path)
    else { return [] }
    return [TrustedClinic(identity: own, enrolled: Instant(seconds: 0))]
  }
}
