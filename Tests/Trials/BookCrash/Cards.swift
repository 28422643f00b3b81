import Acoustics
import Base
import Fitting
import Glibc
import Prescriptions
import PrescriptionsTesting

/// Cards signed beforehand, one a line; the first line is the clinic's own.
struct Cards {
  let clinic: String
  let texts: [String]

  /// Every third is on trial for 80 days.
  static func isTrial(_ serial: Int) -> Bool { serial % 3 == 0 }

  init(_ folder: String) throws {
    var bytes: [UInt8] = []
    if let file = fopen(folder + "/cards", "r") {
      defer { fclose(file) }
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    clinic = lines[0]
    texts = Array(lines.dropFirst())
  }

  static func make(_ count: Int, in folder: String) throws {
    let now = Instant(seconds: time(nil))
    let clinic = try ClinicKey(new: "Clinic of the trial", created: now + -86_400)
    var lines = [clinic.identity.card.jws]
    for serial in 1...count {
      let prescription = try Prescription(
        serial: serial,
        patient: Patient(
          givenName: "Ada", familyName: "Example",
          birthDate: CalendarDate(year: 1950, month: 1, day: 2) ?? .init(year: 2000, month: 1, day: 1)!),
        prescriber: Prescriber(name: "Dr. Vera Ohr", clinic: "Clinic of the trial"), environment: .quiet,
        audiograms: Binaural(both: StandardAudiogram.n3.audiogram),
        plan: FittingPlan(target: .rule(.nalRP)),
        issued: now, trialEnds: isTrial(serial) ? now + 80 * 86_400 : nil, wearerMayAccept: isTrial(serial))
      lines.append(try clinic.quickCard(prescription).jws)
    }
    guard let file = fopen(folder + "/cards", "w") else { return }
    fputs(lines.joined(separator: "\n") + "\n", file)
    fclose(file)
  }
}
