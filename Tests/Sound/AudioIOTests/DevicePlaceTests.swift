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

  @Test(
    "other programs' settings may be those of a sound server, a mixer and a name of the configuration, not of a card"
  )
  func shared() {
    for device in [
      "jack", "default", "pipewire:NODE=3", "bluealsa:DEV=00:11:22:33:44:55", "dmix:CARD=Loopback,DEV=0",
      "plug:'dsnoop:0'", "sysdefault:CARD=Loopback",
    ] {
      #expect(DevicePlace.isShared(device), "\(device)")
    }
    for device in [
      "hw:0", "hw:CARD=Away,DEV=0", "plughw:0,0", "plug:'hw:0,0'", "front:CARD=Loopback,DEV=0",
    ] {
      #expect(!DevicePlace.isShared(device), "\(device)")
    }
  }

  @Test("the plugin of a name is its first, and behind plug the next one")
  func plugin() {
    for (device, plugin) in [
      ("hw:0", "hw"), ("plughw:CARD=Aid", "plughw"), ("plug:dmix:0", "dmix"), ("plug:'hw:0,0'", "hw"),
      ("plug:SLAVE='dmix:0'", "dmix"), ("default", "default"), ("", ""),
    ] {
      #expect(DevicePlace.plugin(of: device) == plugin, "\(device)")
    }
  }

  @Test("a name leads to a sound server by its plugin, also behind plug, and not by its sink's name")
  func server() {
    for device in [
      "pulse", "pipewire", "pulse:bluez_sink.00_11_22_33_44_55",
      "pipewire:NODE=bluez_output.00_11_22_33_44_55.1",
      "plug:pulse:headset", "plug:'pulse:DEVICE=headset'", "plug:SLAVE='pipewire:NODE=3'",
    ] {
      #expect(DevicePlace.isOnServer(device), "\(device)")
    }
    let others = ["bluealsa:DEV=00:11:22:33:44:55", "hw:CARD=pulse", "default", "jack", "plug:default", ""]
    for device in others {
      #expect(!DevicePlace.isOnServer(device), "\(device)")
    }
  }

  @Test(
    "where none is named the card is that of the first device which captures and plays, of cards that may be used before the others",
    arguments: [
      ([], [0: "hw:0", 1: "hw:CARD=Closed,DEV=0"]), ([1], [0: "hw:0", 2: "hw:CARD=Open,DEV=1"]),
      ([1, 2], [0: "hw:0", 1: "hw:CARD=Closed,DEV=0"]),
    ] as [(Set<Int>, [Int: String])])
  func usual(refused: Set<Int>, expected: [Int: String]) {
    func card(_ number: Int, _ id: String, _ devices: [[StreamDirection]]) -> ListedCard {
      ListedCard(
        number: number, id: id, name: id,
        devices: devices.enumerated().map { index, directions in
          ListedCard.Device(number: index, name: "", directions: directions)
        })
    }
    // The first one's directions are of two devices.
    let cards = [
      card(0, "Split", [[.playback], [.capture]]), card(1, "Closed", [[.capture, .playback]]),
      card(2, "Open", [[.playback], [.capture, .playback]]),
    ]
    let access = CardAccess(cards: cards) { path in refused.contains { path.hasSuffix("controlC\($0)") } }
    #expect(DevicePlace.cards(capture: nil, playback: "hw:0", on: access) == expected)
  }

  @Test(
    "where none is named a card that the kernel makes up is passed over, and none is taken where there is no other"
  )
  func madeUp() {
    func card(_ number: Int, _ id: String, hasConverters: Bool) -> ListedCard {
      var card = ListedCard(
        number: number, id: id, name: id,
        devices: [ListedCard.Device(number: 0, name: "", directions: [.capture, .playback])])
      card.hasConverters = hasConverters
      return card
    }
    let stream = card(0, "Stream", hasConverters: false)
    func found(_ cards: [ListedCard]) -> [Int: String] {
      DevicePlace.cards(capture: nil, playback: nil, on: CardAccess(cards: cards, refusal: { _ in false }))
    }
    #expect(found([stream, card(1, "USB", hasConverters: true)]) == [1: "hw:CARD=USB,DEV=0"])
    #expect(found([stream]) == [:])
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
