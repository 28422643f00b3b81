import HearingAid

/// A good configuration, as `auricle check --json` prints it: what the line of text says.
struct CheckedConfiguration: Encodable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  private static let schema = 101

  private let schema = Self.schema
  /// Empty: no file, all values are defaults.
  private let file: String
  private let verdict = "good"
  private let isFitted: Bool
  /// Greatest gain while an end is not calibrated, dB; nil: none is held back, or nothing is amplified.
  private let gainCap: Double?
  /// One sentence each.
  private let cautions: [String]

  init(_ file: String?, _ hearing: HearingSettings) {
    self.file = file ?? ""
    isFitted = !hearing.fittedEars.isEmpty
    gainCap = isFitted ? hearing.gainCap : nil
    cautions = hearing.needlessGains.map(\.sentence)
  }

  enum CodingKeys: String, CodingKey {
    case schema, file, verdict, cautions
    case isFitted = "fitted"
    case gainCap = "gain_cap_db"
  }
}
