import Glibc
import Testing

@testable import Acoustics

/// Recordings made of sines of known level.
@Suite("Tone of a calibrator") struct CalibratorToneTests {
  static let rate = 48_000.0

  /// A sine, and a second one beside it.
  static func recording(
    _ level: Double, _ frequency: Double = 1000, seconds: Double = 3, beside: (Double, Double)? = nil,
    fading decibelsPerSecond: Double = 0
  ) -> [Float] {
    (0..<Int(seconds * rate)).map { frame in
      let time = Double(frame) / rate
      let other = beside.map { pow(10, $0.0 / 20) * sin(2 * .pi * $0.1 * time) } ?? 0
      let own = pow(10, (level + decibelsPerSecond * time) / 20) * sin(2 * .pi * frequency * time)
      return Float(own + other)
    }
  }

  static func words(_ samples: [Float], _ frequency: Double = 1000) -> String? {
    refusal { () throws(AcousticsError) in
      try CalibratorTone(in: samples, rate: rate, frequency: frequency)
    }
  }

  @Test(
    "the level is that of the sine, at the calibrator's frequency or beside it",
    arguments: [1000.0, 990.3, 1009.7])
  func level(_ frequency: Double) throws {
    let tone = try CalibratorTone(in: Self.recording(-26, frequency), rate: Self.rate, frequency: 1000)
    // 0.004 Hz beside the top of a lobe of 8 Hz is nothing; a Float has 144 dB.
    #expect(abs(tone.level.decibels + 26) < 0.01)
    #expect(abs(tone.frequency - frequency) < 0.05)
  }

  @Test("a hum 22 dB below does not count, and one 18 dB below is refused")
  func hum() throws {
    let tone = try CalibratorTone(
      in: Self.recording(-26, beside: (-48, 50)), rate: Self.rate, frequency: 1000)
    #expect(abs(tone.level.decibels + 26) < 0.01)
    #expect(
      Self.words(Self.recording(-26, beside: (-44, 50)))?.contains("18 dB above everything else") == true)
  }

  @Test("a direct current does not count")
  func directCurrent() throws {
    let samples = Self.recording(-40).map { $0 + 0.2 }
    #expect(
      abs(try CalibratorTone(in: samples, rate: Self.rate, frequency: 1000).level.decibels + 40) < 0.01)
  }

  @Test("silence, a cut tone, another frequency, a changing level and too short a time are refused")
  func refused() {
    #expect(Self.words(Self.recording(-.infinity))?.hasPrefix("silence") == true)
    #expect(Self.words(Self.recording(0.1))?.hasPrefix("sound at full scale") == true)
    #expect(Self.words(Self.recording(-26, 250)) != nil)
    #expect(Self.words(Self.recording(-26, fading: -1))?.hasPrefix("a level that changes by") == true)
    #expect(Self.words(Self.recording(-26, seconds: 1.9))?.hasPrefix("1.9 s of sound") == true)
    #expect(Self.words([]) != nil)
    #expect(Self.words(Self.recording(-26), 0)?.hasPrefix("a calibrator of 0 Hz") == true)
    #expect(Self.words(Self.recording(-26), 30_000) != nil)
    #expect(Self.words(Self.recording(-26).map { _ in .nan }) != nil)
  }
}
