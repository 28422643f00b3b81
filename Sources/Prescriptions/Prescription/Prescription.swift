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
    try checkPrecision()
    try checkFitting()
  }

  /// A card carries decimals; a number with more of them would not come back as it was.
  private func checkPrecision() throws(PrescriptionError) {
    for number in exactNumbers {
      let steps = number.value / number.step
      guard (steps.rounded() * number.step - number.value).magnitude < 1e-9 * max(1, number.value.magnitude)
      else { throw .tooPrecise(field: number.field, value: number.value, step: number.step) }
    }
  }

  /// A rule that cannot be applied to the audiogram is found when it is written, not when it is worn.
  private func checkFitting() throws(PrescriptionError) {
    guard case .rule = plan.target else { return }
    for ear in Ear.allCases where audiograms[ear].pureToneAverage == nil {
      throw .thresholdsMissing(ear)
    }
  }
}
