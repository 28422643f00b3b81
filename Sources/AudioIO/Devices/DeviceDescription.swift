/// One sound device, for people and for `devices --json`.
public struct DeviceDescription: Sendable, Equatable, Codable {
  /// The name to open it by.
  public var name: String
  /// What card and device call themselves.
  public var title: String
  /// Short name of the card; nil for a device that alsa-lib's configuration makes up.
  public var card: String?
  /// The ways sound can move through it.
  public var directions: [StreamDirection] = []
  /// What it offers for capture; nil when it has none, is in use or was not asked.
  public var capture: DeviceOffer?
  /// What it offers for playback; nil likewise.
  public var playback: DeviceOffer?
  /// Who has it open now.
  public var holders: [DeviceHolder] = []
  /// Why its latency is more than it says; nil for hardware.
  public var hiddenDelay: HiddenDelay?

  public init(name: String, title: String) {
    self.name = name
    self.title = title
    hiddenDelay = HiddenDelay(deviceName: name)
  }
}
