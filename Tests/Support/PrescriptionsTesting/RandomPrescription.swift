import Acoustics
import Base
import CommonTesting
import Fitting
import Prescriptions

/// Valid prescriptions of every kind, from a seed: what a round trip must give back.
package struct RandomPrescription {
  package var generator: SeededGenerator
  /// Clinic of every prescription: a key signs only those of its own.
  package let clinic: String

  package init(seed: UInt64, clinic: String = "Hörhaus") {
    generator = SeededGenerator(seed)
    self.clinic = clinic
  }

  /// Frequencies of audiometers, Hz, those above 8000 Hz for extended ones.
  private static let frequencies: [Double] = [
    125, 250, 375, 500, 750, 1000, 1500, 2000, 3000, 4000, 5000, 6000, 8000, 9000, 10_000, 11_200, 12_500,
    14_000, 16_000,
  ]

  private static let givenNames = [
    "Ada", "Zoë", "Søren", "Nguyễn Thị", "Мария", "Ελένη", "محمد", "日向", "Anne-Marie", "O", "José María",
    "Wolfgang Amadeus", "\u{1F3B5}", "a\"b\\c", "Ħal",
  ]
  private static let familyNames = [
    "Example", "Müller-Lüdenscheidt", "Ó Briain", "Петрова", "Παπαδοπούλου", "佐藤", "van der Meer", "X",
    "Wolfeschlegelsteinhausenbergerdorff", "D'Angelo", "de la Cruz y Fernández",
  ]

  package mutating func next() throws -> Prescription {
    let issued = Instant(seconds: Int.random(in: 1_600_000_000...4_000_000_000, using: &generator))
    let serial = Int.random(in: 1...999_999_999, using: &generator)
    let isTable = generator.one(in: 3)
    let longestTrial = Prescription.longestTrial
    let isTrial = generator.one(in: 3)
    return try Prescription(
      serial: serial,
      supersedes: serial > 1 && generator.one(in: 2) ? Int.random(in: 1..<serial, using: &generator) : nil,
      patient: patient(),
      prescriber: Prescriber(
        name: "Dr. " + pick(Self.familyNames), clinic: clinic),
      environment: environment(),
      audiograms: Binaural(left: audiogram(isFree: isTable), right: audiogram(isFree: isTable)),
      plan: plan(isTable: isTable), adjustment: adjustment(), issued: issued,
      expires: generator.one(in: 2) ? issued + Int.random(in: 1...1_000_000_000, using: &generator) : nil,
      trialEnds: isTrial ? issued + Int.random(in: 1...longestTrial, using: &generator) : nil,
      wearerMayAccept: isTrial && generator.one(in: 2))
  }

  private mutating func pick<Element>(_ list: [Element]) -> Element {
    list[Int.random(in: list.indices, using: &generator)]
  }

  package mutating func patient() throws -> Patient {
    guard
      let date = CalendarDate(
        year: Int.random(in: 1900...2026, using: &generator),
        month: Int.random(in: 1...12, using: &generator),
        day: Int.random(in: 1...28, using: &generator))
    else { preconditionFailure("every month has a 28th") }
    let number = Int.random(in: 0...999_999, using: &generator)
    return try Patient(
      givenName: pick(Self.givenNames), familyName: pick(Self.familyNames), birthDate: date,
      reference: generator.one(in: 2) ? nil : "№ \(number)")
  }

  private mutating func environment() throws -> ListeningEnvironment {
    generator.one(in: 4)
      ? try ListeningEnvironment(word: pick(["church", "Büro", "workshop 2", "50 %; open; 100%25"]))
      : pick(ListeningEnvironment.known)
  }

  /// With the frequencies that rules need unless `isFree`.
  package mutating func audiogram(isFree: Bool) throws -> Audiogram {
    if isFree, generator.one(in: 6) { return try Audiogram(points: []) }
    var points: [Audiogram.Point] = []
    for frequency in Self.frequencies {
      let isNeeded = !isFree && (frequency == 500 || frequency == 2000)
      if isNeeded || generator.one(in: 2) { points.append(point(frequency, .air, isMasked: false)) }
      if generator.one(in: 8) { points.append(point(frequency, .air, isMasked: true)) }
      if frequency <= 4000, generator.one(in: 5) {
        points.append(point(frequency, .bone, isMasked: generator.one(in: 2)))
      }
    }
    if generator.one(in: 10) {
      let frequency = Double(Int.random(in: 8001..<9000, using: &generator))
      points.append(point(frequency, .air, isMasked: false))
    }
    return try Audiogram(points: points)
  }

  private mutating func point(
    _ frequency: Double, _ conduction: Conduction, isMasked: Bool
  ) -> Audiogram.Point {
    let level =
      generator.one(in: 5)
      ? generator.number(-10...120) : Double(Int.random(in: -2...24, using: &generator) * 5)
    return Audiogram.Point(
      frequency: frequency, threshold: HearingLevel(level), conduction: conduction, isMasked: isMasked,
      hasResponse: !generator.one(in: 12))
  }

  private mutating func plan(isTable: Bool) throws -> FittingPlan {
    let target: FittingPlan.Target =
      isTable
      ? .tables(
        Binaural(left: try table(), right: try table()), source: pick(["NAL-NL2", "DSL v5", "own"]))
      : .rule(rule())
    let ceiling = generator.number(60...120)
    return try FittingPlan(
      target: target,
      fineTuning: generator.one(in: 2)
        ? Binaural(both: .none) : Binaural(left: try tuning(), right: try tuning()),
      adaptation: generator.one(in: 2) ? 1 : generator.number(0.5...1, perUnit: 100),
      outputCeiling: SoundPressureLevel(ceiling),
      lowering: Binaural(left: try lowering(), right: try lowering()),
      tinnitusSound: Binaural(left: try sound(below: ceiling), right: try sound(below: ceiling)))
  }

  private mutating func lowering() throws -> FrequencyLowering? {
    guard generator.one(in: 3) else { return nil }
    return try FrequencyLowering(
      cutoff: generator.number(FrequencyLowering.cutoffs, perUnit: 1),
      ratio: generator.number(FrequencyLowering.ratios, perUnit: 100))
  }

  private mutating func sound(below ceiling: Double) throws -> TinnitusSound? {
    guard generator.one(in: 3) else { return nil }
    let pitch = generator.number(TinnitusSound.pitches, perUnit: 1)
    let width = generator.number(TinnitusSound.widths, perUnit: 100)
    let (least, most) = (
      TinnitusSound.levels.lowerBound.decibels, TinnitusSound.levels.upperBound.decibels
    )
    return try TinnitusSound(
      shape: pick([.broadband, .band(pitch: pitch, width: width), .notched(pitch: pitch, width: width)]),
      level: SoundPressureLevel(generator.number(least...min(most, ceiling))))
  }

  private mutating func rule() -> PrescribedRule {
    let rule = pick(PrescribedRule.all + PrescribedRule.former)
    guard rule.compressionRatio != nil else { return rule }
    return rule.with(compressionRatio: generator.number(1...3, perUnit: 100))
  }

  /// Of one to twenty frequencies.
  private mutating func someFrequencies() -> [Double] {
    var chosen = Self.frequencies.filter { _ in generator.one(in: 2) }
    if chosen.isEmpty { chosen = [1000] }
    return chosen
  }

  private mutating func levels(_ range: ClosedRange<Double>) -> SpeechLevels<Double> {
    SpeechLevels(
      soft: generator.number(range), ordinary: generator.number(range), loud: generator.number(range))
  }

  private mutating func table() throws -> TargetTable {
    let hasOutputs = !generator.one(in: 3)
    var points: [TargetTable.Point] = []
    for frequency in someFrequencies() {
      let output =
        hasOutputs && !generator.one(in: 6) ? SoundPressureLevel(generator.number(60...120)) : nil
      points.append(TargetTable.Point(frequency: frequency, gains: levels(-20...75), maximumOutput: output))
    }
    return try TargetTable(points: points)
  }

  private mutating func tuning() throws -> FineTuning {
    if generator.one(in: 4) { return .none }
    var points: [FineTuning.Point] = []
    for frequency in someFrequencies() {
      points.append(FineTuning.Point(frequency: frequency, changes: levels(-15...15)))
    }
    return try FineTuning(points: points)
  }

  private mutating func adjustment() throws -> PatientAdjustment {
    guard generator.one(in: 2) else { return .none }
    return try PatientAdjustment(
      volume: generator.number(-20...0)...generator.number(0...10),
      tone: generator.number(-10...0)...generator.number(0...10))
  }
}
