import Acoustics
import AudioIO
import CommonTesting
import Control
import Engine
import Testing

@testable import Service

@Suite("Volume controls that may not be read") struct ForbiddenVolumeTests {
  private let folder = TemporaryFolder()

  /// Settings with a verified calibration, measured while Master stood at −6 dB.
  private func settings() throws -> HearingSettings {
    let readings = ["left", "right"].flatMap { ear in
      ([500, 1000, 2000, 4000].map { ($0, -20, 94) } + [(1000, -30, 84)]).map { frequency, played, read in
        "{\"ear\": \"\(ear)\", \"frequency\": \(frequency), \"played\": \(played), \"read\": \(read)}"
      }
    }
    folder.write(
      """
      {"device": {"device": "hw:CARD=Aid,DEV=0 (ER-3A)", "date": "2026-01-31", "status": "verified",
        "source": "measured"},
       "measurement": {"examiner": "N. N.", "coupler": "c", "readings": [\(readings.joined(separator: ", "))],
         "volumes": [{"control": "Master", "gain": {"left": -6, "right": -6}, "on": true}]}}
      """, to: "e.json")
    return try AidSettings(loaded("calibration.earphone.file = \"\(folder.file("e.json"))\"\n")).hearing
  }

  @Test(
    "a calibration says that they could not be read and by whom they can, and not that they are gone or turned"
  )
  func forbidden() throws {
    let settings = try settings()
    try #require(settings.earphones.device.status == .verified)
    let refusal = "may not be opened (/dev/snd/controlC0): it needs the group audio"
    let device = settings.counting(.read(nil), refusedBecause: refusal).earphones.device
    #expect(device.status == .provisional)
    #expect(
      device.caveat
        == "levels were measured with the volume control Master at −6 dB, and how it stands is not known here, for its card \(refusal)"
    )
    // One that is read counts as it stands.
    let asMeasured = VolumeSetting(control: "Master", gain: Binaural(both: -6), isOn: true)
    let read = settings.counting(.read([asMeasured]), refusedBecause: refusal).earphones.device
    #expect(read.status == .verified && read.caveat == nil)
  }

  @Test(
    "the card of a device by any of its names is told as one that may not be opened; one that is away or may be opened is not"
  )
  func refusal() {
    var card = DeviceDescription(name: "hw:CARD=Aid,DEV=0", title: "Aid, USB Audio")
    for name in ["hw:CARD=Aid,DEV=0", "plughw:CARD=Aid,DEV=0", "hw:CARD=Aid"] {
      #expect(PlaybackVolumes.refusal(of: name, among: [card]) == nil)
    }
    card.refusedFile = "/dev/snd/controlC0"
    for name in ["hw:CARD=Aid,DEV=0", "plughw:CARD=Aid,DEV=0", "hw:CARD=Aid"] {
      let refusal = PlaybackVolumes.refusal(of: name, among: [card])
      #expect(refusal?.found == "may not be opened (/dev/snd/controlC0)")
    }
    for name in ["hw:CARD=Other,DEV=0", "pulse", nil] {
      #expect(PlaybackVolumes.refusal(of: name, among: [card]) == nil)
    }
  }
}
