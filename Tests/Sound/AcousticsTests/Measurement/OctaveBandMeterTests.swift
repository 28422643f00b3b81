import Glibc
import Testing

@testable import Acoustics

@Suite("Octave-band meter") struct OctaveBandMeterTests {
  /// 0 dB FS is 120 dB SPL.
  private let fullScale = Calibrated(SoundPressureLevel(120), status: .provisional)

  private func sine(_ frequency: Double, _ level: Double, rate: Double, seconds: Double) -> [Float] {
    let peak = pow(10, (level - 120) / 20)
    return (0..<Int(seconds * rate)).map { Float(peak * sin(2 * .pi * frequency * Double($0) / rate)) }
  }

  @Test(
    "a tone in the middle of a band reads its level there within 0.1 dB, and 35 dB less two octaves away",
    arguments: [44_100.0, 48_000, 96_000])
  func tones(rate: Double) throws {
    for (index, nominal) in OctaveBandFilter.nominalCentres.enumerated() {
      var meter = try OctaveBandMeter(sampleRate: rate, fullScale: fullScale)
      #expect(meter.centres == OctaveBandFilter.nominalCentres)
      let middle = 1000 * pow(10, 0.3 * Double(index - 3))
      let tone = sine(middle, 70, rate: rate, seconds: 0.5)
      meter.process(tone.span)
      meter.resetStatistics()
      meter.process(tone.span)
      // Half a second holds whole periods but for one in 60 at least: 0.04 dB.
      #expect(abs((meter.levels[nominal]?.value.decibels ?? .nan) - 70) <= 0.1, "\(nominal) Hz")
      #expect(meter.levels[nominal]?.status == .provisional && meter.duration == 0.5)
      for (other, level) in meter.levels where abs(log2(other / nominal)) > 1.5 {
        // Class 1 has 42 dB for a steady tone; this one breaks off and begins anew, which clicks.
        #expect(level.value.decibels < 70 - 35)
      }
    }
  }

  @Test("two tones of one band add their powers, those of different bands stay apart")
  func sums() throws {
    var meter = try OctaveBandMeter(sampleRate: 48_000, fullScale: fullScale)
    var tones = sine(900, 60, rate: 48_000, seconds: 2)
    for other in [sine(1100, 60, rate: 48_000, seconds: 2), sine(4000, 50, rate: 48_000, seconds: 2)] {
      for n in tones.indices { tones[n] += other[n] }
    }
    meter.process(tones.span)
    // Class 1 lets a band's middle part differ by 0.3 dB.
    let (low, high) = try (#require(meter.levels[1000]), #require(meter.levels[4000]))
    let expected = 60 + 10 * log10(2.0)
    #expect(abs(low.value.decibels - expected) <= 0.3)
    #expect(abs(high.value.decibels - 50) <= 0.3)
  }

  @Test("before any sample and after a reset every band is at −∞; bands too high for the rate are left out")
  func silence() throws {
    var meter = try OctaveBandMeter(sampleRate: 16_000, fullScale: fullScale)
    #expect(meter.centres == [125, 250, 500, 1000, 2000])
    #expect(meter.levels.values.allSatisfy { $0.value.decibels == -.infinity })
    meter.process(sine(1000, 70, rate: 16_000, seconds: 0.1).span)
    meter.reset()
    meter.process(([0, .nan, .infinity] as [Float]).span)
    #expect(meter.levels.values.allSatisfy { $0.value.decibels == -.infinity })
    for rate in [0, 7999, .nan, .infinity] {
      #expect(throws: AcousticsError.self) { try OctaveBandMeter(sampleRate: rate, fullScale: fullScale) }
    }
  }
}
