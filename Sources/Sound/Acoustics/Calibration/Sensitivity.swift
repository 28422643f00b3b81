import Base

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
  /// - Throws: ``AcousticsError`` for a level outside ``levels``, or not a number.
  public init(flat level: SoundPressureLevel) throws(AcousticsError) {
    try Self.check(level)
    form = .flat(level)
  }

  /// Levels at 0 dB FS by frequency, Hz, in rising order.
  ///
  /// - Throws: ``AcousticsError`` for a table without a row, for the first frequency that is not positive
  ///   and above the one before it, and for a level outside ``levels``.
  public init(table: [(frequency: Double, level: SoundPressureLevel)]) throws(AcousticsError) {
    guard !table.isEmpty else { throw AcousticsError("no entry", expected: "at least one") }
    for (index, row) in table.enumerated() {
      guard row.frequency.isFinite, row.frequency > (index == 0 ? 0 : table[index - 1].frequency) else {
        throw AcousticsError(
          "frequency number \(index + 1)", expected: "positive frequencies in rising order")
      }
      try Self.check(row.level)
    }
    form = .table(LogFrequencyTable(table.map(\.frequency), table.map(\.level.decibels)))
  }

  private static func check(_ level: SoundPressureLevel) throws(AcousticsError) {
    guard levels.contains(level) else {
      throw AcousticsError("\(level.decibels.shortText) dB SPL at 0 dB FS", expected: "40 to 180 dB SPL")
    }
  }

  /// A flat level known to be good.
  package init(checkedFlat level: SoundPressureLevel) { form = .flat(level) }

  /// A table known to be good: rising frequencies, Hz, and their levels, dB SPL.
  init(checkedTable frequencies: [Double], _ levels: [Double]) {
    form = .table(LogFrequencyTable(frequencies, levels))
  }

  /// Frequencies it answers at, Hz; nil when at all.
  public var range: ClosedRange<Double>? {
    switch form {
    case .flat: nil
    case .table(let table): table.range
    }
  }

  /// Frequencies of the table, Hz; nil: of none.
  public var frequencies: [Double]? {
    switch form {
    case .flat: nil
    case .table(let table): table.frequencies
    }
  }

  /// Sound pressure level at 0 dB FS and a frequency, Hz.
  ///
  /// - Throws: ``AcousticsError`` outside the table.
  public func level(at frequency: Double) throws(AcousticsError) -> SoundPressureLevel {
    switch form {
    case .flat(let level): level
    case .table(let table): SoundPressureLevel(try table.value(at: frequency))
    }
  }

  /// Sound pressure level at 0 dB FS and a frequency, Hz; that of the nearest end outside the table.
  package func heldLevel(at frequency: Double) -> SoundPressureLevel {
    switch form {
    case .flat(let level): level
    case .table(let table): SoundPressureLevel(table.held(at: frequency))
    }
  }

  /// The one number used for sound of unknown frequency content: the level at 1 kHz, or at the nearest
  /// frequency of the table.
  public var nominalLevel: SoundPressureLevel { heldLevel(at: 1000) }

  /// The highest level of the table at all frequencies.
  package var loudest: Sensitivity {
    switch form {
    case .flat: self
    case .table(let table):
      Sensitivity(checkedFlat: SoundPressureLevel(table.values.max() ?? table.held(at: 1000)))
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
    switch form {
    case .flat(let level): try level.encode(to: encoder)
    case .table(let table):
      try zip(table.frequencies, table.values).map { Row(frequency: $0, level: SoundPressureLevel($1)) }
        .encode(to: encoder)
    }
  }
}
