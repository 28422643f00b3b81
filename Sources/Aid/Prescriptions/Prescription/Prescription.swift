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

  /// - Throws: ``PrescriptionError`` naming what does not fit.
  package init(
    serial: Int, supersedes: Int? = nil, patient: Patient, prescriber: Prescriber,
    environment: ListeningEnvironment, audiograms: Binaural<Audiogram>, plan: FittingPlan,
    adjustment: PatientAdjustment = .none, issued: Instant, expires: Instant? = nil,
    trialEnds: Instant? = nil
  ) throws(PrescriptionError) {
    guard Self.serials.contains(serial) else { throw .serialOutOfRange(serial) }
    for (field, moment) in [("issue", issued), ("expiry", expires), ("trial's end", trialEnds)] {
      if let moment, !Instant.writable.contains(moment) { throw .momentOutOfRange(field) }
    }
    if let supersedes, !(Self.serials.lowerBound..<serial).contains(supersedes) {
      throw .supersededSerialOutOfRange(supersedes)
    }
    if let expires, expires <= issued { throw .expiresBeforeIssue }
    if let trialEnds, !(1...Self.longestTrial).contains(trialEnds - issued) { throw .trialOutOfRange }
    self.serial = serial
    self.supersedes = supersedes
    self.patient = patient
    self.prescriber = prescriber
    self.environment = environment
    self.audiograms = audiograms
    self.plan = plan
    self.adjustment = adjustment
    self.issued = issued
    self.expires = expires
    self.trialEnds = trialEnds
    try checkTexts()
    try checkPrecision()
    try checkFitting()
  }

  /// Words within values that other modules or a case's payload leave open.
  private func checkTexts() throws(PrescriptionError) {
    if case .tables(_, let source) = plan.target {
      _ = try PlainText.checked(source, field: "source of the targets")
    }
    if case .other(let word) = environment, try ListeningEnvironment(word: word) != environment {
      throw .unusableText(field: "environment", reason: "the word is that of a known environment")
    }
  }

  /// A card carries decimals; a number with more of them would not come back as it was.
  private func checkPrecision() throws(PrescriptionError) {
    for number in exactNumbers {
      // The quotient of two whole numbers is the double that the decimal is read as.
      let perUnit = (1 / number.step).rounded()
      guard (number.value * perUnit).rounded() / perUnit == number.value else {
        throw .tooPrecise(field: number.field, value: number.value, step: number.step)
      }
    }
  }

  /// A rule that cannot be applied to the audiogram is found when it is written, not when it is used.
  private func checkFitting() throws(PrescriptionError) {
    for ear in Ear.allCases where audiograms[ear].points.count > Self.greatestPointCount {
      throw .tooManyThresholds(ear)
    }
    guard case .rule = plan.target else { return }
    for ear in Ear.allCases where audiograms[ear].pureToneAverage == nil { throw .thresholdsMissing(ear) }
  }
}

extension Prescription {
  /// A number with the step in which a card writes it.
  struct ExactNumber {
    let field: String
    let value: Double
    let step: Double
  }

  /// Every number that a card writes with decimals.
  var exactNumbers: [ExactNumber] {
    var numbers = [
      ExactNumber(field: "adaptation", value: plan.adaptation, step: 0.01),
      ExactNumber(field: "output ceiling", value: plan.outputCeiling.decibels, step: 0.1),
    ]
    for (field, range) in [("volume", adjustment.volume), ("tone", adjustment.tone)] {
      numbers += [range.lowerBound, range.upperBound].map {
        ExactNumber(field: field, value: $0, step: 0.1)
      }
    }
    if case .rule(let rule) = plan.target, let ratio = rule.compressionRatio {
      numbers.append(ExactNumber(field: "compression ratio", value: ratio, step: 0.01))
    }
    for ear in Ear.allCases { numbers += exactNumbers(of: ear) }
    return numbers
  }

  private func exactNumbers(of ear: Ear) -> [ExactNumber] {
    var numbers: [ExactNumber] = []
    func frequency(_ value: Double, _ field: String) {
      numbers.append(ExactNumber(field: "\(ear) \(field) frequency", value: value, step: 1))
    }
    func level(_ value: Double, _ field: String) {
      numbers.append(ExactNumber(field: "\(ear) \(field)", value: value, step: 0.1))
    }
    for point in audiograms[ear].points {
      frequency(point.frequency, "threshold")
      level(point.threshold.decibels, "threshold")
    }
    for point in plan.fineTuning[ear].points {
      frequency(point.frequency, "fine tuning")
      for speech in SpeechLevel.allCases { level(point.changes[speech], "fine tuning") }
    }
    if let lowering = plan.lowering[ear] {
      frequency(lowering.cutoff, "frequency lowering")
      numbers.append(
        ExactNumber(field: "\(ear) frequency lowering ratio", value: lowering.ratio, step: 0.01))
    }
    if let sound = plan.tinnitusSound[ear] {
      level(sound.level.decibels, "tinnitus sound")
      if let pitch = sound.shape.numbers.first { frequency(pitch, "tinnitus sound") }
      if let width = sound.shape.numbers.last {
        numbers.append(ExactNumber(field: "\(ear) tinnitus sound width", value: width, step: 0.01))
      }
    }
    if case .tables(let tables, _) = plan.target {
      for point in tables[ear].points {
        frequency(point.frequency, "target")
        for speech in SpeechLevel.allCases { level(point.gains[speech], "target gain") }
        if let output = point.maximumOutput { level(output.decibels, "maximum output") }
      }
    }
    return numbers
  }
}
