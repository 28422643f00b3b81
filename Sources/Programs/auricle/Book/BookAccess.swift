import Base
import Control
import Glibc
import Prescriptions
import Service

/// The way to the prescription book: through the daemon that has it open, or straight to it when none runs.
struct BookAccess {
  /// Of the daemon, where a change is heard at once; nil: none runs.
  let client: ControlClient?
  private let store = PrescriptionStore(.current)

  /// Connects to the daemon, or opens the book where none runs.
  ///
  /// - Parameter socket: Socket of the daemon.
  /// - Throws: ``Failure`` when a daemon is there but may not be asked.
  init(_ socket: SocketOption) throws(Failure) { client = try socket.ifRunning { $0 } }

  /// Calls a method of the book.
  func ask<Method: BookMethod>(_ method: Method) throws(Failure) -> Method.Reply {
    if let client { return try client.ask(method) }
    if Method.beginsBook { try DeviceGuard().refuse(.book) }
    return try store.answer(method, fromUser: geteuid(), process: getpid())
  }

  /// Text of a card in the book.
  ///
  /// - Parameters:
  ///   - entry: Its number there, from 1; nil: the prescription in force.
  ///   - isExport: True for a file that leaves the device, which the audit trail notes.
  func card(entry: Int?, forExport isExport: Bool = false) throws(Failure) -> String {
    if let entry, entry < 1 {
      throw Failure(
        "--number", found: "\(entry)", expected: "1 or more", remedy: "See: auricle rx list", exit: .usage)
    }
    if isExport { return try ask(PrescriptionMethods.Export(number: entry)).card }
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

  /// The book's clinics; none when there is no book to ask, or when it does not answer, which is then said.
  static func trustedClinics(_ socket: SocketOption) -> [TrustedClinic] {
    do throws(Failure) { return try BookAccess(socket).trustedClinics() } catch {
      let words = "No clinic counts as trusted, for the book cannot be asked: \(error.message)"
      StandardError.write("auricle: \(words)\n")
      return []
    }
  }

  /// The clinic whose own key is kept in a folder, by whose name its cards can be read; none elsewhere.
  static func ownClinic(in folder: ClinicFolder) -> [TrustedClinic] {
    guard let text = try? folder.card(), let own = try? ClinicIdentity(reading: text, from: folder.path)
    else { return [] }
    return [TrustedClinic(identity: own, enrolled: Instant(seconds: 0))]
  }
}
