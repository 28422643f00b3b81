import CDeflate
import Crypto
import Prescriptions

/// Gives payloads to the readers of cards, bundles and key files as a device does that trusts one clinic.
package struct HostileTrial: Sendable {
  /// Later than every random prescription is issued.
  package static let now = Instant(seconds: 4_000_000_000)

  package let clinic: ClinicKey
  private let trusted: [TrustedClinic]
  private let header: [UInt8]

  package init() throws {
    // The same key each time, so that a payload found in one run is one in the next.
    let key = try P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 7, count: 32))
    clinic = try ClinicKey(new: "Hörhaus", url: "https://hoerhaus.example", created: Self.now, key: key)
    trusted = [TrustedClinic(identity: clinic.identity, enrolled: Self.now)]
    header = clinic.identity.card.parts[0]
  }

  /// - Parameter looks: Whether to look at a card as `rx show` does, too, and compare.
  package func outcome(_ layer: HostileLayer, _ bytes: [UInt8], looks: Bool = true) -> HostileOutcome {
    do {
      switch layer {
      case .text: return card(String(decoding: bytes, as: UTF8.self), looks)
      case .header: return card(try clinic.jws(header: bytes, packed: Self.packed(Array("{}".utf8))), looks)
      case .packed: return card(try clinic.jws(header: header, packed: bytes), looks)
      case .content: return card(try clinic.jws(header: header, packed: Self.packed(bytes)), looks)
      case .bundle:
        let content = ExportedBundle.content("\0", issued: Self.now, expires: nil).minified.utf8
        let parts = content.split(separator: Array("\"\\u0000\"".utf8)).map(Array.init)
        return card(try clinic.jws(header: header, packed: Self.packed(parts[0] + bytes + parts[1])), looks)
      case .audiogram: _ = try FHIRAudiogram(parsing: String(decoding: bytes, as: UTF8.self))
      case .keyFile:
        _ = try ClinicKey(opening: bytes) { _, _ in SymmetricKey(data: [UInt8](repeating: 7, count: 32)) }
      }
      return .accepted
    } catch { return .refused(Self.name(error)) }
  }

  private func card(_ text: String, _ looks: Bool) -> HostileOutcome {
    let outcome: HostileOutcome
    do throws(PrescriptionError) {
      let card = try Card.read(text, trusting: trusted, at: Self.now)
      if case .prescription(let signed) = card, let fault = ExportedBundle.fault(signed.content, by: clinic)
      {
        return .fault(fault)
      }
      outcome = .accepted
    } catch { outcome = .refused(Self.name(error)) }
    guard looks else { return outcome }
    let refusal = Card.inspect(text, trusting: trusted, at: Self.now).refusal
    let looked = refusal.map { HostileOutcome.refused(Self.name($0)) } ?? .accepted
    return looked == outcome ? outcome : .fault("reading and looking differ: \(outcome), \(looked)")
  }

  /// The name of an error's case; the error's text too must be made without a crash.
  static func name(_ error: any Error) -> String {
    guard !"\(error)".isEmpty else { return "no text" }
    switch error {
    // Cases without a payload do not show their names.
    case PrescriptionError.notACard: return "notACard"
    case PrescriptionError.wrongPassphrase: return "wrongPassphrase"
    case PrescriptionError.noThresholds: return "noThresholds"
    default: return Mirror(reflecting: error).children.first?.label ?? "\(type(of: error))"
    }
  }

  /// Quick packing; how well does not matter.
  package static func packed(_ bytes: [UInt8], level: Int32 = 1) -> [UInt8] {
    guard let compressor = libdeflate_alloc_compressor(level) else { fatalError("out of memory") }
    defer { libdeflate_free_compressor(compressor) }
    let bound = libdeflate_deflate_compress_bound(compressor, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      count = libdeflate_deflate_compress(compressor, bytes, bytes.count, output.baseAddress, bound)
    }
  }
}
