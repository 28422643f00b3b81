import AudioIO
import Testing

@testable import Engine

@Suite("Choice of devices") struct DeviceChoiceTests {
  @Test("on another card the silence since the former one was lost goes on")
  func carriesSilence() {
    let choice = DeviceChoice(settings: AidSettings(captureName: nil, playbackName: nil)) {
      var card = DeviceDescription(name: "hw:CARD=New,DEV=0", title: "New")
      card.directions = [.capture, .playback]
      return [card]
    }
    var stream = DuplexStream(
      capture: ALSADevice(name: "hw:CARD=Old,DEV=0", direction: .capture),
      playback: ALSADevice(name: "hw:CARD=Old,DEV=0", direction: .playback), clock: SystemClock(),
      silentSince: 12)
    #expect(choice.settle(&stream) == nil)
    let (name, silentSince) = (stream.captureName, stream.silentSince)
    #expect(name == "hw:CARD=New,DEV=0" && silentSince == 12)
  }
}
