import Acoustics
import Testing

@testable import Fitting

@Suite("Maximum output") struct MaximumOutputTests {
  let bands = BandLayout.standard

  @Test("a normal ear is limited to 95 dB SPL, one with 60 dB HL to 104")
  func limits() throws {
    // 100 + 0.15 H − 5.
    let normal = try Audiogram(air: [1000: 0])
    #expect(
      MaximumOutput.standard.limits(for: normal, bands: bands).allSatisfy {
        $0 == SoundPressureLevel(95)
      })
    let lossy = try Audiogram(air: [1000: 60])
    for limit in MaximumOutput.standard.limits(for: lossy, bands: bands) {
      #expect(abs(limit.decibels - 104) < 1e-9)
    }
  }

  @Test("no limit lies above the ceiling: 111 dB SPL unless set, never more than 120")
  func ceiling() throws {
    let deep = try Audiogram(air: [1000: 120])  // 100 + 18 − 5 = 113
    #expect(MaximumOutput.standard.ceiling == SoundPressureLevel(111))
    #expect(
      MaximumOutput.standard.limits(for: deep, bands: bands).allSatisfy { $0 == SoundPressureLevel(111) })
    let open = try MaximumOutput(ceiling: SoundPressureLevel(120))
    #expect(abs(open.limits(for: deep, bands: bands)[0].decibels - 113) < 1e-9)
    #expect(throws: FittingError.notAccepted("output ceiling 120.5 dB SPL", expected: "60 to 120 dB SPL")) {
      try MaximumOutput(ceiling: SoundPressureLevel(120.5))
    }
    #expect(throws: FittingError.notAccepted("output ceiling 59 dB SPL", expected: "60 to 120 dB SPL")) {
      try MaximumOutput(ceiling: SoundPressureLevel(59))
    }
    #expect(throws: FittingError.self) { try MaximumOutput(ceiling: SoundPressureLevel(.nan)) }
  }

  @Test("an ear without thresholds, or with better than normal ones, gets the limit of a normal ear")
  func lowest() throws {
    for ear in [try Audiogram(points: []), try Audiogram(air: [1000: -10])] {
      #expect(
        MaximumOutput.standard.limits(for: ear, bands: bands).allSatisfy { $0 == SoundPressureLevel(95) })
    }
  }
}
