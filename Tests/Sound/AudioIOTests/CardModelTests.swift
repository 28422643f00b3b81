import CommonTesting
import Glibc
import Testing

@testable import AudioIO

@Suite("Model of a card") struct CardModelTests {
  private let folder = TemporaryFolder()

  /// A card's object, as the kernel has it below /sys/class/sound.
  private func card(_ number: Int, bus: String?) {
    mkdir(folder.file("card\(number)"), 0o700)
    mkdir(folder.file("card\(number)/device"), 0o700)
    if let bus { symlink("../../../../bus/\(bus)", folder.file("card\(number)/device/subsystem")) }
  }

  private func modalias(_ number: Int = 2) -> String? {
    CardModel(ofCard: number, name: "Headset", in: folder.path)?.modalias
  }

  @Test("bus and modalias are the kernel's, the name is the card's")
  func usb() throws {
    card(2, bus: "usb")
    folder.write("usb:v046Dp0A4Dd0111dc00dsc00dp00ic01isc01ip00in00\n", to: "card2/device/modalias")
    #expect(
      CardModel(ofCard: 2, name: "Headset", in: folder.path)
        == CardModel(
          name: "Headset", bus: "usb", modalias: "usb:v046Dp0A4Dd0111dc00dsc00dp00ic01isc01ip00in00"))
  }

  @Test("of a card without a bus, and of one that is not there, nothing is known")
  func none() {
    card(0, bus: nil)
    #expect(CardModel(ofCard: 0, name: "Aid", in: folder.path) == nil)
    #expect(CardModel(ofCard: 7, name: "Aid", in: folder.path) == nil)
    #expect(CardModel(ofCard: 0, name: "Aid", in: "/nowhere") == nil)
  }

  @Test("a modalias that is missing, long or no file is none; whatever bytes it has end nothing")
  func odd() {
    card(2, bus: "usb")
    #expect(modalias() == nil)
    folder.write(String(repeating: "u", count: 257), to: "card2/device/modalias")
    #expect(modalias() == nil)
    folder.write("", to: "card2/device/modalias")
    #expect(modalias() == "")
    folder.write([0xFF, 0, 0x1B, 0x0A, 0x75], to: "card2/device/modalias")
    #expect(modalias()?.unicodeScalars.count == 3)
    unlink(folder.file("card2/device/modalias"))
    mkdir(folder.file("card2/device/modalias"), 0o700)
    #expect(modalias() == nil)
    card(3, bus: "usb")
    mkfifo(folder.file("card3/device/modalias"), 0o600)
    #expect(modalias(3) == nil)
  }

  @Test(
    "a device on no card has no model",
    arguments: ["null", "jack", "bluealsa:DEV=00:11:22:33:44:55", "hw:99"])
  func plugins(_ device: String) { #expect(CardModel(of: device) == nil) }
}
