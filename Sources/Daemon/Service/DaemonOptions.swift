/// What the command line asks of a daemon.
public struct DaemonOptions: Sendable, Equatable {
  /// Configuration file; nil: the standard places.
  public var configurationFile: String?
  /// Path of the control socket; nil: `AURICLE_SOCKET`'s, the configuration's, else the
  /// standard place.
  public var socket: String?
  /// Whether the process ends when sound is stopped: the daemon of somebody who asked for sound, not for a
  /// service.
  public var endsWhenStopped: Bool
  /// True when a second process starts the daemon again when a signal ends it, where no service manager does.
  public var isGuarded: Bool
  /// Word of that second process to the daemon that it starts; nil: there is none.
  public var ward: String?

  public init(
    configurationFile: String? = nil, socket: String? = nil, endsWhenStopped: Bool = false,
    isGuarded: Bool = false, ward: String? = nil
  ) {
    self.configurationFile = configurationFile
    self.socket = socket
    self.endsWhenStopped = endsWhenStopped
    self.isGuarded = isGuarded
    self.ward = ward
  }
}
