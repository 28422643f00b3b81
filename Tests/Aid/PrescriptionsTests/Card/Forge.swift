import Acoustics
import Base
import Crypto
import Fitting
import PrescriptionsTesting

@testable import Prescriptions

/// A clinic that a device trusts, and all that somebody may do to its cards; also with the clinic's own
/// key, so that what lies behind the signature is reached.
struct Forge {
  static let issued = Instant(seconds: 1_800_000_000)

  let clinic: ClinicKey
  let stranger: ClinicKey

  init() throws {
    clinic = try ClinicKey(new: "Clinic North", url: "https://north.example", created: Self.issued)
    stranger = try ClinicKey(new: "Clinic South", created: Self.issued)
  }

  var trusted: [TrustedClinic] { [TrustedClinic(identity: clinic.identity, enrolled: Self.issued)] }

  func prescription(expires: Instant? = nil, trialEnds: Instant? = nil) throws -> Prescription {
    let left = try Audiogram(air: [250: 15, 500: 20, 1000: 35, 2000: 55, 4000: 70, 8000: 80])
    let right = try Audiogram(air: [250: 10, 500: 25, 1000: 30, 2000: 50, 4000: 65, 8000: 90])
    return try Prescription(
      serial: 12, supersedes: 11,
      patient: Patient(
        givenName: "Ada", familyName: "Example", birthDate: CalendarDate(year: 1950, month: 2, day: 3)!),
      prescriber: Prescriber(name: "Dr. B. Ear", clinic: clinic.identity.name), environment: .quiet,
      audiograms: Binaural(left: left, right: right), plan: FittingPlan(target: .rule(.nalRP)),
      issued: Self.issued, expires: expires, trialEnds: trialEnds)
  }

  /// Reads as a device does that trusts ``clinic``; the refusal, or nil.
  func refusal(
    _ text: String, trusting clinics: [TrustedClinic]? = nil, at now: Instant = issued
  ) -> PrescriptionError? {
    do throws(PrescriptionError) {
      _ = try Card.read(text, trusting: clinics ?? trusted, at: now)
      return nil
    } catch { return error }
  }

  /// The payload of a good card.
  func payload(expires: Instant? = nil) throws -> String {
    let subject = try prescription(expires: expires).subject
    return try clinic.content(.prescription, subject, from: Self.issued, until: expires).minified
  }

  func header(_ algorithm: String = "\"ES256\"", more: String = "", kid: ClinicKey? = nil) -> String {
    let key = (kid ?? clinic).identity.fingerprint.base64URL
    return "{\"zip\":\"DEF\",\"alg\":\(algorithm),\"kid\":\"\(key)\"\(more)}"
  }

  /// A card of any header and packed content, its signature good.
  func jws(header: String? = nil, packed: [UInt8], key: ClinicKey? = nil) throws -> String {
    let signed = Base64URL.text((header ?? self.header()).utf8) + "." + Base64URL.text(packed)
    let signature = try (key ?? clinic).key.signature(for: Array(signed.utf8))
    return signed + "." + Base64URL.text(signature.rawRepresentation)
  }

  /// A card of any content, its signature good.
  func jws(_ payload: String) throws -> String {
    try jws(packed: Self.packed(payload))
  }

  /// Packed in a hundredth of the time that the smallest packing takes.
  static func packed(_ payload: String) -> [UInt8] {
    HostileTrial.packed(Array(payload.utf8), level: 12)
  }
}
