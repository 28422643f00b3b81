import Acoustics

/// A threshold that may be the other ear's: what reaches that ear is as loud as what it hears itself, or louder.
///
/// The inner ear is reached through the skull, so that its threshold by bone conduction counts. It is not known; it may be as much better as
/// the middle ear takes away. The one by air conduction is taken, and a loss of the middle ear in the other ear is not seen by this rule.
///
/// - Threads: any.
struct CrossHearing: Sendable, Hashable {
  let ear: Ear
  /// Hz.
  let frequency: Double
  /// Thresholds of this ear and of the other one, found without noise.
  let own, other: HearingLevel

  /// All that a test without noise leaves open, in the order of its plan; none where the plan states no attenuation.
  ///
  /// A tone that was not heard was not heard by the other ear either.
  static func all(in found: [FoundThreshold], of plan: HearingTestPlan) -> [CrossHearing] {
    guard let attenuation = plan.attenuation else { return [] }
    return plan.ears.flatMap { ear in
      plan.frequencies.compactMap { frequency in
        guard let own = threshold(of: ear, frequency, in: found),
          let other = threshold(of: ear.opposite, frequency, in: found), own - other >= attenuation
        else { return nil }
        return CrossHearing(ear: ear, frequency: frequency, own: own, other: other)
      }
    }
  }

  private static func threshold(
    of ear: Ear, _ frequency: Double, in found: [FoundThreshold]
  ) -> HearingLevel? {
    found.compactMap {
      guard $0.ear == ear, $0.frequency == frequency, $0.masking == .none else { return nil }
      return switch $0.outcome {
      case .threshold(let level), .atFloor(let level): level
      case .noResponse, .unsettled: nil
      }
    }.min()
  }
}
