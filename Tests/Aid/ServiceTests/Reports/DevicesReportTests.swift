import Acoustics
import AudioIO
import Base
import Control
import Engine
import Testing

@testable import Service

@Suite("Devices report") struct DevicesReportTests {
  private func description(_ name: String, title: String = "") -> DeviceDescription {
    var description = DeviceDescription(name: name, title: title)
    description.directions = [.capture, .playback]
    return description
  }

  @Test(
    "a Bluetooth microphone is told as refused, the earphones with the delay to expect, and both in JSON")
  func bluetooth() throws {
    let device = try #require(
      DevicesReport([description("bluealsa:DEV=00:11:22:33:44:55,CODEC=aac")]).devices.first)
    #expect(device.latencyClass == .bluetooth)
    #expect(device.expectedDelaySeconds == [0.12, 0.2])
    #expect(device.capture?.problem?.hasPrefix("refused: a Bluetooth microphone") == true)
    #expect(device.playback?.problem?.hasPrefix("refused") == false)
    #expect(device.caution?.contains("120 to 200 ms") == true)
    var delay = MeasuredFeedbackTests.delay
    delay.playback = device.name
    var longer = delay
    longer.delaySeconds = 0.1683
    let measured = try #require(
      DevicesReport(
        [description(device.name)], measured: FeedbackRecord(leftDelay: delay, rightDelay: longer)
      ).devices.first)
    #expect(measured.measuredDelaySeconds == 0.1683 && device.measuredDelaySeconds == nil)
    #expect(measured.caution?.contains("168.30 ms, as measured") == true)
    let json = try JSON.text(DevicesReport([description("bluealsa")]))
    for part in [
      "\"latency_class\":\"bluetooth\"", "\"expected_delay_seconds\":[0.1,0.25]", "\"schema\":103",
    ] {
      #expect(json.contains(part), "\(json)")
    }
  }

  @Test(
    "a delay that was measured under another of the device's names is told; one behind another plugin, codec or number is not",
    arguments: [
      ("hw:CARD=Aid,DEV=0", ["hw:CARD=Aid", "hw:Aid", "hw:Aid,0"], true),
      (
        "hw:CARD=Aid,DEV=0", ["hw:CARD=Aid,DEV=1", "plughw:CARD=Aid", "dmix:CARD=Aid", "hw:Headset"], false
      ),
      ("plug:dmix:0", ["plug:'dmix:0'", "plug:SLAVE='dmix:0,0'"], true),
      ("plug:dmix:0", ["plug:hw:0", "plug:'hw:0,0'", "dmix:0"], false),
      ("bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp", ["bluealsa:DEV=00:11:22:33:44:55"], true),
      (
        "bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp",
        [
          "bluealsa:DEV=00:11:22:33:44:56", "bluealsa:DEV=00:11:22:33:44:55,CODEC=aac",
          "bluealsa:DEV=00:11:22:33:44:55,PROFILE=sco", "bluealsa",
        ], false
      ),
    ])
  func measuredNames(_ listed: String, _ measured: [String], _ isTold: Bool) throws {
    for name in measured {
      var delay = MeasuredFeedbackTests.delay
      delay.playback = name
      let devices = DevicesReport([description(listed)], measured: FeedbackRecord(leftDelay: delay)).devices
      let found = try #require(devices.first)
      #expect(found.measuredDelaySeconds == (isTold ? delay.delaySeconds : nil), "\(name)")
    }
  }

  @Test("a card's device has its model, and the ends whose calibration was made with it")
  func models() throws {
    var (headset, board) = (description("hw:CARD=Headset,DEV=0"), description("hw:CARD=PCH,DEV=0"))
    headset.model = CardModel(name: "Headset", bus: "usb", modalias: "usb:v046Dp0A4Dd0111")
    board.model = CardModel(name: "HDA Intel PCH", bus: "pci", modalias: "pci:v00008086d00009D71")
    let hearing = try AidSettings(
      loaded(
        """
        [calibration.earphone]
        full-scale-level = 111
        source = "data sheet"
        status = "provisional"
        product = "usb:v046Dp0A4D"
        """)
    ).hearing
    let devices = DevicesReport([headset, board, description("default")], calibrated: hearing).devices
    #expect(devices.map(\.model) == ["Headset (usb:v046Dp0A4D)", "HDA Intel PCH", nil])
    #expect(devices.map(\.calibratedEnds) == [["earphone"], nil, nil])
  }

  @Test("taken by default is the device of each calibration, and for an end without one the first card")
  func taken() throws {
    let cards = ["PCH", "Headset"].map { name -> DeviceDescription in
      var card = description("hw:CARD=\(name),DEV=0")
      card.card = name
      return card
    }
    func taken(_ ends: [String], by device: String) throws -> [Bool] {
      let text = ends.map { end in
        """
        [calibration.\(end)]
        full-scale-level = 111
        source = "data sheet"
        status = "provisional"
        device = "\(device) (HDA 200)"

        """
      }.joined()
      let hearing = try AidSettings(loaded(text)).hearing
      return DevicesReport(cards, calibrated: hearing).devices.map(\.isDefault)
    }
    #expect(try taken([], by: "") == [true, false])
    // The card alone, of which the first device is meant.
    #expect(try taken(["earphone"], by: "hw:CARD=Headset") == [true, true])
    #expect(try taken(["earphone", "microphone"], by: "hw:CARD=Headset,DEV=0") == [false, true])
    #expect(try taken(["earphone", "microphone"], by: "hw:CARD=Nope,DEV=0") == [false, false])
  }

  @Test("the first card is taken by default also where this user may use none: it is waited for")
  func refused() {
    var card = description("hw:CARD=PCH,DEV=0")
    (card.card, card.refusedFile) = ("PCH", "/dev/snd/controlC0")
    #expect(DevicesReport([card, description("default")]).devices.map(\.isDefault) == [true, false])
  }

  @Test("a card's device has its class and no caution; a plugin that converts or mixes has a caution")
  func others() throws {
    var card = description("hw:CARD=Aid,DEV=0", title: "Aid, USB Audio")
    card.card = "Aid"
    card.latencyClass = .usb
    let devices = DevicesReport([
      card, description("plughw:CARD=Aid"), description("default"), description("null"),
    ]).devices
    #expect(devices.map(\.latencyClass) == [.usb, nil, .server, nil])
    #expect(devices.map { $0.caution == nil } == [true, false, false, true])
    #expect(devices.allSatisfy { $0.expectedDelaySeconds == nil })
    #expect(devices.map(\.isDefault) == [true, false, false, false])
  }
}
