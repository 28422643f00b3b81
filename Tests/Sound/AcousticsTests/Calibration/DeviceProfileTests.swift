import Base
import Testing

@testable import Acoustics

/// Expected numbers: ResearchKit 3.2.0, `frequency_dBSPL_*` and `retspl_*`, as in its repository at commit daba8c9f.
@Suite("Profiles of earphones") struct DeviceProfileTests {
  @Test("full scale lies 30 dB above the source's tone, which is at −30 dB FS")
  func levels() throws {
    let pro = try #require(DeviceProfile.named("airpods-pro-2"))
    #expect(abs(try pro.sensitivity.level(at: 1000).decibels - 113.67) < 1e-9)
    #expect(abs(try pro.sensitivity.level(at: 125).decibels - 114.05) < 1e-9)
    #expect(abs(try pro.sensitivity.level(at: 8000).decibels - 120.11) < 1e-9)
    // The wired volume curve takes 0.5 dB at its greatest.
    #expect(
      abs(try #require(DeviceProfile.named("earpods")).sensitivity.level(at: 1000).decibels - 115.87) < 1e-9
    )
    // Generations 1 and 2 have one table of levels and two of thresholds.
    let (first, second) = (
      try #require(DeviceProfile.named("airpods-1")), try #require(DeviceProfile.named("airpods-2"))
    )
    #expect(first.sensitivity == second.sensitivity && first.transducer != second.transducer)
  }

  @Test("30 dB HL at 1 kHz with the AirPods Pro 2 is a tone at −74.4 dB FS")
  func worked() throws {
    let calibration = try #require(DeviceProfile.named("airpods-pro-2")).calibration
    let level = try calibration.fullScaleLevel(of: HearingLevel(30), at: 1000, ear: .left)
    // 9.27 + 30 − (83.67 + 30)
    #expect(abs(level.value.decibels + 74.4) < 1e-9)
    #expect(level.status == .provisional)
  }

  @Test("each is provisional and says where its figures are from")
  func provenance() {
    #expect(DeviceProfile.all.count == 7)
    #expect(Set(DeviceProfile.all.map(\.identifier)).count == 7)
    for profile in DeviceProfile.all {
      #expect(profile.status == .provisional && profile.calibration.device.status == .provisional)
      #expect(profile.coupler == "not stated" && profile.transducer?.identifier == profile.identifier)
      #expect(
        profile.calibration.device.source?.contains("ResearchKit 3.2.0, by Apple; coupler not stated")
          == true)
      #expect(profile.sensitivity.range == 125...8000)
    }
    #expect(DeviceProfile.named("airpods-4") == nil)
  }

  /// Products as in `org.bluez.Device1.Modalias`; vendor 004C is Apple.
  @Test(
    "earphones are known by the product in their modalias; EarPods have none, and hold for any converter")
  func identity() throws {
    func profiles(_ modalias: String) throws -> [String] {
      let found = DeviceIdentity([try #require(DeviceProduct(modalias: modalias))])
      return DeviceProfile.all.filter { $0.identity?.match(found) == .same }.map(\.identifier)
    }
    #expect(try profiles("bluetooth:v004Cp2014d0B60") == ["airpods-pro-2"])
    #expect(try profiles("bluetooth:v004Cp2024d0100") == ["airpods-pro-2"])
    #expect(try profiles("bluetooth:v004cp200fd0100") == ["airpods-2"])
    #expect(try profiles("bluetooth:v004Cp2027d0100") == [])
    #expect(try profiles("usb:v004Cp2014d0100") == [])
    #expect(DeviceProfile.all.filter { $0.identity == nil }.map(\.identifier) == ["earpods"])
    for profile in DeviceProfile.all { #expect(profile.calibration.device.identity == profile.identity) }
  }
}
