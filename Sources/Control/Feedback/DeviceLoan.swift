/// The daemon's devices in the hands of a feedback test: the answer to borrowing and to renewing.
public struct DeviceLoan: Sendable, Codable, Hashable {
  /// Whether the daemon has let go of the devices; else it is still fading out.
  public let areDevicesFree: Bool
  /// Time within which the loan must be renewed, s.
  public let term: Double

  public init(areDevicesFree: Bool, term: Double) {
    self.areDevicesFree = areDevicesFree
    self.term = term
  }

  enum CodingKeys: String, CodingKey {
    case areDevicesFree = "devices_free"
    case term = "term_seconds"
  }
}

extension ControlClient {
  /// Asks for the devices; they come back to the daemon when this connection ends, however it does.
  public func borrowDevices() throws(Failure) -> DeviceLoan {
    try ask(.feedback(.borrow), for: DeviceLoan.self)
  }

  /// Keeps them for another term.
  ///
  /// - Throws: ``Failure`` when the daemon has taken them back, or has gone.
  public func renewLoan() throws(Failure) -> DeviceLoan {
    try ask(.feedback(.renew), for: DeviceLoan.self)
  }

  /// Gives them back: what sounded before sounds again.
  @discardableResult public func giveDevicesBack() throws(Failure) -> StatusReport.State {
    try change(.feedback(.giveBack))
  }
}
