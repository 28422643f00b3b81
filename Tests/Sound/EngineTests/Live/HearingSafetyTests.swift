import Acoustics
import AudioIO
import Fitting
import Glibc
import Testing

@testable import AudioIOTesting
@testable import Engine
@testable import EngineTesting

/// What must never reach an ear.
@Suite("Safety of the ear") struct HearingSafetyTests {
  @Test(
    "what is not a number, or infinite, is silence, counted, and sound returns",
    arguments: [
      Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude,
    ])
  func nonFinite(value: Float) throws {
    let bench = try LiveBench()
    let tone = bench.rig.source
    // One sample on the left, one block of both a little later.
    bench.rig.source = { frame, channel in
      (frame == 8000 && channel == 0) || (9600..<9664).contains(frame) ? value : tone(frame, channel)
    }
    bench.run(until: 400)
    #expect(bench.restarts.isEmpty && bench.losses.isEmpty)
    for ear in Ear.allCases {
      let heard = bench.heard(ear)
      let full = LiveBench.amplitude[ear] * LiveBench.factor
      #expect(heard.allSatisfy { $0.isFinite && abs($0) <= 1.01 * full })
      // A frame of the room is heard three periods later. Both ears fall silent and rise together.
      for moment in [8000, 9600] {
        let index = moment + LiveBench.prefill
        let rising = (index..<index + LiveBench.riseFrames - 700).allSatisfy {
          abs(heard[$0]) <= 1.01 * full * LiveBench.riseFactor($0 - index + LiveBench.period) + 1e-7
        }
        #expect(rising)
      }
      let end = heard.count - 2 * LiveBench.fallFrames
      #expect(abs(LiveBench.amplitude(of: heard[end - 4410..<end]) / Double(full) - 1) < 0.01)
    }
    let meters = bench.state.reading.load().meters
    // 64 frames from a frame that is no multiple of the block lie in two blocks.
    #expect(meters.left.nonFinite >= 2 && meters.left.nonFinite <= 3)
    #expect(meters.right.nonFinite >= 1 && meters.right.nonFinite <= 2)
    #expect(meters.left.brokenOutput == 0)
  }

  /// Greatest factor of a tone that begins abruptly and is not amplified: 0.01 dB that the gain window adds to a steady tone by
  /// rounding, and the mean of its beginning.
  static let unchanged: Float = 1.0012 + LiveBench.offCentreAfterRise

  /// Greatest magnitude heard from a 1 kHz tone of an amplitude, with settings of choice.
  static func loudest(_ hearing: HearingSettings, amplitude: Float) throws -> Binaural<Float> {
    let bench = try LiveBench { $0.hearing = hearing }
    bench.rig.source = { frame, _ in amplitude * LiveBench.tone(frame) }
    bench.run(until: 300)
    return Binaural(
      left: bench.rig.heardLeft.map(abs).max() ?? 0, right: bench.rig.heardRight.map(abs).max() ?? 0)
  }

  @Test(
    "an aid that is not fitted never plays louder than it hears",
    arguments: [
      1, 0.5, 0.1, 0.01, 1e-3, 1e-4,
    ] as [Float])
  func unfitted(amplitude: Float) throws {
    let loudest = try Self.loudest(HearingSettings(), amplitude: amplitude)
    #expect(loudest.left <= amplitude * Self.unchanged)
    #expect(loudest.right <= amplitude * Self.unchanged)
    // But it plays: up to the limit of 111 dB SPL, 9 dB below full scale.
    #expect(loudest.left >= 0.99 * min(amplitude, 0.3))
  }

  @Test(
    "an aid of which one end alone is calibrated never plays louder than it hears",
    arguments: [80.0, 120, 150])
  func halfCalibrated(fullScale: Double) throws {
    let known = DeviceCalibration(device: "bench", date: nil, status: .verified)
    let flat = try Sensitivity(flat: SoundPressureLevel(fullScale))
    var microphone = HearingSettings()
    microphone.microphones = try InputCalibration(device: known, channels: [flat])
    var earphone = HearingSettings()
    earphone.earphones = OutputCalibration(device: known, sensitivity: Binaural(both: flat))
    for hearing in [microphone, earphone] {
      let loudest = try Self.loudest(hearing, amplitude: 0.01)
      #expect(loudest.left <= 0.01 * Self.unchanged)
      #expect(loudest.right <= 0.01 * Self.unchanged)
    }
  }

  @Test(
    "without a calibration the gain heard stays within 20 dB, whatever is prescribed",
    arguments: [
      20.0, 40, 60, 79,
    ])
  func uncalibratedLive(gain: Double) throws {
    for amplitude: Float in [1e-4, 1e-3, 0.01] {
      let loudest = try Self.loudest(LiveBench.hearing(gain: gain), amplitude: amplitude)
      #expect(loudest.left <= 10 * Self.unchanged * amplitude)
      #expect(loudest.right <= 10 * Self.unchanged * amplitude)
    }
  }

  @Test("without a calibration no curve exceeds 20 dB at any level, and what was below stays as it was")
  func uncalibratedCurves() throws {
    let bands = BandLayout.standard
    for audiogram in StandardAudiogram.allCases {
      let hearing = HearingSettings(audiograms: Binaural(both: audiogram.audiogram))
      let prescribed = try hearing.curves(for: .left)
      let set = try hearing.fitting(for: .left)
      for band in 0..<bands.count {
        for level in stride(from: -20.0, through: 140, by: 5) {
          let (wanted, given) = (
            prescribed[band].gain(at: SoundPressureLevel(level)),
            set.curves[band].gain(at: SoundPressureLevel(level))
          )
          #expect(given <= 20 + 1e-9)
          #expect(given <= wanted + 1e-9)
        }
      }
    }
  }

  /// A rule of one curve for everything.
  struct OneCurve: FittingRule {
    let curve: GainCurve
    var name: String { "one curve" }
    func curves(for audiogram: Audiogram, bands: BandLayout) throws(FittingError) -> [GainCurve] {
      bands.centres.map { _ in curve }
    }
  }

  @Test("slopes that rise beyond a curve's ends are not followed without a calibration")
  func risingSlopes() throws {
    let curve = try GainCurve(
      knots: [
        .init(level: SoundPressureLevel(50), gain: 15), .init(level: SoundPressureLevel(80), gain: -5),
      ], slopeBelow: -1, slopeAbove: 1)
    var hearing = HearingSettings(audiograms: Binaural(both: StandardAudiogram.n3.audiogram))
    hearing.rule = OneCurve(curve: curve)
    let set = try hearing.fitting(for: .left).curves[0]
    #expect(set.gain(at: SoundPressureLevel(0)) == 15)
    #expect(set.gain(at: SoundPressureLevel(50)) == 15)
    // What takes away stays: it is not lifted to 0 dB.
    #expect(set.gain(at: SoundPressureLevel(80)) == -5)
    #expect(set.gain(at: SoundPressureLevel(120)) == -5)
    #expect(try hearing.calibrated().fitting(for: .left).curves[0] == curve)
  }

  @Test(
    "a tone at full scale that is amplified by 40 dB exceeds the output limit at neither ear",
    arguments: [90.0, 100, 111])
  func limit(limit: Double) throws {
    var hearing = LiveBench.hearing(gain: 40).calibrated()
    hearing.maximumOutput = SoundPressureLevel(limit)
    let loudest = try Self.loudest(hearing, amplitude: 1)
    // 0 dB FS is 120 dB SPL: the peak of a sine at the limit.
    let peak = Float(pow(10, (limit - 120) / 20)) * 1.001
    #expect(loudest.left <= peak && loudest.right <= peak)
  }
}
