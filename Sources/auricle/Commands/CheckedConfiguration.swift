import HearingAid

/// A good configuration, as `auricle check --json` prints it: what the line of text says.
struct CheckedConfiguration: Encodable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  private static let schema = 100

  private let schema = Self.schema
  /// Empty: no file, all values are defaults.
  private let file: String
  private let verdict = "good"
  private let isFitted: Bool
  /// Greatest gain while an end is not calibrated, dB; nil: none is held back, or nothing is amplified.
  private let gainCap: Double?

  init(_ file: String?, _ hearing: HearingSettings) {
    self.file = file ?? ""
    isFitted = !hearing.fittedEars.isEmpty
    gainCap = isFitted ? hearing.gainCap : nil
  }

  enum CodingKeys: String, CodingKey {
    case schema, file, verdict
    case isFitted = "fitted"
    case gainCap = "gain_cap_db"
  }
}
