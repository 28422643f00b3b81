import Glibc
import Testing

@testable import HearingDSP

@Suite("Level in the output limiter") struct LimiterLevelTests {
  /// A constant at the allowed peak: twice the limit's mean square, which no peak is above.
  static let atPeak = LimiterRig.peak

  @Test("of the first loud hop comes out the limit's energy and the allowance, not a sample's worth less")
  func firstHop() throws {
    for value in [Self.atPeak, 0.9 * Self.atPeak, 0.95 * Self.atPeak] {
      let rig = try LimiterRig()
      let output = try #require(rig.run(LimiterRig.hops(1, of: value)))
      let energy = LimiterRig.energy(output)
      // 64 + 35.28 samples of the limit's mean square. The gain falls at samples, not between them: half a sample at most.
      #expect(
        energy <= 64 + LimiterRig.allowance && energy > 64 + LimiterRig.allowance - 0.6,
        "\(value): \(energy)")
    }
  }

  @Test("the last samples of a hop count, whatever its length", arguments: [64, 63, 62, 61])
  func lastSamples(frames: Int) throws {
    let rig = try LimiterRig()
    let value = Float((42 * LimiterRig.power).squareRoot())
    _ = rig.run((0..<frames).map { $0 < frames - 3 ? 0 : value }, frames: frames)
    // 126 in all, of which 35.28 more than the hop's length may pass, by E·(r·(1 + g + g²)/3 + (1 − r)·g²).
    let r = 16 / Double(frames)
    let (a, b, c) = (1 - r * 2 / 3, r / 3, r / 3 - (Double(frames) + LimiterRig.allowance) / 126)
    let fallen = (sqrt(b * b - 4 * a * c) - b) / (2 * a)
    // After sixteen soft hops the peak's gain is 1 again, and the level's has come back by a share for each.
    let soft: Float = 1e-4
    let output = try #require(rig.run(LimiterRig.hops(16, of: soft)))
    let rate = (1 - exp(-1 / (0.05 * LimiterRig.rate))) * 64
    #expect(abs(Double(output[1023] / soft) - (1 - (1 - fallen) * pow(1 - rate, 16))) < 1e-4)
  }

  @Test(
    "after a soft sound the whole allowance is there, and after one that got loud within a hop only the rest"
  )
  func rest() throws {
    for (before, store) in [(LimiterRig.hops(1, of: 0.01), 0.0), (LimiterRig.late(16), 16.0)] {
      let rig = try LimiterRig()
      #expect(rig.run(before) == before)
      let energy = LimiterRig.energy(try #require(rig.run(LimiterRig.hops(1, of: Self.atPeak))))
      let left = 64 + LimiterRig.allowance - store
      #expect(energy <= left + 0.01 && energy > left - 0.6, "\(store)")
    }
  }

  @Test("where a hop is shorter than the fall, the gain falls over all of it")
  func shortHop() throws {
    // 96 kHz: the fall takes 34.56 samples, a hop of the shortest block has 16.
    let geometry = try ChainGeometry(sampleRate: 96_000, blockFrames: 16)
    let rig = LimiterRig(OutputLimiter(OutputLimits.Ear(headroom: -20), geometry: geometry))
    let output = try #require(rig.run(LimiterRig.hops(2, of: Self.atPeak), frames: 16))
    let gain = output.map { Double($0 / Self.atPeak) }
    // The store of 76.8 holds four hops of 16.
    #expect(gain[..<64].allSatisfy { $0 == 1 })
    let g = gain[79]
    for n in 64..<80 { #expect(abs(gain[n] - (1 + Double(n - 63) * (g - 1) / 16)) < 1e-5, "\(n)") }
    // 32·(1 + g + g²)/3 = 16 + 76.8 − 64 = 28.8: g = 0.798.
    #expect(abs(g - ((-1 + sqrt(1 - 4 * (1 - 2.7))) / 2)) < 2e-4)
  }

  @Test("while a limit rises, the level is held at where it is")
  func risingLimit() throws {
    let rig = try LimiterRig(headroom: -60)
    _ = rig.run(LimiterRig.hops(100, of: 1))
    rig.limiter.retarget(to: OutputLimits.Ear(headroom: -20))
    for hop in 1...250 {
      let output = try #require(rig.run(LimiterRig.hops(1, of: 1)))
      let limit = -60 + 100 * Double(hop * 64) / LimiterRig.rate
      // The limit's mean square is 3 dB below that of its peak; what the store holds is 1.9 dB of a hop.
      let level = 10 * log10(LimiterRig.energy(output) / 64 * LimiterRig.power * 2)
      #expect(level <= limit + 1.95, "\(hop)")
    }
  }

  @Test("the gain falls in a straight line over 0.36 ms, and stays")
  func straightLine() throws {
    let rig = try LimiterRig()
    let output = try #require(rig.run(LimiterRig.hops(1, of: Self.atPeak)))
    let gain = output.map { Double($0 / Self.atPeak) }
    // 15.9 samples, rounded.
    let step = (gain[63] - 1) / 16
    for n in 0..<64 {
      #expect(abs(gain[n] - (n < 15 ? 1 + Double(n + 1) * step : gain[63])) < 1e-5, "\(n)")
    }
    // E·(r·(1 + g + g²)/3 + (1 − r)·g²) = 99.28 with E = 128 and r = 1/4: g = 0.8629.
    #expect(abs(gain[63] - 0.8629) < 2e-4)
    #expect(abs(Double(rig.report().limiterGain) - gain[63]) < 1e-5)
  }

  @Test("a sound that lasts is held at the limit's mean square")
  func lasting() throws {
    for value in [Self.atPeak, 3 * Self.atPeak, 0.8 * Self.atPeak] {
      let rig = try LimiterRig()
      let output = try #require(rig.run(LimiterRig.hops(100, of: value)))
      let level = 10 * log10(LimiterRig.energy(output.suffix(640)) / 640)
      // The gain goes to and fro by what the store allows: 0.05 dB of it, over ten hops.
      #expect(abs(level) < 0.05, "\(value): \(level)")
      #expect(abs(Double(rig.report().limitShare) - 1) < 0.02)
      #expect(abs(Double(rig.report().power) / LimiterRig.power - 1) < 0.02)
    }
  }

  @Test("the store never holds more than the allowance, whatever evenly loud hops come")
  func store() throws {
    let rig = try LimiterRig()
    var store = 0.0
    for index in 0..<400 {
      // 0 to 24 dB around the limit, in an order that has no pattern.
      let value = LimiterRig.peak * Float(pow(10, Double(index * 7919 % 25 - 14) / 20))
      for sample in try #require(rig.run(LimiterRig.hops(1, of: value))) {
        store = max(0, store + LimiterRig.energy([sample]) - 1)
      }
      // Peaks are held as well, which only takes from it; single precision adds up over 400 hops.
      #expect(store <= LimiterRig.allowance + 0.01, "\(index)")
    }
  }

  @Test(
    "a store that is full empties by the samples below the limit, and fills by those above it",
    arguments: [[], [0], [0.03], [0.0, 0.099], [0.099, 0.0], [0.099, 0.0, 0.0]] as [[Float]], [1, 16, 40])
  func emptying(pattern: [Float], frames: Int) throws {
    let rig = try LimiterRig()
    // Held at the limit, it is full.
    _ = rig.run(LimiterRig.hops(100, of: Self.atPeak))
    var store = LimiterRig.allowance
    if !pattern.isEmpty {
      let between = try #require(rig.run((0..<frames).map { pattern[$0 % pattern.count] }, frames: frames))
      for sample in between { store = max(0, store + LimiterRig.energy([sample]) - 1) }
    }
    // 5.6 dB above the limit, and by the gain of 0.73 that has been reached below the peak's limit.
    let output = try #require(rig.run(LimiterRig.hops(1, of: 1.9 * Float(sqrt(LimiterRig.power)))))
    let left = 64 + LimiterRig.allowance - store
    let energy = LimiterRig.energy(output)
    // The gain falls at samples, not between them.
    #expect(energy <= left + 0.01 && energy > left - 0.6, "\(energy) of \(left)")
  }

  @Test("in a hop far above the limit the level's gain falls to 1.5 dB below it")
  func farAbove() throws {
    let rig = try LimiterRig()
    let loud = 100.0
    let output = try #require(rig.run(LimiterRig.hops(1, of: Float(loud))))
    #expect(output.allSatisfy { $0 <= LimiterRig.peak * 1.000_002 })
    // √(0.7·P)/100 from the sixteenth sample on; before it the peak's gain held the rest, and it comes back with 2 ms.
    let gain = (0.7 * LimiterRig.power).squareRoot() / loud
    let held = Double(LimiterRig.peak) / (loud * (1 + 15 / 16 * (gain - 1)))
    for n in 15..<64 {
      let peakGain = 1 - (1 - held) * exp(-Double(n - 14) / (0.002 * LimiterRig.rate))
      #expect(abs(Double(output[n]) / (loud * gain * peakGain) - 1) < 1e-4, "\(n)")
    }
    let next = try #require(rig.run(LimiterRig.hops(1, of: Float(loud))))
    #expect(LimiterRig.energy(next) <= 64 + LimiterRig.allowance)
  }

  @Test("behind a loud sound the gain comes back with 50 ms")
  func release() throws {
    let rig = try LimiterRig()
    _ = rig.run(LimiterRig.hops(100, of: 3 * Self.atPeak))
    let soft: Float = 0.001
    let output = try #require(rig.run(LimiterRig.hops(400, of: soft)))
    let gain = output.map { Double($0 / soft) }
    // Held at the limit's mean square: 1/(3·√2).
    #expect(abs(gain[0] - 1 / (3 * 2.0.squareRoot())) < 0.01)
    let rate = (1 - exp(-1 / (0.05 * LimiterRig.rate))) * 64
    // Hop by hop a share of the way, in a straight line within each; within 0.0001 of 1 it is 1.
    for hop in 1..<400 {
      let former = gain[hop * 64 - 1]
      let next = former + rate * (1 - former)
      let expected = next > 0.9999 ? 1 : next
      // Single precision of a product and a sum.
      #expect(abs(gain[hop * 64 + 63] - expected) < 1e-6, "\(hop)")
      #expect(abs(gain[hop * 64 + 31] - (former + expected) / 2) < 2e-6, "\(hop)")
    }
    // exp(−t/50 ms)·0.76 is 0.0001 after 447 ms: 308 hops; then it is 1.
    #expect(gain[(340 * 64)...].allSatisfy { $0 == 1 })
    #expect(rig.report().limiterGain == 1)
  }

  @Test("a low tone at the limit passes as it is from 200 Hz up, and a square wave is held 3 dB lower")
  func tones() throws {
    for frequency in [200.0, 250, 1000] {
      let tone = (0..<12_800).map {
        LimiterRig.peak * Float(sin(2 * .pi * frequency * Double($0) / LimiterRig.rate))
      }
      #expect(try LimiterRig().run(tone) == tone, "\(frequency)")
      let rig = try LimiterRig()
      let square = tone.map { $0 < 0 ? -LimiterRig.peak : LimiterRig.peak }
      let level = 10 * log10(LimiterRig.energy(try #require(rig.run(square)).suffix(6400)) / 6400)
      #expect(abs(level) < 0.05, "\(frequency)")
    }
  }

  @Test(
    "a tone below 200 Hz passes as it is below the limit by its headroom, and is lowered at the limit",
    arguments: [20.0, 63, 99, 100, 125, 150])
  func lowTones(frequency: Double) throws {
    func tone(_ level: Double) -> [Float] {
      let share = pow(10, level / 20)
      return (0..<22_050).map {
        LimiterRig.peak * Float(share * sin(2 * .pi * frequency * Double($0) / LimiterRig.rate))
      }
    }
    let fitting = tone(-OutputLimits.headroom(at: frequency))
    #expect(try LimiterRig().run(fitting) == fitting)
    // Its crests need 1/(2πf), 1.06 ms and more.
    let rig = try LimiterRig()
    let lowered = try #require(rig.run(tone(0)))
    let level = 10 * log10(LimiterRig.energy(lowered.suffix(11_025)) / 11_025)
    #expect(level < -0.1)
  }

  @Test("a sound below the limit is told as it is, and as a share of the limit")
  func told() throws {
    let rig = try LimiterRig()
    _ = rig.run(LimiterRig.hops(1, of: 0.01))
    let report = rig.report()
    // 0.0001 of mean square, 17 dB below 0.005.
    #expect(
      abs(report.power - 0.0001) < 1e-9 && abs(report.limitShare - 0.02) < 1e-6 && report.limiterGain == 1)
    #expect(!report.isLimited)
    _ = rig.run(LimiterRig.hops(1, of: LimiterRig.peak))
    #expect(rig.report().isLimited)
    // Less than 1 dB is not told as limited.
    var own = OutputReport.Ear()
    for (gain, isLimited) in [(Float(0.91), false), (0.9, false), (0.89, true)] {
      own.limiterGain = gain
      #expect(own.isLimited == isLimited)
    }
  }

  @Test("before its first hop a limiter reports silence and a gain of 1")
  func reportOfNothing() throws {
    let report = try LimiterRig().report()
    #expect(report.power == 0 && report.limitShare == 0 && report.limiterGain == 1)
  }
}
