import Base

/// Kind of way that sound takes to and from a device, by which its delay is judged.
public enum LatencyClass: String, Sendable, Hashable, Codable, CaseIterable {
  /// Converters on the machine's own buses: some tenths of a millisecond beyond the buffer.
  case wired
  /// Converters behind USB, which moves sound once a millisecond, or eight times.
  case usb
  /// A display's or receiver's converters, behind processing that nobody tells of.
  case hdmi
  /// A radio link.
  case bluetooth
  /// A sound server, which adds buffers of its own.
  case server
  /// No converters: what is played there can be captured there.
  case loopback

  /// Name for people.
  public var words: String {
    switch self {
    case .wired: "wired"
    case .usb: "USB"
    case .hdmi: "HDMI"
    case .bluetooth: "Bluetooth"
    case .server: "sound server"
    case .loopback: "loopback"
    }
  }

  /// Class of a device by the plugin that its name begins with; nil: it says nothing, as that of a card.
  init?(pluginOf name: String) {
    if BluetoothLink(deviceName: name) != nil {
      self = .bluetooth
      return
    }
    switch name.prefix(while: { $0 != ":" }).lowercased() {
    case "pulse", "pipewire", "jack", "default": self = .server
    case "hdmi": self = .hdmi
    default: return nil
    }
  }
}

/// Bus and driver of a card, as the kernel's object of it tells (`/sys/class/sound/card0/device`).
struct CardHardware: Equatable {
  /// Name of the bus, `usb`, `pci` or `platform`; nil: of a card without one.
  var bus: String?
  /// Name of the driver, `snd_hda_intel`; nil: not known.
  var driver: String?

  /// - Parameter folder: Of the kernel's objects of sound; another in tests.
  /// - Threads: control.
  init(ofCard number: Int, in folder: String = "/sys/class/sound") {
    let device = "\(folder)/card\(number)/device"
    bus = Folder.target(ofLink: device + "/subsystem").map(FilePath.name)
    driver = Folder.target(ofLink: device + "/driver").map(FilePath.name)
  }

  init(bus: String?, driver: String?) { (self.bus, self.driver) = (bus, driver) }

  /// False of a card that the kernel makes up: what is played there is heard by nobody.
  var hasConverters: Bool { driver != "snd_aloop" && driver != "snd_dummy" }

  /// Class of a device of the card; nil where bus and driver are not known.
  ///
  /// - Parameter title: Names that card and device give themselves: a graphics card has analogue devices beside those of displays.
  func latencyClass(title: String) -> LatencyClass? {
    let words = title.uppercased()
    if driver == "snd_aloop" { return .loopback }
    if words.contains("HDMI") || words.contains("DISPLAYPORT") { return .hdmi }
    switch bus {
    case "usb": return .usb
    case nil: return nil
    default: return .wired
    }
  }
}

/// A Bluetooth link that a device's name tells of.
///
/// BlueALSA's names carry profile and codec (`bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp,CODEC=aac`, bluealsa-plugins(7)), those of
/// PipeWire and PulseAudio begin with `bluez_`. A sound server's own name, such as `default`, does not tell what lies behind it.
public struct BluetoothLink: Sendable, Equatable {
  /// Name of the codec in small letters, `aac`; nil: the link's own choice.
  public let codec: String?
  /// True of a telephone's link, whose sound is narrow and of no fixed level: BlueALSA's profile `sco`, PipeWire's and PulseAudio's
  /// `headset-head-unit` and `handsfree`.
  public let isHandsFree: Bool
  /// Address of the device, `00:11:22:33:44:55`, which is personal and belongs in no log; nil: the name does not tell it.
  public let address: String?

  /// Nil for a name that tells of no Bluetooth.
  public init?(deviceName name: String) {
    let text = name.lowercased()
    guard text.contains("bluealsa") || text.contains("bluez") || text.hasPrefix("bluetooth") else {
      return nil
    }
    let fields = text.split { $0 == "," || $0 == ":" || $0 == "'" || $0 == "\"" }
    isHandsFree =
      fields.contains("profile=sco")
      || ["headset-head-unit", "headset_head_unit", "handsfree"].contains { text.contains($0) }
    codec = fields.first { $0.hasPrefix("codec=") }.map { String($0.dropFirst("codec=".count)) }
    address = Self.address(in: text)
  }

  /// The first six pairs of hexadecimal digits between colons, as BlueALSA writes them, or low lines, as sound servers do.
  private static func address(in text: String) -> String? {
    let pairs = text.split(omittingEmptySubsequences: false) { !$0.isASCII || !$0.isHexDigit }.map(
      String.init)
    let separators = text.filter { !$0.isASCII || !$0.isHexDigit }.map(\.self)
    for first in pairs.indices.dropLast(5) {
      let (six, between) = (pairs[first..<first + 6], separators[first..<first + 5])
      guard six.allSatisfy({ $0.count == 2 }), between.allSatisfy({ $0 == ":" || $0 == "_" }) else {
        continue
      }
      return six.joined(separator: ":").uppercased()
    }
    return nil
  }

  /// Delay to expect of coding, radio, and the buffer in the earphones, s: least and most.
  ///
  /// For earphones that nobody has measured (`auricle doctor --loop`); no standard bounds them. SBC and the general case: 100 to 150 ms by a maker of radio
  /// chips (Silicon Labs, cited in hmijailblog.blogspot.com, 2019-12-03), more than 200 ms observed (github.com/bluez/bluez, issue
  /// 703). AAC, aptX and aptX HD: ranges of a buyer's guide (logicbuy.guide, Bluetooth Headphone Audio Codec Deep Dive), which agree
  /// with these within their width.
  public var expectedDelay: ClosedRange<Double> {
    switch codec {
    case "aac": 0.120...0.200
    case "aptx": 0.070...0.120
    case "aptx-hd", "aptxhd", "aptx_hd": 0.100...0.150
    default: 0.100...0.250
    }
  }

  /// `100 to 250 ms`.
  public var delayWords: String {
    let range = expectedDelay
    return "\(Int((range.lowerBound * 1000).rounded())) to \(Int((range.upperBound * 1000).rounded())) ms"
  }

  /// Caution about an output of this kind, a sentence without its full stop.
  ///
  /// - Parameter delay: Measured from microphone to earphone with this output, s; nil, the default: nobody has measured it.
  public func caution(measured delay: Double? = nil) -> String {
    let link = codec.map { " (\($0.uppercased()))" } ?? ""
    let amount =
      delay.map { "With Bluetooth\(link) the sound takes \(NumberText.milliseconds($0)), as measured" }
      ?? "Bluetooth adds about \(delayWords)\(link), of which the devices' own figures may leave out most"
    return amount + ": whatever is also heard past the earphones is heard twice, and lips move first"
  }

  /// Why a microphone of this kind is not used, without a full stop.
  public static let captureRefusal =
    "a Bluetooth microphone, which gives telephone quality 100 ms late or more and turns the earphones' own sound to that, too"
}
