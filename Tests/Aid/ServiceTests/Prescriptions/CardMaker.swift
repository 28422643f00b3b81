import Acoustics
import Base
import Fitting
import Glibc
import Prescriptions
import PrescriptionsTesting

/// A clinic that signs whatever a test asks for.
struct CardMaker {
  static let day = 86_400
  let key: ClinicKey
  let now = Instant(seconds: time(nil))

  init(_ name: String = "City Hearing Clinic") throws {
    key = try ClinicKey(new: name, created: Instant(seconds: time(nil) - 30 * Self.day))
  }

  func prescription(
    _ serial: Int, for environment: ListeningEnvironment = .quiet, patient: String = "Ada",
    audiogram: StandardAudiogram = .n3, rule: PrescribedRule = .nalRP, trialEnds: Instant? = nil,
    expires: Instant? = nil, supersedes: Int? = nil
  ) throws -> String {
    let birth = CalendarDate(year: 1950, month: 2, day: 3)
    guard let birth else { throw PrescriptionError.notACard }
    return try key.quickCard(
      Prescription(
        serial: serial, supersedes: supersedes,
        patient: Patient(givenName: patient, familyName: "Example", birthDate: birth),
        prescriber: Prescriber(name: "Dr. Ear", clinic: key.identity.name), environment: environment,
        audiograms: Binaural(both: audiogram.audiogram), plan: FittingPlan(target: .rule(rule)),
        issued: now + (serial - 1000), expires: expires, trialEnds: trialEnds)
    ).text
  }
}
