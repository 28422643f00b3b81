/// The sound devices of this machine, as `auricle devices --json` prints them.
public struct DevicesReport: Sendable, Codable, Equatable {
  public static let schema = 100

  public let schema: Int
  public let devices: [Device]

  public init(devices: [Device]) {
    schema = Self.schema
    self.devices = devices
  }

  /// One ALSA device.
  public struct Device: Sendable, Codable, Hashable {
    /// ALSA name to write into the configuration, `hw:CARD=PCH,DEV=0`.
    public let name: String
    /// What the card calls itself.
    public let description: String
    public let capture: Direction?
    public let playback: Direction?
    /// Whether it is taken when the configuration names none.
    public let isDefault: Bool

    public init(
      name: String, description: String, capture: Direction?, playback: Direction?, isDefault: Bool
    ) {
      self.name = name
      self.description = description
      self.capture = capture
      self.playback = playback
      self.isDefault = isDefault
    }

    enum CodingKeys: String, CodingKey {
      case name, description, capture, playback
      case isDefault = "default"
    }
  }

  /// What a device can do in one direction.
  public struct Direction: Sendable, Codable, Hashable {
    /// Greatest number of channels.
    public let channels: Int
    /// Rates out of 44100, 48000 and 96000 Hz that it has.
    public let rates: [Int]
    /// Sample formats in ALSA's words.
    public let formats: [String]
    /// Why it cannot be opened now, `in use by process 812`.
    public let problem: String?

    public init(channels: Int, rates: [Int], formats: [String], problem: String? = nil) {
      self.channels = channels
      self.rates = rates
      self.formats = formats
      self.problem = problem
    }

    enum CodingKeys: String, CodingKey {
      case channels, formats, problem
      case rates = "rates_hz"
    }
  }
}
