import Acoustics
import Control
import Crypto
import Engine
import Glibc
import HearingDSP
import Prescriptions
import PrescriptionsTesting
import Service

/// Cards whose content was changed and which are signed again by a clinic that the device trusts, or by one that
/// it does not know.
struct SignedCards: MutationKind {
  static let good: Set<String> = ["taken in", "good, refused by the book"]

  let shelf: MaterialShelf
  private let fixtures: Fixtures
  private let folder: String
  private let header: [UInt8]
  private let stranger: ClinicKey
  private let trusted: [TrustedClinic]
  private var daemon: DevicelessDaemon?

  init(_ fixtures: Fixtures, scratch: String) throws {
    self.fixtures = fixtures
    folder = scratch + "/state"
    header = fixtures.clinic.identity.card.parts[0]
    let key = try P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 9, count: 32))
    stranger = try ClinicKey(new: "Nobody", created: fixtures.now + -86_400, key: key)
    trusted = [TrustedClinic(identity: fixtures.clinic.identity, enrolled: fixtures.now + -86_400)]
    shelf = MaterialShelf(
      fixtures.contents.map { MaterialShelf.Item(name: $0.name, material: JSONMaterial($0.bytes)) })
  }

  mutating func outcome(of input: MutatedInput) throws -> String {
    let packed = HostileTrial.packed(input.bytes)
    // Of nobody: the device may read it before it is refused.
    let foreign = try stranger.jws(header: stranger.identity.card.parts[0], packed: packed)
    if try load(foreign) == nil { throw MutationFault(text: "a stranger's card was taken in") }
    let text = try fixtures.clinic.jws(header: header, packed: packed)
    let inspection = Card.inspect(text, trusting: trusted, at: fixtures.now)
    if case .prescription(let prescription)? = inspection.content { try show(prescription) }
    let isTaken: Bool
    if let failure = try load(text) {
      guard !failure.message.isEmpty else { throw MutationFault(text: "a refusal without words") }
      isTaken = false
    } else {
      isTaken = true
      // Each card comes to a device that has none.
      daemon = nil
    }
    guard let refusal = inspection.refusal else {
      return isTaken ? "taken in" : "good, refused by the book"
    }
    if isTaken { throw MutationFault(text: "taken in although \(refusal)") }
    return "refused"
  }

  /// As `auricle rx scan` does it.
  ///
  /// - Returns: Nil when it was taken in.
  private mutating func load(_ text: String) throws -> ControlFailure? {
    if daemon == nil {
      Fixtures.lay(fixtures.enrolled, at: folder)
      daemon = try DevicelessDaemon(paths: Fixtures.paths(folder))
    }
    do throws(ControlFailure) {
      let preview = try daemon?.answer(PrescriptionMethods.Look(card: text)) as? CardPreview
      try daemon?.answer(PrescriptionMethods.Load(card: text, confirmation: preview?.confirmation))
      return nil
    } catch {
      return error
    }
  }

  /// As `auricle rx show` does it, and the chain that would be built at every rate.
  private func show(_ prescription: Prescription) throws {
    let verdict = PrescriptionReport.Verdict(isVerified: true, words: "signed", key: nil)
    let report = PrescriptionReport(prescription, verdict: verdict)
    guard !PrescriptionText(report).text.isEmpty else { throw MutationFault(text: "nothing to show") }
    if let fault = ExportedBundle.fault(prescription, by: fixtures.clinic) {
      throw MutationFault(text: fault)
    }
    var hearing = HearingSettings()
    hearing.audiograms = prescription.audiograms
    hearing.plan = prescription.plan
    try Fitted.parameters(hearing)
  }
}

/// Settings made into what the chain plays, at every rate.
enum Fitted {
  static func parameters(_ hearing: HearingSettings) throws {
    for rate in [44_100.0, 48_000, 96_000] {
      do {
        _ = try hearing.parameters(for: ChainGeometry(sampleRate: rate, blockFrames: 64))
      } catch {
        guard !"\(error)".isEmpty else { throw MutationFault(text: "a refusal without words") }
      }
    }
  }
}
