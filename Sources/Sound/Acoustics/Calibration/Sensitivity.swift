/// The sound pressure level that goes with a full-scale sine (0 dB FS), at one level for all frequencies or
/// by frequency.
///
/// For a microphone: the sound that makes 0 dB FS. For an earphone: the sound that 0 dB FS makes in its
/// coupler. Between the frequencies of a table: linear in dB over log2 of frequency; outside it: refused.
public struct Sensitivity: Sendable, Hashable {
  /// Levels accepted: finite and not absurd.
  public static let levels = SoundPressureLevel(40)...SoundPressureLevel(180)

  private enum Form: Hashable {
    case flat(SoundPressureLevel)
    case table(LogFrequencyTable)
  }

  private let form: Form

  /// One level at all frequencies.
  ///
  /// - Throws: ``CalibrationError/levelOutOfRange(_:)``.
  public init(flat level: SoundPressureLevel) throws(CalibrationError) {
    guard Self.levels.contains(level) else { throw .levelOutOfRange(level.decibels) }
    form = .flat(level)
  }

  /// Levels at 0 dB FS by frequency, Hz, in rising order.
  ///
  /// - Throws: ``CalibrationError`` `empty`, `unorderedFrequency` or `levelOutOfRange`.
  public init(
    table: [(frequency: Double, level: SoundPressureLevel)]
  ) throws(CalibrationError) {
    guard !table.isEmpty else { throw .empty }
    for (index, row) in table.enumerated() {
      guard row.frequency.isFinite, row.frequency > (index == 0 ? 0 : table[index - 1].frequency) else {
        throw .unorderedFrequency(index: index)
      }
      guard Self.levels.contains(row.level) else { throw .levelOutOfRange(row.level.decibels) }
    }
    form = .table(LogFrequencyTable(table.map(\.frequency), table.map(\.level.decibels)))
  }

  /// A flat level known to be good.
  init(checkedFlat level: SoundPressureLevel) { form = .flat(level) }

  /// Frequencies it answers at, Hz; nil when at all.
  public var range: ClosedRange<Double>? {
    switch form {
    case .flat: nil
    case .table(let table): table.range
    }
  }

  /// Sound pressure level at 0 dB FS and a frequency, Hz.
  ///
  /// - Throws: ``CalibrationError/frequencyOutsideTable(frequency:range:)``.
  public func level(at frequency: Double) throws(CalibrationError) -> SoundPressureLevel {
    switch form {
    case .flat(let level): return level
    case .table(let table):
      guard let level = table.value(at: frequency) else {
        throw .frequencyOutsideTable(frequency: frequency, range: table.range)
      }
      return SoundPressureLevel(level)
    }
  }

  /// The one number used for sound of unknown frequency content: the level at 1 kHz, or at the nearest
  /// frequency of the table.
  public var nominalLevel: SoundPressureLevel {
    switch form {
    case .flat(let level): level
    case .table(let table): SoundPressureLevel(table.held(at: 1000))
    }
  }
}

extension Sensitivity: Codable {
  private struct Row: Codable {
    var frequency: Double
    var level: SoundPressureLevel
  }

  /// A number, dB SPL at 0 dB FS, or an array of objects with `frequency` and `level`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let level = try? container.decode(SoundPressureLevel.self) {
      try self.init(flat: level)
    } else {
      try self.init(table: try container.decode([Row].self).map { ($0.frequency, $0.level) })
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch form {
    case .flat(let level): try container.encode(level)
    case .table(let table):
      try container.encode(
        zip(table.frequencies, table.values).map { Row(frequency: $0, level: SoundPressureLevel($1)) })
    }
  }
}
