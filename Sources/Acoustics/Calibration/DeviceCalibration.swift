/// Which device was calibrated, when, and how well.
public struct DeviceCalibration: Sendable, Hashable, Codable {
  /// The device's name, as its user knows it.
  public var device: String
  /// Day of the measurement; nil when nothing was measured.
  public var date: CalendarDate?
  public var status: CalibrationStatus
  /// Where levels that were not measured come from, such as "data sheet"; nil: it is not said.
  public var source: String?

  public init(device: String, date: CalendarDate?, status: CalibrationStatus, source: String? = nil) {
    self.device = device
    self.date = date
    self.status = status
    self.source = source
  }

  /// A device nothing is known of.
  public static let unknown = DeviceCalibration(device: "unknown", date: nil, status: .none)
}
