import Testing

@testable import Service
@testable import auricle

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
    #expect(DevicesText(report: DevicesReport(devices: [])).text == "No sound card found.\n")
    let null = DevicesReport.Device(
      name: "null", description: "Discard", capture: nil, playback: nil, isDefault: false)
    #expect(
      DevicesText(report: DevicesReport(devices: [null])).text == """
        No sound card found.

        Other ALSA names

        null
          Discard
          capture   none
          playback  none

        """)
  }
}

extension DevicesReport {
  static let sample = DevicesReport(devices: [
    Device(
      name: "hw:CARD=PCH,DEV=0", description: "HDA Intel PCH, ALC295 Analog",
      capture: Direction(channels: 2, rates: [44_100, 48_000], formats: ["S16_LE", "S32_LE"]),
      playback: Direction(
        channels: 2, rates: [44_100], formats: ["S32_LE"], problem: "in use by process 812"),
      isDefault: true),
    Device(
      name: "hw:CARD=HDMI,DEV=3", description: "HDMI 0", capture: nil,
      playback: Direction(channels: 8, rates: [48_000], formats: ["S16_LE"]), isDefault: false),
  ])
}
