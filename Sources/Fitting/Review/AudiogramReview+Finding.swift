public import Acoustics

extension AudiogramReview {
  /// Something to look at before a prescription is signed.
  public struct Finding: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
      /// The ears differ more than age or noise usually explain.
      case asymmetry
      /// The ears differ so much that an unmasked threshold may be the other ear's.
      case unmaskedDifference = "unmasked-difference"
      /// Thresholds change fast with frequency.
      case steepSlope = "steep-slope"
      /// Bone conduction is better than air conduction.
      case airBoneGap = "air-bone-gap"
      /// Bone conduction is worse than air conduction, which hearing does not do.
      case boneWorseThanAir = "bone-worse-than-air"
      /// Even the loudest tone went unheard.
      case noResponse = "no-response"
      /// A frequency that a fitting needs was not tested.
      case missingFrequency = "missing-frequency"
      /// No air-conduction threshold at all.
      case notTested = "not-tested"
      /// A loss that an aid may not reach.
      case beyondReach = "beyond-reach"
      /// Gain for an ear that hears normally.
      case needlessGain = "needless-gain"
      /// A threshold between the steps of an audiometer.
      case unusualStep = "unusual-step"
    }

    public enum Severity: String, Sendable, Comparable {
      /// Worth knowing.
      case note
      /// Worth a second look, or a physician's.
      case caution

      public static func < (a: Severity, b: Severity) -> Bool { a == .note && b == .caution }
    }

    public let kind: Kind
    public let severity: Severity
    /// Ears it concerns, left before right.
    public let ears: [Ear]
    /// Frequencies it concerns, Hz, increasing; none when it is the ear as a whole.
    public let frequencies: [Double]
    /// One sentence for a person.
    public let sentence: String
  }
}
