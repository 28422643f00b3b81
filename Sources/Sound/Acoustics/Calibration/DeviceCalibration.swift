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
    self.device = device
    self.date = date
    self.status = status
    self.source = source
  }

  /// A device nothing is known of.
  public static let unknown = DeviceCalibration(device: "unknown", date: nil, status: .none)
}

/// A number together with the status of the calibration it was made with.
public struct Calibrated<Value> {
  /// The number itself.
  public var value: Value
  /// Reliability of the number.
  public var status: CalibrationStatus

  /// A number with its reliability.
  public init(_ value: Value, status: CalibrationStatus) {
    self.value = value
    self.status = status
  }

  /// Another number made from this one alone; the status stays.
  public func map<Result>(_ transform: (Value) -> Result) -> Calibrated<Result> {
    Calibrated<Result>(transform(value), status: status)
  }

  /// A number made from this one and another; the worse status wins.
  public func combined<Other, Result>(
    with other: Calibrated<Other>, _ transform: (Value, Other) -> Result
  ) -> Calibrated<Result> {
    Calibrated<Result>(transform(value, other.value), status: min(status, other.status))
  }
}

extension Calibrated: Sendable where Value: Sendable {}
extension Calibrated: Equatable where Value: Equatable {}
extension Calibrated: Hashable where Value: Hashable {}
extension Calibrated: Encodable where Value: Encodable {}
extension Calibrated: Decodable where Value: Decodable {}

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

  private var rank: Int {
    switch self {
    case .none: 0
    case .provisional: 1
    case .verified: 2
    }
  }

  public static func < (a: CalibrationStatus, b: CalibrationStatus) -> Bool { a.rank < b.rank }
}

/// Why a calibration cannot be made or does not answer.
public enum CalibrationError: Error, Equatable {
  /// The table ends before this frequency, Hz; values are not extrapolated.
  case frequencyOutsideTable(frequency: Double, range: ClosedRange<Double>)
  /// No entry for this channel of a device with `count` calibrated channels.
  case noSuchChannel(Int, count: Int)
  /// A table or list of channels without an entry.
  case empty
  /// A frequency of a table is not positive and above the one before it; `index` is the first such.
  case unorderedFrequency(index: Int)
  /// A level at 0 dB FS outside 40…180 dB SPL, or not a number.
  case levelOutOfRange(Double)
  /// A hearing level was asked of an earphone whose reference thresholds are not known.
  case noTransducer
}

extension CalibrationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .frequencyOutsideTable(let frequency, let range):
      "\(frequency.shortText) Hz lies outside the table, \(range.lowerBound.shortText) to \(range.upperBound.shortText) Hz"
    case .noSuchChannel(let channel, let count): "channel \(channel): \(count) are calibrated"
    case .empty: "no entry: expected at least one"
    case .unorderedFrequency(let index):
      "frequency number \(index + 1): expected positive frequencies in rising order"
    case .levelOutOfRange(let level): "\(level.shortText) dB SPL at 0 dB FS: expected 40 to 180 dB SPL"
    case .noTransducer: "the earphone's reference thresholds are not known: expected a transducer"
    }
  }
}
