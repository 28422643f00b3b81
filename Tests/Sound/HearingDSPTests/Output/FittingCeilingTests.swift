import Acoustics
import Fitting
import Testing

@testable import HearingDSP

@Suite("What a fitting may ask for") struct FittingCeilingTests {
  static func check(_ ear: EarFitting) throws(ChainError) {
    try ear.check(bandCount: BandLayout.standard.count, levels: (-20, 6))
  }

  static func isRefused(_ ear: EarFitting) -> Bool {
    do throws(ChainError) { try check(ear) } catch { return true }
    return false
  }

  @Test("80 dB of gain are the most, at any knot and at both ends of the level")
  func gain() throws {
    for (gain, isRefused) in [(80.0, false), (80.01, true), (-200, false)] {
      #expect(
        Self.isRefused(GainCeilingTests.ear(GainCurve(unchangingGain: gain)))
          == isRefused, "\(gain)")
    }
    // 60 dB at 40 dB SPL, a third of a dB per dB more below: 80 dB at −20 dB SPL.
    let knots = [GainCurve.Knot(level: SoundPressureLevel(40), gain: 60)]
    for (slope, isRefused) in [(-0.333, false), (-0.334, true)] {
      let curve = GainCurve(checked: knots, slopeBelow: slope)
      #expect(Self.isRefused(GainCeilingTests.ear(curve)) == isRefused, "\(slope)")
    }
    // And above, to 6 dB over the microphone's full scale of 120 dB SPL.
    for (slope, isRefused) in [(0.232, false), (0.233, true)] {
      let curve = GainCurve(checked: knots, slopeAbove: slope)
      #expect(Self.isRefused(GainCeilingTests.ear(curve)) == isRefused, "\(slope)")
    }
  }

  @Test("a curve may be as steep as 100 dB per dB, up and down")
  func slope() throws {
    for (rise, isRefused) in [(50.0, false), (-50, false), (50.1, true), (-50.1, true)] {
      let knots = [(40.0, 0.0), (40.5, rise)].map {
        GainCurve.Knot(level: SoundPressureLevel($0.0), gain: $0.1)
      }
      let curve = GainCurve(checked: knots)
      #expect(Self.isRefused(GainCeilingTests.ear(curve)) == isRefused, "\(rise)")
    }
  }

  @Test("a curve may have sixteen knots")
  func knots() throws {
    for (count, isRefused) in [(16, false), (17, true)] {
      let knots = (0..<count).map { GainCurve.Knot(level: SoundPressureLevel(20 + Double($0)), gain: 10) }
      #expect(Self.isRefused(GainCeilingTests.ear(GainCurve(checked: knots))) == isRefused)
    }
  }

  @Test("every list has an entry for each band")
  func counts() throws {
    let whole = GainCeilingTests.ear(try GainCurve(linear: 0))
    #expect(!Self.isRefused(whole))
    for change in [
      { $0.curves.removeLast() }, { $0.bandLimits.removeLast() }, { $0.outputAtFullScale.removeLast() },
    ]
      as [(inout EarFitting) -> Void]
    {
      var ear = whole
      change(&ear)
      #expect(Self.isRefused(ear))
    }
  }

  @Test("a coupler's response lies within ± 30 dB, a microphone's within −10 and 30 dB, in every band")
  func responses() throws {
    let linear = GainCeilingTests.ear(try GainCurve(linear: 0))
    let count = BandLayout.standard.count
    let places = [\EarFitting.couplerResponse, \EarFitting.microphoneResponse]
    for (place, least) in zip(places, [-30.0, -10]) {
      for (response, isRefused) in [
        (least, false), (30, false), (least - 0.1, true), (30.1, true), (.nan, true),
      ] {
        for band in [0, count - 1] {
          var ear = linear
          var responses = [Double](repeating: 0, count: count)
          responses[band] = response
          ear[keyPath: place] = responses
          #expect(Self.isRefused(ear) == isRefused, "\(response)")
        }
      }
    }
  }

  @Test("limits lie within 60 and 120 dB SPL, full scales within 60 and 180")
  func ranges() throws {
    let linear = try GainCurve(linear: 0)
    for (level, isRefused) in [(60.0, false), (120, false), (59.5, true), (120.5, true), (.nan, true)] {
      #expect(Self.isRefused(GainCeilingTests.ear(linear, limit: level)) == isRefused)
      #expect(Self.isRefused(GainCeilingTests.ear(linear, bandLimit: level)) == isRefused)
    }
    for (level, isRefused) in [(60.0, false), (180, false), (59.5, true), (180.5, true), (.infinity, true)]
    {
      #expect(Self.isRefused(GainCeilingTests.ear(linear, input: level)) == isRefused)
      #expect(Self.isRefused(GainCeilingTests.ear(linear, output: level)) == isRefused)
    }
  }
}
