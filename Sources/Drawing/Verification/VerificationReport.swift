public import Acoustics

/// The result of an electroacoustic verification, ready to be drawn: texts as they are printed, curves as plain
/// numbers.
public struct VerificationReport: Sendable, Equatable {
  /// A figure of each ear.
  public struct Figure: Sendable, Equatable {
    public var name: String
    public var right: String
    public var left: String

    public init(name: String, right: String, left: String) {
      self.name = name
      self.right = right
      self.left = left
    }
  }

  /// A figure of each ear beside its limit.
  public struct Limit: Sendable, Equatable {
    /// Whose limit, such as "21 CFR 800.30 (e)(3)".
    public var source: String
    public var name: String
    public var right: String
    public var left: String
    /// Such as "≤ 15 ms".
    public var bound: String
    /// How well the limit is known.
    public var knowledge: String
    /// Such as "met".
    public var verdict: String
    /// Whether the row must not be overlooked.
    public var isBroken: Bool

    public init(
      source: String, name: String, right: String, left: String, bound: String, knowledge: String,
      verdict: String, isBroken: Bool
    ) {
      self.source = source
      self.name = name
      self.right = right
      self.left = left
      self.bound = bound
      self.knowledge = knowledge
      self.verdict = verdict
      self.isBroken = isBroken
    }
  }

  /// What was measured, such as "Bisgaard N3, NAL-RP-compressive".
  public var title: String
  /// Devices, sizes, program; one line each.
  public var conditions: [String]
  /// One sentence: whether all limits are met.
  public var verdict: String
  public var isMet: Bool
  public var figures: [Figure]
  public var limits: [Limit]
  /// An ear that was not measured has no curves.
  public var ears: Binaural<VerificationCurves?>

  public init(
    title: String, conditions: [String], verdict: String, isMet: Bool, figures: [Figure], limits: [Limit],
    ears: Binaural<VerificationCurves?>
  ) {
    self.title = title
    self.conditions = conditions
    self.verdict = verdict
    self.isMet = isMet
    self.figures = figures
    self.limits = limits
    self.ears = ears
  }
}
