import Base
import Testing

@testable import AuricleCommands
@testable import Service

@Suite("Devices in words") struct DevicesTextTests {
  @Test("devices are listed with what they can do, or why not")
  func devices() {
    #expect(
      DevicesText(report: .sample).text == """
        hw:CARD=PCH,DEV=0 (taken by default)
          HDA Intel PCH, ALC295 Analog
          capture   2 channels, 44100, 48000 Hz, S16_LE, S32_LE
          playback  in use by process 812
        hw:CARD=HDMI,DEV=3
          HDMI 0
          capture   none
          playback  8 channels, 48000 Hz, S16_LE

        """)
    let none = "No sound card found. Connect one and list again; auricle doctor shows what is missing."
    #expect(DevicesText(report: DevicesReport(devices: [])).text == none + "\n")
    let unasked = DevicesReport.Direction(channels: 0, ratesHz: [], formats: [], problem: "not asked")
    let others = [("null", "Discard"), ("oss", "")].map { name, description in
      DevicesReport.Device(
        name: name, description: description, capture: unasked, playback: unasked, isDefault: false)
    }
    #expect(
      DevicesText(report: DevicesReport(devices: others)).text == """
        \(none)

        Other ALSA names (not asked)
          null  Discard
          oss

        """)
  }

  @Test("names of cards and of programs that use them act on no terminal, and colours stay")
  func hostileNames() {
    let hostile = "\u{1B}]0;Card\u{7}\u{9B}2J"
    let direction = DevicesReport.Direction(
      channels: 0, ratesHz: [], formats: [], problem: "in use by \(hostile), process 812")
    var device = DevicesReport.Device(
      name: "hw:CARD=A,DEV=0", description: hostile, capture: direction, playback: nil, isDefault: true)
    device.model = hostile
    let other = DevicesReport.Device(
      name: hostile, description: hostile, capture: direction, playback: nil, isDefault: false)
    let report = DevicesReport(devices: [device, other])
    for style in [Style.plain, Style(isOn: true)] {
      let text = DevicesText(report: report, style: style).text
      // Description, model and problem of the first, name, description and problem of the second.
      #expect(text.split(separator: "?]0;Card??2J").count == 6 + 1)
      let rest = text.replacing(#/\u{1B}\[[0-9]*m/#, with: "")
      #expect(!rest.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
    }
  }

  @Test("the class of each device stands with it, and the caution about the ones that delay sound")
  func classes() {
    var devices = ["hw:CARD=A,DEV=0", "bluealsa", "pulse", "null"].map {
      DevicesReport.Device(name: $0, description: "", capture: nil, playback: nil, isDefault: false)
    }
    devices[0].latencyClass = .usb
    (devices[0].model, devices[0].calibratedEnds) = (
      "Headset (usb:v046Dp0A4D)", ["microphone", "earphone"]
    )
    (devices[1].latencyClass, devices[1].caution) = (.bluetooth, "Bluetooth adds much")
    (devices[2].latencyClass, devices[2].caution) = (.server, "adds hidden delay")
    let report = DevicesReport(devices: devices)
    #expect(
      DevicesText(report: report).text == """
        hw:CARD=A,DEV=0
          model     Headset (usb:v046Dp0A4D); calibrated: microphone and earphones
          delay     USB
          capture   none
          playback  none

        Other ALSA names
          bluealsa  Bluetooth; Bluetooth adds much
          pulse     sound server; adds hidden delay
          null

        """)
  }
}

extension DevicesReport {
  static let sample = DevicesReport(devices: [
    Device(
      name: "hw:CARD=PCH,DEV=0", description: "HDA Intel PCH, ALC295 Analog",
      capture: Direction(channels: 2, ratesHz: [44_100, 48_000], formats: ["S16_LE", "S32_LE"]),
      playback: Direction(
        channels: 2, ratesHz: [44_100], formats: ["S32_LE"], problem: "in use by process 812"),
      isDefault: true),
    Device(
      name: "hw:CARD=HDMI,DEV=3", description: "HDMI 0", capture: nil,
      playback: Direction(channels: 8, ratesHz: [48_000], formats: ["S16_LE"]), isDefault: false),
  ])
}
