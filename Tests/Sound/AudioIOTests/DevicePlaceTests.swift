import Testing

@testable import AudioIO

@Suite("Place of a device") struct DevicePlaceTests {
  private func place(_ device: String) -> String {
    DevicePlace.name(of: device, on: CardAccessTests.cards)
  }

  @Test(
    "all names of a device on a card have one place",
    arguments: [
      "hw:0", "hw:0,0", "hw:0,0,3", "hw:Loopback", "hw:Loopback,0", "hw:CARD=Loopback",
      "hw:CARD=Loopback,DEV=0",
      "hw:CARD=0,DEV=0", "hw:CARD=Loopback,DEV=0,SUBDEV=2", "plughw:0,0", "plughw:CARD=Loopback,DEV=0",
      "plug:hw:0,0", "plug:'hw:Loopback,0'", "plug:SLAVE='hw:0,0'", "dmix:CARD=Loopback,DEV=0",
      "sysdefault:CARD=Loopback",
      "front:CARD=Loopback,DEV=0",
    ])
  func same(device: String) {
    #expect(place(device) == "hw:CARD=Loopback,DEV=0")
  }

  @Test("another device and another card have others")
  func others() {
    #expect(place("hw:0,1") == "hw:CARD=Loopback,DEV=1")
    #expect(place("hw:2") == "hw:CARD=Device,DEV=0")
  }

  @Test("a card that is away keeps the name it was given")
  func away() {
    #expect(place("hw:Aid,0") == "hw:CARD=Aid,DEV=0")
    #expect(place("plughw:CARD=Aid") == "hw:CARD=Aid,DEV=0")
    #expect(place("hw:7,0") == "hw:CARD=7,DEV=0")
  }

  @Test("a name that says no card, or numbers devices in its own way, is its own place")
  func named() {
    for device in [
      "default", "jack", "plug:default", "pipewire:NODE=3", "hdmi:CARD=Loopback,DEV=0", "", "plug:",
    ] {
      #expect(place(device) == device)
    }
  }
}
