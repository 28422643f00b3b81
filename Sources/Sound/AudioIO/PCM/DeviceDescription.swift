import Base
import CALSA

/// One sound device.
public struct DeviceDescription: Sendable, Equatable {
  /// The name to open it by.
  public var name: String
  /// Names that card and device give themselves.
  public var title: String
  /// Short name of the card; nil for a device that alsa-lib's configuration makes up.
  public var card: String?
  /// The ways sound can move through it.
  public var directions: [StreamDirection] = []
  /// False on a card that the kernel makes up, whose sound nobody hears: its loopback and its dummy.
  public var hasConverters = true
  /// Capabilities for capture; nil when it has none, is in use or was not asked.
  public var capture: DeviceOffer?
  /// Capabilities for playback; nil in the same cases.
  public var playback: DeviceOffer?
  /// Processes that have it open now.
  public var holders: [DeviceHolder] = []
  /// The kernel's file for want of which this user may not use its card; nil: that may be used.
  public var refusedFile: String?
  /// Why its latency is more than it says; nil for hardware.
  public var hiddenDelay: HiddenDelay?
  /// Kind of way that sound takes; nil: not known.
  public var latencyClass: LatencyClass?
  /// Model of its card; nil: it lies on none, or that is not told.
  public var model: CardModel?

  /// A device of which only name and title are known.
  public init(name: String, title: String) {
    (self.name, self.title) = (name, title)
    hiddenDelay = HiddenDelay(deviceName: name)
    latencyClass = LatencyClass(pluginOf: name)
  }

  /// The same with the model of its card, and the class that its card tells, where its name tells none.
  func classed(by access: CardAccess) -> DeviceDescription {
    guard let address = DeviceNode.address(DevicePlace.name(of: name, on: access.cards)),
      let number = access.card(address.card)?.number
    else { return self }
    var description = self
    description.model = CardModel(ofCard: number)
    description.latencyClass = latencyClass ?? CardHardware(ofCard: number).latencyClass(title: title)
    return description
  }
}

extension DeviceDescription {
  /// Reason for which this user may not use its card, with what to do, without a full stop; nil: it may be used.
  public var refusal: String? { refusalParts.map { "\($0.found): \($0.remedy)" } }

  /// The same in two clauses: what was found, and what to do.
  public var refusalParts: (found: String, remedy: String)? {
    refusedFile.map { ("may not be opened (\($0))", CardAccess.remedy(for: $0)) }
  }
}

extension [DeviceDescription] {
  /// The device that is used where none is named: the first on a card that captures and plays; nil: there is none.
  ///
  /// In the order of ``DeviceList``, which has those last that this user may not use. A card without converters is used by its name
  /// alone: taken for the first one, a loopback for streamed sound would have the aid sound into it, and wait for no other.
  public var usual: DeviceDescription? {
    first { $0.card != nil && $0.hasConverters && Set($0.directions).count == 2 }
  }
}

/// Capabilities of a device, asked before anything is set.
public struct DeviceOffer: Sendable, Equatable {
  /// Rates it accepts of those in ``commonRates``, Hz.
  public var rates: [Int]
  /// Formats it accepts, of those this program speaks.
  public var formats: [SampleFormat]
  /// Fewest and most channels.
  public var channels: ClosedRange<Int>
  /// Shortest and longest period, frames.
  public var period: ClosedRange<Int>
  /// Smallest and largest buffer, frames.
  public var buffer: ClosedRange<Int>

  /// The rates of speech, compact disc, film and studio equipment, Hz.
  public static let commonRates = [
    8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000, 176_400, 192_000,
  ]

  /// Creates a set of capabilities.
  public init(
    rates: [Int], formats: [SampleFormat], channels: ClosedRange<Int>, period: ClosedRange<Int>,
    buffer: ClosedRange<Int>
  ) {
    (self.rates, self.formats, self.channels) = (rates, formats, channels)
    (self.period, self.buffer) = (period, buffer)
  }
}

/// A process that has a device open.
public struct DeviceHolder: Sendable, Equatable {
  /// Number of the process.
  public var processID: Int32
  /// Name of the program, as the kernel keeps it (15 bytes).
  public var command: String
}

/// A sound card's short and long name.
struct CardIdentity {
  /// Short name, stable over reboots where udev sets it; the `CARD=` of a device name.
  let id: String
  /// Name for people.
  let name: String

  /// Asks the control device of a card by its number; nil when it does not answer.
  init?(ofCard number: Int) {
    calsa_silence_errors()
    var opened: OpaquePointer?
    guard unsafe snd_ctl_open(&opened, "hw:\(number)", 0) >= 0, let control = unsafe opened else {
      return nil
    }
    defer { unsafe snd_ctl_close(control) }
    unsafe self.init(control)
  }

  /// Asks a card's control device; nil when it does not answer.
  init?(_ control: OpaquePointer) {
    var memory: OpaquePointer?
    guard unsafe snd_ctl_card_info_malloc(&memory) >= 0, let info = unsafe memory else { return nil }
    defer { unsafe snd_ctl_card_info_free(info) }
    guard unsafe snd_ctl_card_info(control, info) >= 0 else { return nil }
    id = unsafe snd_ctl_card_info_get_id(info).map { unsafe String(cString: $0) } ?? "?"
    name = unsafe snd_ctl_card_info_get_name(info).map { unsafe String(cString: $0) } ?? "?"
  }
}

/// Reason for which a device delays sound by more than its buffer tells.
public enum HiddenDelay: String, Sendable, Hashable, Codable, CaseIterable {
  /// A plugin converts rate or format, in periods of its own.
  case conversion
  /// A mixer or a sound server stands between.
  case mixing
  /// A radio link, see ``BluetoothLink``, and telephone quality when its microphone is used.
  case bluetooth

  /// Reads a device's name, whose part before the colon is the plugin.
  public init?(deviceName name: String) {
    if BluetoothLink(deviceName: name) != nil {
      self = .bluetooth
      return
    }
    switch name.prefix(while: { $0 != ":" }).lowercased() {
    case "default", "sysdefault", "pulse", "pipewire", "dmix", "dsnoop", "dshare", "upmix", "vdownmix":
      self = .mixing
    case "plug", "plughw", "front", "rear", "surround40", "surround51", "surround71", "speex", "speexrate",
      "samplerate", "lavrate", "iec958", "hdmi":
      self = .conversion
    default: return nil
    }
  }

  /// One sentence for the wearer.
  public var explanation: String {
    switch self {
    case .conversion: "adds hidden delay: a plugin converts the sound. Choose the hw: device"
    case .mixing: "adds hidden delay: other programs are mixed in. Choose the hw: device"
    case .bluetooth: "adds hidden delay: a radio link. Choose a wired device where you can"
    }
  }
}

extension [String] {
  /// The same names, those most like `name` first.
  func nearest(to name: String) -> [String] {
    map { ($0, Spelling.distance($0, name)) }.sorted { $0.1 < $1.1 }.map(\.0)
  }
}
