import Acoustics
import Base
import Fitting
import Prescriptions

/// Cards of every kind and with everything that a card can say.
struct SampleCards {
  /// Serial of "rule", which ``SampleState`` has in force at last.
  static let serialInForce = 7

  let clinic: ClinicKey
  let all: [(name: String, card: CardText)]
  private let now: Instant

  init(_ clinic: ClinicKey, at now: Instant) throws {
    self.clinic = clinic
    self.now = now
    func signed(_ prescription: Prescription) throws -> CardText { try clinic.sign(prescription) }
    let ada = try Self.patient("Ada")
    let prescriber = try Prescriber(name: "Dr. Zoë Müller", clinic: clinic.identity.name)
    let rule = try Prescription(
      serial: Self.serialInForce, patient: ada, prescriber: prescriber, environment: .quiet,
      audiograms: Binaural(both: StandardAudiogram.n3.audiogram),
      plan: FittingPlan(target: .rule(.nalRPCompressive(compressionRatio: 2))),
      adjustment: PatientAdjustment(volume: -20...5, tone: -3...3), issued: now + -3600,
      expires: now + 30_000_000)
    let tables = try Prescription(
      serial: 8, supersedes: 7, patient: ada, prescriber: prescriber, environment: .music,
      audiograms: Self.audiograms(), plan: Self.tables(), issued: now + -1800)
    let trial = try Prescription(
      serial: 9, patient: ada, prescriber: prescriber,
      environment: ListeningEnvironment(word: "Büro; 50 %"),
      audiograms: Binaural(left: StandardAudiogram.n4.audiogram, right: StandardAudiogram.n2.audiogram),
      plan: Self.extras(), issued: now + -60, trialEnds: now + 86_400,
      wearerMayAccept: true)
    let developer = try DeveloperPass(
      serial: 10, holder: "Grace", issued: now, expires: now + 3600, duration: 600)
    let binding = try BindingPass(
      serial: 11, patient: Self.patient("Eve"), issued: now, expires: now + 3600)
    all = [
      ("rule", try signed(rule)), ("tables", try signed(tables)), ("trial", try signed(trial)),
      ("developer", try clinic.sign(developer)), ("binding", try clinic.sign(binding)),
      ("clinic", clinic.identity.card),
    ]
  }

  subscript(_ name: String) -> String { all.first { $0.name == name }?.card.text ?? "" }

  private static func patient(_ name: String) throws -> Patient {
    guard let birth = CalendarDate(year: 1950, month: 2, day: 3) else {
      throw PrescriptionError.notACard
    }
    return try Patient(givenName: name, familyName: "Example", birthDate: birth, reference: "№ 12")
  }

  /// Masked and bone conduction, a tone without a response, an ear that has little.
  private static func audiograms() throws -> Binaural<Audiogram> {
    func point(
      _ frequency: Double, _ level: Double, _ conduction: Conduction, masked: Bool, heard: Bool
    )
      -> Audiogram.Point
    {
      Audiogram.Point(
        frequency: frequency, threshold: HearingLevel(level), conduction: conduction, isMasked: masked,
        hasResponse: heard)
    }
    return try Binaural(
      left: Audiogram(points: [
        point(500, 35, .air, masked: false, heard: true),
        point(1000, 42.5, .air, masked: true, heard: true),
        point(2000, 50, .bone, masked: false, heard: true),
        point(4000, 110, .air, masked: false, heard: false),
      ]), right: Audiogram(points: [point(1000, 20, .air, masked: false, heard: true)]))
  }

  private static func tables() throws -> FittingPlan {
    func table(_ gain: Double, _ output: Double?) throws -> TargetTable {
      try TargetTable(
        points: [500, 1000, 4000].map {
          TargetTable.Point(
            frequency: $0, gains: SpeechLevels(soft: gain + 10, ordinary: gain, loud: gain - 8),
            maximumOutput: output.map { SoundPressureLevel($0) })
        })
    }
    let tuning = try FineTuning(points: [
      FineTuning.Point(frequency: 2000, changes: SpeechLevels(soft: 2, ordinary: -1.5, loud: 0))
    ])
    return try FittingPlan(
      target: .tables(Binaural(left: table(20, 105), right: table(12, nil)), source: "NAL-NL2"),
      fineTuning: Binaural(left: tuning, right: .none), adaptation: 0.85,
      outputCeiling: SoundPressureLevel(108))
  }

  private static func extras() throws -> FittingPlan {
    try FittingPlan(
      target: .rule(.cambridgeCompressive), outputCeiling: SoundPressureLevel(110),
      lowering: Binaural(left: FrequencyLowering(cutoff: 2500, ratio: 2), right: nil),
      tinnitusSound: Binaural(
        left: TinnitusSound(shape: .notched(pitch: 4000, width: 0.5), level: SoundPressureLevel(40)),
        right: TinnitusSound(shape: .broadband, level: SoundPressureLevel(35))))
  }
}
