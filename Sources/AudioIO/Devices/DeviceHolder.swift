/// A process that has a device open.
public struct DeviceHolder: Sendable, Equatable, Codable {
  public var processID: Int32
  /// Name of the program, as the kernel keeps it (15 bytes).
  public var command: String

  public init(processID: Int32, command: String) {
    self.processID = processID
    self.command = command
  }
}
