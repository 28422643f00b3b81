import Acoustics
import Fitting

/// An audiologist's decisions for a person's ears, in one environment. It never changes: another decision
/// is another prescription with a higher serial.
///
/// Every number is one that a card can carry exactly: levels and gains to 0.1 dB, ratios and shares to
/// 0.01, frequencies to 1 Hz, moments to 1 s.
package struct Prescription: Sendable, Hashable {
  /// Serials accepted.
  package static let serials = 1...999_999_999
  /// Most points of one ear's audiogram: 20 frequencies, air and bone, masked and not.
  package static let greatestPointCount = 80
  /// Longest trial, s: 90 days.
  package static let longestTrial = 90 * 86_400

  /// Counts up with every card of one clinic key.
  package let serial: Int
  /// Serial of the same clinic's prescription that this one replaces; lower than ``serial``.
  package let supersedes: Int?
  package let patient: Patient
  package let prescriber: Prescriber
  package let environment: ListeningEnvironment
  package let audiograms: Binaural<Audiogram>
  package let plan: FittingPlan
  package let adjustment: PatientAdjustment
  package let issued: Instant
  /// Not to be loaded after it; nil: does not expire.
  package let expires: Instant?
  /// On trial until then; nil: final.
  package let trialEnds: Instant?
  /// True when the wearer may make the trial final; false: only the clinic does, with a new card.
  package let wearerMayAccept: Bool

  /// - Throws: ``PrescriptionError`` naming what does not fit.
  package init(
    serial: Int, supersedes: Int? = nil, patient: Patient, prescriber: Prescriber,
    environment: ListeningEnvironment, audiograms: Binaural<Audiogram>, plan: FittingPlan,
    adjustment: PatientAdjustment = .none, issued: Instant, expires: Instant? = nil,
    trialEnds: Instant? = nil, wearerMayAccept: Bool = false
  ) throws(PrescriptionError) {
    try Self.check(serial, issued: issued, expires: expires)
    if let supersedes, !(Self.serials.lowerBound..<serial).contains(supersedes) {
      throw .unusable(
        field: "supersedes \(supersedes)", reason: "expected a serial below the prescription's own")
    }
    try trialEnds?.check("trial's end")
    if let trialEnds, !(1...Self.longestTrial).contains(trialEnds - issued) {
      throw .unusable(field: "trial", reason: "expected an end within 90 days after the issue")
    }
    guard trialEnds != nil || !wearerMayAccept else {
      throw .unusable(field: "acceptance", reason: "expected a trial, which the patient may make final")
    }
    self.wearerMayAccept = wearerMayAccept
    (self.serial, self.supersedes) = (serial, supersedes)
    (self.patient, self.prescriber, self.environment) = (patient, prescriber, environment)
    (self.audiograms, self.plan, self.adjustment) = (audiograms, plan, adjustment)
    (self.issued, self.expires, self.trialEnds) = (issued, expires, trialEnds)
    try checkTexts()
    try checkPrecision()
    try checkFitting()
  }

  /// Checks what every card of a decision states.
  static func check(_ serial: Int, issued: Instant, expires: Instant?) throws(PrescriptionError) {
    guard serials.contains(serial) else {
      throw .unusable(field: "serial \(serial)", reason: "expected 1 to 999999999")
    }
    try issued.check("issue")
    try expires?.check("expiry", after: issued)
  }

  /// Words within values that other modules or a case's payload leave open.
  private func checkTexts() throws(PrescriptionError) {
    if case .tables(_, let source) = plan.target {
      _ = try PlainText.checked(source, field: "source of the targets")
    }
    if case .other(let word) = environment, try ListeningEnvironment(word: word) != environment {
      throw .unusable(field: "environment", reason: "the word is that of a known environment")
    }
  }

  /// A card carries decimals; a number with more of them would not come back as it was.
  private func checkPrecision() throws(PrescriptionError) {
    for (field, value, step) in exactNumbers {
      // The quotient of two whole numbers is the double that the decimal is read as.
      let perUnit = (1 / step).rounded()
      guard (value * perUnit).rounded() / perUnit == value else {
        throw .unusable(field: field, reason: "found \(value), expected a multiple of \(step)")
      }
    }
  }

  /// True unless the rule makes no gain of an ear's thresholds. An ear without any gets none, and needs none
  /// where the other one has some.
  private func canBeFitted(_ ear: Ear) -> Bool {
    guard let rule = plan.rule?.rule else { return true }
    guard !audiograms[ear].airPoints.isEmpty else {
      return !audiograms[ear.opposite].airPoints.isEmpty
    }
    return (try? rule.curves(for: audiograms[ear], bands: .standard)) != nil
  }

  /// A rule that cannot be applied to the audiogram is found when it is written, not when it is used.
  private func checkFitting() throws(PrescriptionError) {
    for ear in Ear.allCases {
      guard audiograms[ear].points.count <= Self.greatestPointCount else {
        throw .unusable(
          field: "\(ear) ear", reason: "expected at most \(Self.greatestPointCount) thresholds")
      }
      guard canBeFitted(ear) else {
        throw .unusable(
          field: "\(ear) ear",
          reason: audiograms[ear].airPoints.isEmpty
            ? "neither ear has air-conduction thresholds, without which the rule makes no gain"
            : "air-conduction thresholds do not reach from 500 to 2000 Hz, where the rule needs them")
      }
    }
  }
}

extension Prescription {
  /// Every number that a card writes with decimals, and the step in which it writes it.
  private var exactNumbers: [(field: String, value: Double, step: Double)] {
    var numbers = [
      ("adaptation", plan.adaptation, 0.01), ("output ceiling", plan.outputCeiling.decibels, 0.1),
    ]
    for (field, range) in [("volume", adjustment.volume), ("tone", adjustment.tone)] {
      numbers += [(field, range.lowerBound, 0.1), (field, range.upperBound, 0.1)]
    }
    if let ratio = plan.rule?.compressionRatio { numbers.append(("compression ratio", ratio, 0.01)) }
    for ear in Ear.allCases {
      numbers += exactNumbers(of: ear).map { ("\(ear) \($0.field)", $0.value, $0.step) }
    }
    return numbers
  }

  private func exactNumbers(of ear: Ear) -> [(field: String, value: Double, step: Double)] {
    var numbers: [(field: String, value: Double, step: Double)] = []
    for point in audiograms[ear].points {
      numbers += [
        ("threshold frequency", point.frequency, 1), ("threshold", point.threshold.decibels, 0.1),
      ]
    }
    for point in plan.fineTuning[ear].points {
      numbers.append(("fine tuning frequency", point.frequency, 1))
      numbers += SpeechLevel.allCases.map { ("fine tuning", point.changes[$0], 0.1) }
    }
    if let lowering = plan.lowering[ear] {
      numbers += [
        ("frequency lowering frequency", lowering.cutoff, 1),
        ("frequency lowering ratio", lowering.ratio, 0.01),
      ]
    }
    if let sound = plan.tinnitusSound[ear] {
      numbers.append(("tinnitus sound", sound.level.decibels, 0.1))
      // Pitch and width, of shapes that have them.
      numbers += zip(
        sound.shape.numbers, [("tinnitus sound frequency", 1), ("tinnitus sound width", 0.01)]
      ).map { ($1.0, $0, $1.1) }
    }
    if case .tables(let tables, _) = plan.target {
      for point in tables[ear].points {
        numbers.append(("target frequency", point.frequency, 1))
        numbers += SpeechLevel.allCases.map { ("target gain", point.gains[$0], 0.1) }
        if let output = point.maximumOutput { numbers.append(("maximum output", output.decibels, 0.1)) }
      }
    }
    return numbers
  }
}
