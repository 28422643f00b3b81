import Acoustics
import AudioIO
import Fitting
import Glibc
import HearingDSP
import Testing

@testable import Engine
@testable import EngineTesting

/// The sum of microphones and stream behind one limiter, and what the settings of a stream may do.
@Suite("Safety of streamed sound") struct StreamingSafetyTests {
  @Test(
    "microphones and stream, each at full scale and amplified: their sum never exceeds the limit's peak")
  func sum() throws {
    // 100 dB SPL, 20 dB below the earphone's full scale.
    var hearing = LiveBench.hearing(gain: 20)
    hearing.maximumOutput = SoundPressureLevel(100)
    let bench = try StreamingBench(
      hearing: hearing, streaming: StreamingSettings(level: 0, microphoneReduction: 0))
    bench.source.source = { frame, _ in frame / 55 % 2 == 0 ? 1 : -1 }
    bench.aid.rig.source = { frame, _ in frame / 50 % 2 == 0 ? 1 : -1 }
    bench.aid.run(until: StreamingBench.blocks(5))
    #expect(bench.reading.losses == 0 && bench.aid.restarts.isEmpty)
    for ear in Ear.allCases {
      let heard = bench.aid.heard(ear)
      let peak = heard.map { abs($0) }.max() ?? 0
      #expect(peak <= 0.1, "\(peak)")
      // The limiter is at work: what is louder than 94 dB SPL is heard.
      #expect(peak > 0.05)
    }
  }

  @Test(
    "a source of numbers that are none, and beyond every scale, is silence or held by the limit at either ear; the aid does not fault"
  )
  func hostile() throws {
    // 100 dB SPL, 20 dB below the earphone's full scale.
    var hearing = LiveBench.hearing(gain: 0)
    hearing.maximumOutput = SoundPressureLevel(100)
    let bench = try StreamingBench(hearing: hearing)
    bench.source.source = { frame, channel in
      switch frame / 4800 % 4 {
      case 0: .nan
      case 1: channel == 0 ? .infinity : 1e30
      case 2: -.greatestFiniteMagnitude
      default: 0.1
      }
    }
    bench.aid.run(until: StreamingBench.blocks(4))
    #expect(bench.aid.state.state == .stopped && bench.mishaps.isEmpty)
    for ear in Ear.allCases {
      // Single precision: the last bit of a product.
      #expect(bench.aid.heard(ear).allSatisfy { $0.isFinite && abs($0) <= 0.100_000_1 }, "\(ear)")
    }
  }

  @Test(
    "the microphones are lowered by what was asked while there is sound, at most 20 dB a second, and come back"
  )
  func lowered() throws {
    let bench = try StreamingBench(streaming: StreamingSettings(microphoneReduction: 12))
    // Four seconds of sound, then silence. The microphones' tone of 1 kHz goes on.
    bench.source.source = { frame, _ in frame < 4 * 48_000 ? 0.1 * Float(sin(Double(frame) * 0.02)) : 0 }
    bench.aid.run(until: StreamingBench.blocks(11))
    let heard = bench.aid.heard(.left)
    let levels = stride(from: 0, to: heard.count - 2205, by: 2205).map {
      20 * log10(LiveBench.amplitude(of: heard[$0..<$0 + 2205]) / Double(LiveBench.amplitude.left))
    }
    // Windows of 50 ms: 3 s after the start, and at the end.
    #expect(abs(levels[60] + 12) < 0.5, "\(levels[60])")
    #expect(abs(levels[levels.count - 10]) < 0.5, "\(levels[levels.count - 10])")
    for (now, next) in zip(levels[10...].dropLast(4), levels[11...]) { #expect(abs(next - now) < 1.3) }
  }

  @Test("where the prescription does not let volume be turned up, nor can the stream be")
  func limits() {
    let fixed = AdjustmentLimits(volume: -10...0, tone: 0...0)
    let free = AdjustmentLimits(volume: -10...6, tone: 0...0)
    #expect(StreamingSettings(level: 30).held(within: fixed).level == 0)
    #expect(StreamingSettings(level: 30).held(within: free).level == 6)
    #expect(StreamingSettings(level: -90).held(within: fixed).level == -40)
    let odd = StreamingSettings(level: .nan, balance: .infinity, microphoneReduction: -3).held(within: free)
    #expect(odd == StreamingSettings(level: 0, balance: 20, microphoneReduction: 0))
  }

  @Test("volume and level together turn a stream up no further than the prescription lets volume be")
  func together() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    for (volume, expected) in [(0.0, 6.0), (4, 2), (6, 0), (-10, 6)] {
      var hearing = LiveBench.hearing(gain: 10).calibrated()
      hearing.adjustmentLimits = AdjustmentLimits(volume: -10...6, tone: 0...0)
      hearing.adjustment = SoundAdjustment(volume: volume)
      hearing.streaming = StreamingSettings(level: 6)
      let setting = try #require(try hearing.streamingSetting(for: geometry))
      #expect(abs(20 * log10(Double(setting.factor)) - expected) < 0.001)
    }
  }

  @Test("balance takes away from one ear and adds to none")
  func balance() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    func gains(_ balance: Double) throws -> Binaural<Double> {
      var hearing = LiveBench.hearing(gain: 10).calibrated()
      hearing.streaming = StreamingSettings(balance: balance)
      let setting = try #require(try hearing.streamingSetting(for: geometry))
      return setting.parameters.fittings.map { $0.curves[5].gain(at: SoundPressureLevel(65)) }
    }
    #expect(try gains(0) == Binaural(both: 10))
    #expect(try gains(6) == Binaural(left: 4, right: 10))
    #expect(try gains(-6) == Binaural(left: 10, right: 4))
  }

  @Test(
    "beside a microphone that nobody measured, a stream has the level of the measured earphone, each limit stays, and a calibration that counts is paced"
  )
  func measuredEarphone() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    var neither = HearingSettings(audiograms: Binaural(both: StandardAudiogram.n4.audiogram))
    neither.streaming = StreamingSettings()
    var measured = neither
    measured.earphones = OutputCalibration(
      device: neither.calibrated().earphones.device,
      sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(100))))
    func fitting(_ hearing: HearingSettings) throws -> EarFitting {
      try #require(try hearing.streamingSetting(for: geometry)).parameters.fittings.left
    }
    let (louder, softer) = (try fitting(measured), try fitting(neither))
    let speech = SoundPressureLevel(65)
    for band in measured.bands.centres.indices {
      // 100 instead of 120 dB SPL at full scale: the same sound takes 20 dB more digits.
      let gains = [louder, softer].map {
        $0.curves[band].gain(at: speech) + ($0.inputAtFullScale - $0.fieldAtFullScale(band))
      }
      #expect(abs(gains[0] - gains[1] - 20) < 1e-9)
    }
    #expect(louder.bandLimits == softer.bandLimits && louder.outputLimit == softer.outputLimit)
    #expect(louder.outputAtFullScale == softer.outputAtFullScale)
    #expect(louder.loudestAtFullScale == softer.loudestAtFullScale)
    // The microphones' sound is the same; the stream's takes 75 ms for every dB.
    #expect(measured.isLouder(than: neither) && !neither.isLouder(than: measured))
    var pace = ProgramPace()
    let time = pace.settings(measured, after: neither, shortest: 0.1, now: 0).transition
    #expect(abs(time - 1.5) < 1e-9, "\(time)")
    (neither.streaming, measured.streaming) = (nil, nil)
    #expect(!measured.isLouder(than: neither))
  }

  @Test("without thresholds a stream of −20 dB FS is 65 dB SPL in the ear, whatever the microphone is")
  func levelInTheEar() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    var hearing = HearingSettings(audiograms: nil).calibrated()
    hearing.streaming = StreamingSettings()
    hearing.earphones = OutputCalibration(
      device: hearing.earphones.device,
      sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(100))))
    for microphones in [hearing.microphones, .assumed] {
      hearing.microphones = microphones
      let fitting = try #require(try hearing.streamingSetting(for: geometry)).parameters.fittings.right
      for band in hearing.bands.centres.indices {
        let gain = fitting.curves[band].gain(at: SoundPressureLevel(65))
        let digits = -20 + gain + (fitting.inputAtFullScale - fitting.fieldAtFullScale(band))
        #expect(abs(digits + 100 - 65) < 1e-9)
      }
    }
  }

  @Test(
    "of two settings that are compared, streamed sound is turned down by as much as that of the microphones"
  )
  func compared() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    var hearing = LiveBench.hearing(gain: 10).calibrated()
    hearing.streaming = StreamingSettings()
    var debug = DebugSettings()
    debug.attenuation = 4
    hearing.debug = debug
    let setting = try #require(try hearing.streamingSetting(for: geometry))
    let level = SoundPressureLevel(65)
    #expect(setting.parameters.fittings.map { $0.curves[5].gain(at: level) } == Binaural(both: 6))
    #expect(try hearing.fitting(for: .left).curves[5].gain(at: level) == 6)
  }

  @Test(
    "a band's own limit is 3 dB lower for either sound while a stream is on, and that of all bands stays")
  func shared() throws {
    var hearing = HearingSettings(audiograms: Binaural(both: StandardAudiogram.n4.audiogram)).calibrated()
    let alone = try hearing.fitting(for: .left)
    hearing.streaming = StreamingSettings()
    let beside = try hearing.fitting(for: .left)
    #expect(beside.outputLimit == alone.outputLimit)
    for (one, other) in zip(alone.bandLimits, beside.bandLimits) {
      #expect(other == (one < alone.outputLimit ? one - 3 : one))
    }
    #expect(alone.bandLimits.contains { $0 < alone.outputLimit })
  }
}
