import Base
import Foundation
import Testing

@testable import Acoustics

@Suite("Identity of a device") struct DeviceIdentityTests {
  private static let headset = DeviceProduct(.usb, vendor: 0x046D, product: 0x0A4D)

  /// As the kernel writes a USB device's (file2alias.c), and BlueZ a Bluetooth device's (org.bluez.Device(5)).
  @Test(
    "a product is read from the beginning of a modalias, and written as one",
    arguments: [
      ("usb:v046Dp0A4Dd0111dc00dsc00dp00ic01isc01ip00in00", "usb:v046Dp0A4D"),
      ("usb:v046dp0a4d", "usb:v046Dp0A4D"),
      ("bluetooth:v004Cp2014d0B60", "bluetooth:v004Cp2014"), ("usb:vFFFFp0000", "usb:vFFFFp0000"),
    ])
  func product(_ modalias: String, _ text: String) throws {
    let product = try #require(DeviceProduct(modalias: modalias))
    #expect(product.description == text)
    #expect(DeviceProduct(modalias: text) == product)
  }

  @Test(
    "anything else is no product",
    arguments: [
      "", ":", "usb", "usb:", "usb:v046D", "usb:v046Dp0A4", "usb:v046Gp0A4D", "usb:v+46Dp0A4D",
      "usb:v046D p0A4D", "usb:p046Dv0A4D", "USB:v046Dp0A4D", "046d:0a4d", "pci:v00008086d00009D71",
      "usb:v０４６Dp0A4D", "usb:v046D\u{0}0A4D", "hdaudio:v10EC0256r00100002a01",
      String(repeating: "usb:", count: 100_000),
    ])
  func others(_ text: String) { #expect(DeviceProduct(modalias: text) == nil) }

  @Test("a product decides, whatever the names are; without any the card's own name does")
  func match() {
    let other = DeviceProduct(.usb, vendor: 0x046D, product: 0x0A4E)
    let radio = DeviceProduct(.bluetooth, vendor: 0x046D, product: 0x0A4D)
    let headset = DeviceIdentity([Self.headset], name: "Headset")
    let board = DeviceIdentity([], name: "HDA Intel PCH")
    #expect(headset.match(DeviceIdentity([Self.headset], name: "Headset, later firmware")) == .same)
    #expect(headset.match(DeviceIdentity([other], name: "Headset")) == .other)
    // The same numbers of another list are other makers'.
    #expect(headset.match(DeviceIdentity([radio], name: "Headset")) == .other)
    #expect(DeviceIdentity([other, Self.headset]).match(headset) == .same)
    #expect(board.match(DeviceIdentity([], name: "HDA Intel PCH")) == .same)
    #expect(board.match(DeviceIdentity([], name: "HD-Audio Generic")) == .other)
    // A card on the board is no USB device, and the other way round.
    #expect(board.match(headset) == .other && headset.match(board) == .other)
  }

  @Test("what is not known is neither the same nor another")
  func unknown() {
    let headset = DeviceIdentity([Self.headset])
    #expect(headset.match(nil) == .unknown)
    #expect(headset.match(DeviceIdentity([])) == .unknown)
    #expect(DeviceIdentity([]).match(headset) == .unknown)
  }

  @Test("a calibration's file has it, and one from before has none")
  func file() throws {
    func made(_ identity: String) throws -> DeviceCalibration {
      try JSONDecoder().decode(
        DeviceCalibration.self,
        from: Data("{\"device\": \"d\", \"status\": \"none\"\(identity)}".utf8))
    }
    let read = try made(", \"identity\": {\"products\": [\"usb:v046Dp0A4D\"], \"name\": \"Headset\"}")
    #expect(read.identity == DeviceIdentity([Self.headset], name: "Headset"))
    #expect(read.identity?.description == "Headset (usb:v046Dp0A4D)")
    #expect(try JSONDecoder().decode(DeviceCalibration.self, from: try JSONEncoder().encode(read)) == read)
    #expect(try made("").identity == nil)
    let board = try made(", \"identity\": {\"name\": \"HDA Intel PCH\"}").identity
    #expect(board == DeviceIdentity([], name: "HDA Intel PCH"))
    #expect(board?.description == "HDA Intel PCH")
  }

  @Test(
    "an identity that is empty, long or of another form is refused",
    arguments: [
      "{}", "{\"products\": []}", "{\"name\": \"\"}", "{\"name\": 3}", "[]", "\"usb:v046Dp0A4D\"",
      "{\"products\": [\"046d:0a4d\"]}", "{\"products\": \"usb:v046Dp0A4D\"}",
      "{\"name\": \"a\\u001b[2J\"}", "{\"name\": \"\(String(repeating: "a", count: 101))\"}",
      "{\"products\": [\((0..<17).map { _ in "\"usb:v046Dp0A4D\"" }.joined(separator: ","))]}",
    ])
  func refused(_ identity: String) {
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(DeviceIdentity.self, from: Data(identity.utf8))
    }
  }
}
