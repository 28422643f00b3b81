import Acoustics

/// The result of an electroacoustic verification, ready to be drawn: texts as they are printed, curves as plain
/// numbers.
package struct VerificationReport: Sendable, Equatable {
  /// A figure of each ear.
  package struct Figure: Sendable, Equatable {
    package var name: String
    package var right: String
    package var left: String

    package init(name: String, right: String, left: String) {
      self.name = name
      self.right = right
      self.left = left
    }
  }

  /// A figure of each ear beside its limit.
  package struct Limit: Sendable, Equatable {
    /// Whose limit, such as "21 CFR 800.30 (e)(3)".
    package var source: String
    package var name: String
    package var right: String
    package var left: String
    /// Such as "≤ 15 ms".
    package var bound: String
    /// How well the limit is known.
    package var knowledge: String
    /// Such as "met".
    package var verdict: String
    /// Whether the row must not be overlooked.
    package var isBroken: Bool

    package init(
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
  package var title: String
  /// Devices, sizes, program; one line each.
  package var conditions: [String]
  /// One sentence: whether all limits are met.
  package var verdict: String
  package var isMet: Bool
  package var figures: [Figure]
  package var limits: [Limit]
  /// An ear that was not measured has no curves.
  package var ears: Binaural<VerificationCurves?>

  package init(
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
