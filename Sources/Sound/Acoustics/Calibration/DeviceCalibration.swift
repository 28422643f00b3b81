public import Base

/// Identity, date and status of a device's calibration.
public struct DeviceCalibration: Sendable, Hashable, Codable {
  /// The device's name, as its user knows it.
  public var device: String
  /// Day of the measurement; nil when nothing was measured.
  public var date: CalendarDate?
  /// Reliability of the number.
  public var status: CalibrationStatus
  /// Source of levels that were not measured, such as "data sheet"; nil when it is not stated.
  public var source: String?

  /// Creates a record of a calibration.
  public init(device: String, date: CalendarDate?, status: CalibrationStatus, source: String? = nil) {
    (self.device, self.date, self.status, self.source) = (device, date, status, source)
  }

  /// A device nothing is known of.
  public static let unknown = DeviceCalibration(device: "unknown", date: nil, status: .none)
}

/// A number together with the status of the calibration it was made with.
public struct Calibrated<Value: Sendable & Equatable>: Sendable, Equatable {
  /// The number itself.
  public var value: Value
  /// Reliability of the number.
  public var status: CalibrationStatus

  /// A number with its reliability.
  public init(_ value: Value, status: CalibrationStatus) { (self.value, self.status) = (value, status) }

  /// Another number made from this one alone; the status stays.
  public func map<Result: Sendable & Equatable>(_ transform: (Value) -> Result) -> Calibrated<Result> {
    Calibrated<Result>(transform(value), status: status)
  }

  /// A number made from this one and another; the worse status wins.
  public func combined<Other, Result: Sendable & Equatable>(
    with other: Calibrated<Other>, _ transform: (Value, Other) -> Result
  ) -> Calibrated<Result> {
    Calibrated<Result>(transform(value, other.value), status: min(status, other.status))
  }
}

extension Calibrated: CustomStringConvertible where Value: CustomStringConvertible {
  /// "65.0 dB SPL", or with its status when that is not verified: "65.0 dB SPL (provisional)".
  public var description: String {
    switch status {
    case .verified: value.description
    case .provisional: "\(value.description) (provisional)"
    case .none: "\(value.description) (not calibrated)"
    }
  }
}

/// Reliability of a number in dB SPL or dB HL.
///
/// Ordered: a number made from several has the status of the worst.
public enum CalibrationStatus: String, Sendable, Codable, CaseIterable, Comparable {
  /// Nothing was measured: the number shows differences, not levels.
  case none
  /// From a data sheet, another unit of the same model, or a table whose coupler or source is in doubt.
  case provisional
  /// Measured on this device with a calibrator or coupler.
  case verified

  public static func < (a: CalibrationStatus, b: CalibrationStatus) -> Bool {
    a != b && (a == .none || b == .verified)
  }
}

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

  /// Frequencies it answers at, Hz; nil when at all.
  public var range: ClosedRange<Double>? {
    switch form {
    case .flat: nil
    case .table(let table): table.range
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
