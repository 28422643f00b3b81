import CommonTesting
import Glibc
import Testing

@testable import AudioIO

@Suite("Latency classes") struct LatencyClassTests {
  @Test(
    "a plugin's name tells the class where the plugin itself does; that of a card does not",
    arguments: [
      ("pulse", LatencyClass.server), ("pipewire", .server), ("default", .server), ("jack", .server),
      ("hdmi:CARD=PCH,DEV=0", .hdmi), ("bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp", .bluetooth),
      ("plug:'bluealsa:DEV=00:11:22:33:44:55'", .bluetooth),
      ("pipewire:NODE=bluez_output.00_11_22_33_44_55.1", .bluetooth),
      ("hw:CARD=PCH,DEV=0", nil), ("plughw:0", nil), ("null", nil),
    ])
  func plugin(_ name: String, _ expected: LatencyClass?) {
    #expect(LatencyClass(pluginOf: name) == expected)
    #expect(DeviceDescription(name: name, title: "").latencyClass == expected)
  }

  @Test("bus and driver are read from the kernel's objects; a card without a bus tells none")
  func objects() throws {
    let folder = TemporaryFolder()
    for path in ["card0", "card0/device", "card1"] { #expect(mkdir(folder.file(path), 0o700) == 0) }
    #expect(symlink("../../../../../bus/usb", folder.file("card0/device/subsystem")) == 0)
    #expect(symlink("../../../bus/usb/drivers/snd-usb-audio", folder.file("card0/device/driver")) == 0)
    #expect(CardHardware(ofCard: 0, in: folder.path) == CardHardware(bus: "usb", driver: "snd-usb-audio"))
    #expect(CardHardware(ofCard: 1, in: folder.path) == CardHardware(bus: nil, driver: nil))
  }

  @Test(
    "the class of a card follows from its bus, its driver, and the names of the device",
    arguments: [
      ("usb", "snd-usb-audio", "Headset, USB Audio", LatencyClass.usb),
      ("pci", "snd_hda_intel", "HDA Intel PCH, ALC295 Analog", .wired),
      ("hdaudio", "snd_hda_codec", "HDA NVidia, HDMI 0", .hdmi),
      ("pci", "snd_hda_intel", "DisplayPort 1", .hdmi),
      ("platform", "snd_bcm2835", "bcm2835 Headphones", .wired),
      ("platform", "vc4_hdmi", "vc4-hdmi-0", .hdmi),
      ("platform", "snd_aloop", "Loopback PCM", .loopback), (nil, nil, "Aid", nil),
    ] as [(String?, String?, String, LatencyClass?)])
  func hardware(_ bus: String?, _ driver: String?, _ title: String, _ expected: LatencyClass?) {
    #expect(CardHardware(bus: bus, driver: driver).latencyClass(title: title) == expected)
  }

  @Test(
    "the kernel's loopback and dummy have no converters; any other driver's card, and one whose driver is not known, has",
    arguments: [
      ("snd_aloop", false), ("snd_dummy", false), ("snd-usb-audio", true), ("snd_hda_intel", true),
      (nil, true),
    ] as [(String?, Bool)])
  func converters(_ driver: String?, _ expected: Bool) {
    #expect(CardHardware(bus: "platform", driver: driver).hasConverters == expected)
  }

  @Test(
    "the codec is in BlueALSA's names, and the expected delay is that of the codec where it is known",
    arguments: [
      ("bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp,CODEC=aac", "aac", "120 to 200 ms"),
      ("bluealsa:DEV=00:11:22:33:44:55,CODEC=aptX,VOL=60", "aptx", "70 to 120 ms"),
      ("bluealsa:DEV=00:11:22:33:44:55", nil, "100 to 250 ms"),
      ("bluealsa:CODEC=LDAC", "ldac", "100 to 250 ms"),
    ] as [(String, String?, String)])
  func codec(_ name: String, _ codec: String?, _ words: String) throws {
    let link = try #require(BluetoothLink(deviceName: name))
    #expect(link.codec == codec)
    #expect(link.delayWords == words)
    #expect(link.caution().contains(words))
    #expect(link.caution(measured: 0.1683).contains("168.30 ms, as measured"))
    #expect(!link.caution(measured: 0.1683).contains(words))
  }

  @Test(
    "the address is in the names of BlueALSA and of sound servers, where they tell it",
    arguments: [
      ("bluealsa:DEV=00:11:22:aa:BB:55,PROFILE=a2dp", "00:11:22:AA:BB:55"),
      ("plug:'bluealsa:DEV=00:11:22:33:44:55'", "00:11:22:33:44:55"),
      ("pipewire:NODE=bluez_output.00_11_22_33_44_55.1", "00:11:22:33:44:55"),
      ("bluealsa:DEV=00:11:22:33:44", nil), ("bluealsa:DEV=0:11:22:33:44:55", nil),
      ("bluealsa:DEV=000:11:22:33:44:55", nil), ("bluealsa:DEV=00-11-22-33-44-55", nil),
      ("bluealsa:PROFILE=a2dp", nil), ("bluealsa", nil), ("bluealsa:DEV=０0:11:22:33:44:55", nil),
    ] as [(String, String?)])
  func address(_ name: String, _ address: String?) throws {
    #expect(try #require(BluetoothLink(deviceName: name)).address == address)
  }

  @Test(
    "names of other devices tell of no Bluetooth", arguments: ["hw:CARD=Blue,DEV=0", "default", "pipewire"])
  func none(_ name: String) { #expect(BluetoothLink(deviceName: name) == nil) }

  @Test("a Bluetooth microphone is not opened, whoever asks; the reason says what to take instead")
  func microphone() {
    let name = "bluealsa:DEV=00:11:22:33:44:55,PROFILE=sco"
    var device = ALSADevice(name: name, direction: .capture)
    var refusal: PCMOpenError?
    do { try device.open() } catch { refusal = error }
    #expect(refusal == .bluetoothCapture(name: name))
    #expect(refusal?.description.contains("telephone quality") == true)
    #expect(refusal?.description.contains("wired or USB microphone") == true)
    // Earphones are not refused: here there is no such plugin, or nothing at that address.
    var earphones = ALSADevice(name: name, direction: .playback)
    do { try earphones.open() } catch { #expect(error != .bluetoothCapture(name: name)) }
  }

  @Test("a Bluetooth link that brings calls and music is not refused as a microphone")
  func source() {
    let name = "bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp"
    var device = ALSADevice(name: name, direction: .capture, takesBluetooth: true)
    // Here there is no such plugin, or nothing at that address.
    do { try device.open() } catch { #expect(error != .bluetoothCapture(name: name)) }
  }
}
