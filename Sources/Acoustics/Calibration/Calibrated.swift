/// A number together with the status of the calibration it was made with.
public struct Calibrated<Value> {
  public var value: Value
  public var status: CalibrationStatus

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
