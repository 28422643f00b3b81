import Acoustics
import AudioIO
import HearingDSP
import Testing

@testable import Engine
@testable import EngineTesting

@Suite("Choice of devices") struct DeviceChoiceTests {
  @Test("on another card the silence since the former one was lost goes on")
  func carriesSilence() {
    let choice = DeviceChoice(settings: AidSettings(captureName: nil, playbackName: nil)) {
      var card = DeviceDescription(name: "hw:CARD=New,DEV=0", title: "New")
      (card.card, card.directions) = ("New", [.capture, .playback])
      return [card]
    }
    var stream = DuplexStream(
      capture: ALSADevice(name: "hw:CARD=Old,DEV=0", direction: .capture),
      playback: ALSADevice(name: "hw:CARD=Old,DEV=0", direction: .playback), clock: SystemClock(),
      silentSince: 12)
    #expect(choice.settle(&stream, calibrated: HearingSettings(), former: nil) == nil)
    let (name, silentSince) = (stream.captureName, stream.silentSince)
    #expect(name == "hw:CARD=New,DEV=0" && silentSince == 12)
  }

  private static func choice(
    _ cards: [String], capture: String? = nil, playback: String? = nil
  ) -> DeviceChoice {
    DeviceChoice(settings: AidSettings(captureName: capture, playbackName: playback)) {
      cards.map { name in
        var card = DeviceDescription(name: name, title: name)
        (card.card, card.directions) = (name, [.capture, .playback])
        return card
      }
    }
  }

  /// Earphones of a calibration whose `device` is this; nil: not calibrated.
  private static func hearing(_ device: String?) -> HearingSettings {
    var hearing = HearingSettings()
    if let device {
      hearing.earphones = OutputCalibration(
        device: DeviceCalibration(device: device, date: nil, status: .provisional, source: "data sheet"),
        sensitivity: hearing.earphones.sensitivity)
    }
    return hearing
  }

  @Test(
    "earphones: those of the configuration; otherwise those of the calibration, there or not; otherwise, once calibrated, those in use so far; otherwise the first card",
    arguments: [
      // configuration, calibration, used so far, expected
      ("hw:CARD=Own", "hw:CARD=Calibrated", "hw:CARD=Former", "hw:CARD=Own"),
      ("hw:CARD=Own", "my earphones", "hw:CARD=Former", "hw:CARD=Own"),
      (nil, "unknown: (my earphones)", nil, "hw:CARD=First"),
      (nil, "hw:CARD=Calibrated with foam tips", "hw:CARD=Former", "hw:CARD=Calibrated"),
      (nil, "my earphones", "hw:CARD=Former", "hw:CARD=Former"),
      (nil, "my earphones", nil, "hw:CARD=First"), (nil, nil, "hw:CARD=Former", "hw:CARD=First"),
      (nil, nil, nil, "hw:CARD=First"),
    ] as [(String?, String?, String?, String)])
  func earphones(named: String?, calibrated: String?, former: String?, expected: String) {
    let choice = Self.choice(["hw:CARD=First", "hw:CARD=Second"], playback: named)
    let names = choice.names(
      calibrated: Self.hearing(calibrated), former: former.map { ("hw:CARD=Microphone", $0) })
    #expect(names?.playback == expected)
    // The microphone is not calibrated.
    #expect(names?.capture == "hw:CARD=First")
  }

  @Test(
    "earphones calibrated without a name stay on their card when another audio thread opens the devices")
  func staysAcrossThreads() throws {
    let bench = try LiveBench()
    bench.run(until: 100)
    let former = try #require(bench.state.notice.withLock { $0.former })
    #expect(former == ("fake", "fake"))
    let choice = Self.choice(["hw:CARD=First"])
    // As a new thread has it: no device was open on it.
    var stream = choice.stream(wakeDescriptor: -1)
    #expect(choice.settle(&stream, calibrated: Self.hearing("my earphones"), former: former) == nil)
    let (capture, playback) = (stream.captureName, stream.playbackName)
    // The microphone is not calibrated: any card will do.
    #expect(playback == "fake" && capture == "hw:CARD=First")
  }

  @Test(
    "a card that the kernel makes up, as for streamed sound, is not taken for the first one: another is waited for"
  )
  func madeUp() {
    func choice(_ isAlone: Bool) -> DeviceChoice {
      DeviceChoice(settings: AidSettings(captureName: nil, playbackName: nil)) {
        let cards = ["hw:CARD=Stream", "hw:CARD=USB"].map { name in
          var card = DeviceDescription(name: name, title: name)
          (card.card, card.directions) = (name, [.capture, .playback])
          card.hasConverters = name == "hw:CARD=USB"
          return card
        }
        return isAlone ? Array(cards.prefix(1)) : cards
      }
    }
    let names = choice(false).names(calibrated: HearingSettings(), former: nil)
    #expect(names?.capture == "hw:CARD=USB" && names?.playback == "hw:CARD=USB")
    #expect(choice(true).names(calibrated: HearingSettings(), former: nil) == nil)
    // By its name it is used.
    let named = Self.choice([], capture: "hw:CARD=Stream", playback: "hw:CARD=Stream")
    #expect(named.names(calibrated: HearingSettings(), former: nil)?.playback == "hw:CARD=Stream")
  }

  @Test("without any card only what has a name can be waited for")
  func noCard() {
    let none = Self.choice([])
    #expect(none.names(calibrated: Self.hearing(nil), former: nil) == nil)
    #expect(none.names(calibrated: Self.hearing("hw:CARD=Calibrated"), former: nil) == nil)
    let named = Self.choice([], capture: "hw:CARD=A")
    #expect(named.names(calibrated: Self.hearing("hw:CARD=B"), former: nil)! == ("hw:CARD=A", "hw:CARD=B"))
  }
}
