import Acoustics
import Testing

@testable import Fitting

@Suite("Aided thresholds") struct AidedThresholdTests {
  // NAL-R (Byrne & Dillon 1986) for N3, 35 40 50 dB HL at 500 Hz to 2 kHz: 0.05 · 125 + 0.31 · 40 + 1 = 19.65 dB at 1 kHz; at 250 Hz
  // 0.05 · 125 + 0.31 · 35 − 17 = 0.1 dB, which holds below.
  @Test(
    "they are the threshold less the insertion gain, each at its band's centre, beyond the audiogram by its nearest point"
  )
  func linear() throws {
    let audiogram = StandardAudiogram.n3.audiogram
    let curves = try NALR().curves(for: audiogram, bands: .standard)
    let aided = try #require(AidedThreshold.each(for: audiogram, behind: curves, bands: .standard))
    let centres = BandLayout.standard.centres
    #expect(abs(aided[try #require(centres.firstIndex(of: 1000))] - (40 - 19.65)) < 1e-6)
    #expect(abs(aided[try #require(centres.firstIndex(of: 250))] - (35 - 0.1)) < 1e-6)
    #expect(abs(aided[try #require(centres.firstIndex(of: 125))] - (35 - 0.1)) < 1e-6)
  }

  @Test("of a compressive gain counts the one for speech of 65 dB SPL in the band")
  func compressive() throws {
    let audiogram = try Audiogram(air: [1000: 50])
    let bands = try BandLayout(centres: [1000])
    // All of the speech lies in the only band: 65 dB SPL, 25 dB above the knot.
    let curve = try GainCurve(
      knots: [GainCurve.Knot(level: SoundPressureLevel(40), gain: 30)], slopeAbove: -0.5)
    let aided = AidedThreshold.each(for: audiogram, behind: [curve], bands: bands)
    // The rounded third octaves of Byrne et al. (1994) add up to 0.03 dB more than the whole.
    #expect(abs(try #require(aided)[0] - (50 - (30 - 12.5))) < 0.05)
  }

  @Test("without thresholds there are none")
  func unknown() throws {
    let curves = try NALR().curves(for: StandardAudiogram.n3.audiogram, bands: .standard)
    #expect(AidedThreshold.each(for: try Audiogram(points: []), behind: curves, bands: .standard) == nil)
  }
}
