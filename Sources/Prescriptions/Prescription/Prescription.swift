public import Acoustics
public import Fitting

/// What an audiologist decided for a person's ears, in one environment. It never changes: another decision is
/// another prescription with a higher serial.
///
/// Every number is one that a card can carry exactly: levels and gains to 0.1 dB, ratios and shares to 0.01,
/// frequencies to 1 Hz, moments to 1 s.
public struct Prescription: Sendable, Hashable {
  /// Serials accepted.
  public static let serials = 1...999_999_999
  /// Most points of one ear's audiogram: 20 frequencies, air and bone, masked and not.
  public static let greatestPointCount = 80
  /// Longest trial, s: 90 days.
  public static let longestTrial = 90 * 86_400

  /// Counts up with every card of one clinic key.
  public let serial: Int
  /// Serial of the same clinic's prescription that this one replaces; lower than ``serial``.
  public let supersedes: Int?
  public let patient: Patient
  public let prescriber: Prescriber
  public let environment: ListeningEnvironment
  public let audiograms: Binaural<Audiogram>
  public let plan: FittingPlan
  public let adjustment: PatientAdjustment
  public let issued: Instant
  /// Not to be loaded after it; nil: does not expire.
  public let expires: Instant?
  /// On trial until then; nil: final.
  public let trialEnds: Instant?

  /// - Throws: ``PrescriptionError`` naming what does not fit.
  public init(
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

  /// A rule that cannot be applied to the audiogram is found when it is written, not when it is worn.
  private func checkFitting() throws(PrescriptionError) {
    for ear in Ear.allCases where audiograms[ear].points.count > Self.greatestPointCount {
      throw .tooManyThresholds(ear)
    }
    guard case .rule = plan.target else { return }
    for ear in Ear.allCases where audiograms[ear].pureToneAverage == nil {
      throw .thresholdsMissing(ear)
    }
  }
}
