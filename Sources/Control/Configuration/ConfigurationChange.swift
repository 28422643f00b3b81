/// What differs between two configurations, by what it takes to bring each difference into effect.
public struct ConfigurationChange: Sendable, Equatable {
  /// Keys whose new value is applied to running sound.
  public let live: [String]
  /// Keys whose new value takes effect when the devices are opened again.
  public let reopensDevices: [String]
  /// Keys whose new value takes effect when the daemon is started again.
  public let restartsDaemon: [String]

  public init(from old: Configuration, to new: Configuration) {
    let changed = Configuration.schema.filter { $0.value(in: old) != $0.value(in: new) }
    live = changed.filter { $0.change == .live }.map(\.key)
    reopensDevices = changed.filter { $0.change == .reopensDevices }.map(\.key)
    restartsDaemon = changed.filter { $0.change == .restartsDaemon }.map(\.key)
  }

  public var isEmpty: Bool { live.isEmpty && reopensDevices.isEmpty && restartsDaemon.isEmpty }
}
