import Acoustics

/// A good audiogram file, as `auricle check --json` prints it: what the lines of text say of each ear.
struct CheckedAudiogram: Encodable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  private static let schema = 101

  private let schema = Self.schema
  private let file: String
  private let verdict = "good"
  private let ears: [String: Side]
  /// One sentence each.
  private let cautions: [String]

  init(_ file: String, _ audiograms: Binaural<Audiogram>, cautions: [String]) {
    self.file = file
    self.cautions = cautions
    ears = Dictionary(
      uniqueKeysWithValues: Ear.allCases.map { ear in
        (ear.rawValue, Side(AudiogramSummary(ear, audiograms[ear]), audiograms[ear]))
      })
  }

  /// One ear.
  struct Side: Encodable {
    /// Whether gain can be made from it.
    let isFittable: Bool
    /// Air conduction, by frequency; none where the ear was not tested.
    let thresholds: [Threshold]
    /// Of 500, 1000 and 2000 Hz; nil where these are not covered.
    let average: Double?

    init(_ summary: AudiogramSummary, _ audiogram: Audiogram) {
      isFittable = summary.isFittable
      thresholds = audiogram.airPoints.map {
        Threshold(frequency: $0.frequency, level: $0.threshold.decibels, isHeard: $0.hasResponse)
      }
      average = audiogram.pureToneAverage?.decibels
    }

    enum CodingKeys: String, CodingKey {
      case thresholds
      case isFittable = "fittable"
      case average = "average_db_hl"
    }
  }

  /// One threshold, with the keys of `auricle rx show --json`.
  struct Threshold: Encodable {
    let frequency: Double
    let level: Double
    let isHeard: Bool

    enum CodingKeys: String, CodingKey {
      case frequency = "frequency_hz"
      case level = "threshold_db_hl"
      case isHeard = "response"
    }
  }
}
