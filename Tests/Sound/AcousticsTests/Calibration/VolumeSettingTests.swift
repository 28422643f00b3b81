import Foundation
import Testing

@testable import Acoustics

@Suite("Volume controls of a calibration") struct VolumeSettingTests {
  static func setting(
    _ name: String, _ left: Double, _ right: Double? = nil, isOn: Bool = true
  ) -> VolumeSetting {
    VolumeSetting(control: name, gain: Binaural(left: left, right: right ?? left), isOn: isOn)
  }

  private let measured = [Self.setting("Master", 0), Self.setting("PCM", -6)]

  @Test("where all stand as they stood nothing is said; half a decibel is no difference")
  func same() {
    #expect(VolumeSetting.difference(measured, from: measured) == nil)
    #expect(
      VolumeSetting.difference([Self.setting("PCM", -6.5), Self.setting("Master", 0)], from: measured)
        == nil)
    #expect(VolumeSetting.difference(measured + [Self.setting("Beep", -30)], from: measured) == nil)
    #expect(VolumeSetting.difference(nil, from: []) == nil)
  }

  @Test("one that was turned, on either side, muted or gone is named, with both places")
  func different() {
    #expect(
      VolumeSetting.difference([Self.setting("Master", -12), Self.setting("PCM", -6)], from: measured)
        == "the volume control Master stands at −12 dB, and levels were measured at 0 dB")
    #expect(
      VolumeSetting.difference([Self.setting("Master", 0, -3), Self.setting("PCM", -6)], from: measured)?
        .contains(
          "stands at 0 dB left and −3 dB right") == true)
    #expect(
      VolumeSetting.difference(
        [Self.setting("Master", 0, isOn: false), Self.setting("PCM", -6)], from: measured)?
        .contains("stands at 0 dB, muted") == true)
    #expect(
      VolumeSetting.difference([Self.setting("Master", 0)], from: measured)?.contains("PCM is gone") == true
    )
    #expect(VolumeSetting.difference(nil, from: measured)?.contains("cannot be read any more") == true)
    // Silence has no number but its own.
    #expect(VolumeSetting.difference([Self.setting("x", -1000)], from: [Self.setting("x", -1000)]) == nil)
  }

  @Test(
    "a control that tells no dB is compared by its place, and with one that tells them it has none in common"
  )
  func unscaled() {
    func placed(_ place: Double) -> VolumeSetting {
      VolumeSetting(control: "PCM", gain: Binaural(both: place), isOn: true, isScaled: false)
    }
    // Half a percent: one step of 256 is none.
    #expect(VolumeSetting.difference([placed(33.72)], from: [placed(33.33)]) == nil)
    #expect(
      VolumeSetting.difference([placed(80)], from: [placed(33.33)])
        == "the volume control PCM stands at 80 % of its range, and levels were measured at 33.33 % of its range"
    )
    #expect(
      VolumeSetting.difference([Self.setting("PCM", 0)], from: [placed(0)])
        == "the volume control PCM stands at 0 dB, and levels were measured at 0 % of its range")
  }

  @Test("a file tells of a control that has no dB, and is as it was for one that has them")
  func unscaledFile() throws {
    let unscaled = VolumeSetting(
      control: "PCM", gain: Binaural(left: 30, right: 40), isOn: true, isScaled: false)
    let data = try JSONEncoder().encode([unscaled])
    #expect(try JSONDecoder().decode([VolumeSetting].self, from: data) == [unscaled])
    let usual = String(decoding: try JSONEncoder().encode(measured), as: UTF8.self)
    #expect(!usual.contains("isScaled"))
  }

  @Test("a file's controls come back, and gains of no card are refused")
  func file() throws {
    let data = try JSONEncoder().encode(measured)
    #expect(try JSONDecoder().decode([VolumeSetting].self, from: data) == measured)
    let wrong = "[{\"control\": \"x\", \"gain\": {\"left\": 1e9, \"right\": 0}, \"isOn\": true}]"
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode([VolumeSetting].self, from: Data(wrong.utf8))
    }
  }
}
