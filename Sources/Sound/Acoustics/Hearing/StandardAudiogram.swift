/// The ten audiograms that stand for the hearing losses met in the clinic.
///
/// Bisgaard, Vlaming & Dahlquist (2010), Trends in Amplification 14:113–120; IEC 60118-15 measures aids
/// with them. N: flat or moderately sloping; S: steep. The table ends at 250 and 6000 Hz.
public enum StandardAudiogram: String, Sendable, CaseIterable, Codable {
  case n1 = "N1"
  case n2 = "N2"
  case n3 = "N3"
  case n4 = "N4"
  case n5 = "N5"
  case n6 = "N6"
  case n7 = "N7"
  case s1 = "S1"
  case s2 = "S2"
  case s3 = "S3"

  /// Frequencies of ``thresholds``, Hz.
  public static let frequencies: [Double] = [250, 375, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000]

  /// The loss in the paper's words.
  public var category: String {
    switch self {
    case .n1: "very mild"
    case .n2: "mild"
    case .n3: "moderate"
    case .n4: "moderate/severe"
    case .n5, .n6: "severe"
    case .n7: "profound"
    case .s1: "very mild, steep"
    case .s2: "mild, steep"
    case .s3: "moderate/severe, steep"
    }
  }

  /// Thresholds at ``frequencies``, dB HL.
  public var thresholds: [Double] {
    switch self {
    case .n1: [10, 10, 10, 10, 10, 10, 15, 20, 30, 40]
    case .n2: [20, 20, 20, 22.5, 25, 30, 35, 40, 45, 50]
    case .n3: [35, 35, 35, 35, 40, 45, 50, 55, 60, 65]
    case .n4: [55, 55, 55, 55, 55, 60, 65, 70, 75, 80]
    case .n5: [65, 67.5, 70, 72.5, 75, 80, 80, 80, 80, 80]
    case .n6: [75, 77.5, 80, 82.5, 85, 90, 90, 95, 100, 100]
    case .n7: [90, 92.5, 95, 100, 105, 105, 105, 105, 105, 105]
    case .s1: [10, 10, 10, 10, 10, 10, 15, 30, 55, 70]
    case .s2: [20, 20, 20, 22.5, 25, 35, 55, 75, 95, 95]
    case .s3: [30, 30, 35, 47.5, 60, 70, 75, 80, 80, 85]
    }
  }

  /// The ear that has it: unmasked air conduction.
  public var audiogram: Audiogram {
    Audiogram(
      checked: zip(Self.frequencies, thresholds).map {
        Audiogram.Point(frequency: $0, threshold: HearingLevel($1))
      })
  }
}
