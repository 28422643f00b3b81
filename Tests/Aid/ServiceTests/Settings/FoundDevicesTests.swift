import Acoustics
import AudioIO
import Base
import CommonTesting
import Control
import Engine
import Testing

@testable import Bus
@testable import Service

@Suite("Models of the devices in use") struct FoundDevicesTests {
  private static let headset = DeviceIdentity(
    [DeviceProduct(.usb, vendor: 0x046D, product: 0x0A4D)], name: "Headset")
  private static let board = DeviceIdentity([], name: "HDA Intel PCH")
  private let folder = TemporaryFolder()

  @Test("a USB card is known by its number, another card by the name it gives itself")
  func cards() {
    #expect(
      DeviceIdentity(CardModel(name: "Headset", bus: "usb", modalias: "usb:v046Dp0A4Dd0111dc00"))
        == Self.headset)
    #expect(
      DeviceIdentity(CardModel(name: "HDA Intel PCH", bus: "pci", modalias: "pci:v00008086d00009D71"))
        == Self.board)
    #expect(
      DeviceIdentity(CardModel(name: nil, bus: "usb", modalias: "usb:v046Dp0A4D"))
        == DeviceIdentity(Self.headset.products))
  }

  @Test(
    "less than tells a card from others is nothing: no number of a USB card, no name or an odd one of another"
  )
  func unknown() {
    for card in [
      CardModel(name: "USB Audio", bus: "usb", modalias: nil),
      CardModel(name: "USB Audio", bus: "usb", modalias: "\u{FFFD}"),
      CardModel(name: nil, bus: "pci", modalias: "pci:v00008086d00009D71"),
      CardModel(name: "", bus: "platform", modalias: nil),
      CardModel(name: "a\u{1B}[2J", bus: "platform", modalias: nil),
    ] { #expect(DeviceIdentity(card) == nil) }
  }

  @Test(
    "a Bluetooth device is known by its product; its name and address, which are its wearer's, are left out"
  )
  func bluetooth() {
    let buds = BluetoothEarphones(
      address: "00:11:22:AA:BB:55", name: "Eva's AirPods", modalias: "bluetooth:v004Cp2014d0B60")
    func found(_ name: String, _ modalias: String? = "bluetooth:v004Cp2014d0B60") -> DeviceIdentity? {
      DeviceIdentity(ofDevice: name) {
        [BluetoothEarphones(address: buds.address, name: buds.name, modalias: modalias)]
      }
    }
    let expected = DeviceIdentity([DeviceProduct(.bluetooth, vendor: 0x4C, product: 0x2014)])
    #expect(found("bluealsa:DEV=00:11:22:aa:bb:55,PROFILE=a2dp") == expected)
    #expect(found("pipewire:NODE=bluez_output.00_11_22_AA_BB_55.1") == expected)
    #expect(found("bluealsa:DEV=00:11:22:AA:BB:56") == nil)
    #expect(found("bluealsa") == nil)
    #expect(found("bluealsa:DEV=00:11:22:AA:BB:55", nil) == nil)
    #expect(found("bluealsa:DEV=00:11:22:AA:BB:55", "nonsense") == nil)
  }

  @Test("of devices behind a plugin or a sound server nothing is known, and Bluetooth is not asked")
  func plugins() {
    for name in ["null", "jack", "default", "pipewire", "plug:'jack'", ""] {
      #expect(
        DeviceIdentity(ofDevice: name) {
          Issue.record("asked for \(name)")
          return []
        } == nil)
    }
  }

  // MARK: - Against the calibration

  private func hearing(_ text: String) throws -> (HearingSettings, LoadedConfiguration) {
    let read = try loaded(text, folder: folder.path)
    return (try AidSettings(read).hearing, read)
  }

  private static let both = """
    [device]
    capture = "hw:CARD=A"
    playback = "hw:CARD=A"
    [calibration.microphone]
    full-scale-level = 130
    source = "data sheet"
    status = "provisional"
    product = "usb:v1234p0001"
    [calibration.earphone]
    full-scale-level = 125
    source = "data sheet"
    status = "provisional"
    product = "usb:v046Dp0A4D"
    """

  @Test("where the model is the calibrated one, or is not known, the calibration counts as it did")
  func counts() throws {
    let (hearing, loaded) = try hearing(Self.both)
    for found in [FoundDevices(), FoundDevices(earphone: Self.headset)] {
      let counted = hearing.calibrated(for: loaded, found: found)
      #expect(counted.earphones == hearing.earphones && counted.microphones == hearing.microphones)
      #expect(counted.gainCap == nil)
      #expect(hearing.foreignCalibrations(for: loaded, found: found) == [])
    }
  }

  @Test(
    "another model is not calibrated: gain is held, earphones count as at least as loud, and the reason says both"
  )
  func other() throws {
    let (hearing, loaded) = try hearing(Self.both)
    let counted = hearing.calibrated(
      for: loaded, found: FoundDevices(microphone: Self.board, earphone: Self.board))
    #expect(counted.earphones.device.status == .none && counted.microphones.device.status == .none)
    // 20 dB: what is held while nothing is calibrated (auricle.toml(5)).
    #expect(counted.gainCap == 20)
    // The calibration's 125 dB SPL, above the 120 that are assumed for a loud earphone.
    #expect(counted.earphones.sensitivity.left.nominalLevel == SoundPressureLevel(125))
    #expect(try counted.microphones.sensitivity(channel: 0).nominalLevel == SoundPressureLevel(120))
    #expect(
      counted.earphones.device.caveat
        == "sound goes to HDA Intel PCH, and it was made with usb:v046Dp0A4D; connect that one, or calibrate this one: "
        + "auricle calibrate earphone")
    #expect(
      counted.microphones.device.caveat
        == "sound comes from HDA Intel PCH, and it was made with usb:v1234p0001; connect that one, or calibrate this one: "
        + "auricle calibrate microphone")
    #expect(counted.earphones.transducer == nil && counted.earphones.measurement == nil)
    let one = hearing.calibrated(for: loaded, found: FoundDevices(earphone: Self.board))
    #expect(one.microphones == hearing.microphones && one.gainCap == 20)
    #expect(
      hearing.foreignCalibrations(for: loaded, found: FoundDevices(earphone: Self.board)) == [.earphone])
  }

  @Test(
    "a profile is held to its product; one that the configuration states beside it has to be one of them")
  func profile() throws {
    let (hearing, loaded) = try hearing("calibration.earphone.profile = \"airpods-pro-2\"")
    func status(_ product: UInt16) -> CalibrationStatus {
      let found = DeviceIdentity([DeviceProduct(.bluetooth, vendor: 0x4C, product: product)])
      return hearing.calibrated(for: loaded, found: FoundDevices(earphone: found)).earphones.device.status
    }
    #expect(status(0x2014) == .provisional && status(0x2024) == .provisional && status(0x200E) == .none)
    #expect(
      hearing.calibrated(for: loaded, found: FoundDevices(earphone: Self.board)).earphones.device.caveat?
        .contains(
          "it was made with Apple AirPods Pro (2nd generation) (bluetooth:v004Cp2014 or bluetooth:v004Cp2024)"
        )
        == true)
    let narrowed = try self.hearing(
      "calibration.earphone.profile = \"airpods-pro-2\"\ncalibration.earphone.product = \"bluetooth:v004Cp2014\""
    ).0
    #expect(narrowed.earphones.device.identity?.products.count == 1)
    let failure = #expect(throws: ConfigurationFailures.self) {
      try self.hearing(
        "calibration.earphone.profile = \"airpods-pro-2\"\ncalibration.earphone.product = \"usb:v046Dp0A4D\""
      )
    }
    #expect(
      failure?.failures.first?.message.contains("found usb:v046Dp0A4D, expected Apple AirPods Pro") == true)
  }

  @Test("a calibration file's model counts, and one that the configuration states must not contradict it")
  func file() throws {
    folder.write(
      """
      {"device": {"device": "HDA 200", "status": "provisional", "source": "another pair",
        "identity": {"products": ["usb:v046Dp0A4D"], "name": "Headset"}},
       "sensitivity": {"left": 111, "right": 111}}
      """, to: "e.json")
    let file = "calibration.earphone.file = \"e.json\"\n"
    #expect(try hearing(file).0.earphones.device.identity == Self.headset)
    let same = "\(file)calibration.earphone.product = \"usb:v046Dp0A4D\""
    #expect(try hearing(same).0.earphones.device.identity == Self.headset)
    #expect(throws: ConfigurationFailures.self) {
      try hearing("\(file)calibration.earphone.product = \"usb:v046Dp0A4E\"")
    }
  }

  @Test(
    "a product of another form is refused with the line, and what one looks like",
    arguments: ["046d:0a4d", "usb:", "Headset", "usb:v046Dp0A4"])
  func form(_ text: String) {
    let failure = #expect(throws: ConfigurationFailures.self) {
      try loaded("[calibration.earphone]\nproduct = \"\(text)\"")
    }
    #expect(failure?.failures.first?.message.contains("usb:v046Dp0A4D") == true)
  }
}
