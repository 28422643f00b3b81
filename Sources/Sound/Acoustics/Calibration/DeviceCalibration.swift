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
  /// Model of the device; nil: not known, so that it holds for any.
  public var identity: DeviceIdentity?
  /// Reason for which ``status`` is lower than what is stated, a sentence without its full stop; nil: it is not. Found when a
  /// calibration is read, and kept in no file.
  public private(set) var caveat: String?

  private enum CodingKeys: CodingKey { case device, date, status, source, identity }

  /// Creates a record of a calibration.
  public init(
    device: String, date: CalendarDate?, status: CalibrationStatus, source: String? = nil,
    identity: DeviceIdentity? = nil
  ) {
    (self.device, self.date, self.status, self.source) = (device, date, status, source)
    self.identity = identity
  }

  /// The same with a status no better than another.
  ///
  /// - Parameter caveat: Reason, kept where it lowers the status.
  public func held(to status: CalibrationStatus, because caveat: String) -> DeviceCalibration {
    guard status < self.status else { return self }
    var held = self
    (held.status, held.caveat) = (status, caveat)
    return held
  }

  /// The same as provisional at best, with a reason that somebody can put right now: it is told before one that there is already, also where
  /// the status stays. Of a calibration that does not count nothing changes.
  public func provisional(because reason: String) -> DeviceCalibration {
    guard status != .none else { return self }
    var provisional = self
    (provisional.status, provisional.caveat) = (.provisional, reason + (caveat.map { "; \($0)" } ?? ""))
    return provisional
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
