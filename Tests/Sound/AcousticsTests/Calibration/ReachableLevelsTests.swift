import Base
import Glibc
import Testing

@testable import Acoustics

/// RETSPL of ER-3A in the ear simulator at 1 kHz: 5.5 dB SPL (ISO 389-2).
@Suite("Levels that earphones can play") struct ReachableLevelsTests {
  /// 0 dB FS is 110 dB SPL: at 1 kHz 104.5 dB HL.
  static func earphones(maximum: Double? = nil, _ identifier: String? = "er3a") throws -> OutputCalibration
  {
    OutputCalibration(
      device: .unknown, sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(110))),
      transducer: identifier.flatMap(Transducer.named), maximumLevel: maximum.map { SoundPressureLevel($0) }
    )
  }

  static func levels(
    maximum: Double? = nil, bits: Int? = nil, limit: Double = 120
  ) throws -> ReachableLevels {
    ReachableLevels(try earphones(maximum: maximum), resolution: bits, limit: SoundPressureLevel(limit))
  }

  @Test("the loudest tone lies 1 dB below full scale, unless earphone or limit bound it before")
  func loudest() throws {
    func loudest(_ levels: ReachableLevels) throws -> Double {
      try levels.range(at: 1000, ear: .left).upperBound.decibels
    }
    #expect(try loudest(Self.levels()) == 110 - 1 - 5.5)
    #expect(try loudest(Self.levels(maximum: 100)) == 100 - 5.5)
    #expect(try loudest(Self.levels(maximum: 100, limit: 90)) == 90 - 5.5)
    #expect(try loudest(Self.levels(maximum: 130)) == 110 - 1 - 5.5)
  }

  @Test("the softest tone has a peak of 4 steps of the format; floating point resolves silence")
  func softest() throws {
    for bits in [16, 24, 32] {
      let softest = try Self.levels(bits: bits).range(at: 1000, ear: .right).lowerBound
      // 2^(bits − 1) steps are full scale; the sums of decibels round in another order here.
      let fullScale = 20 * Double(bits - 1) * log10(2.0)
      let expected = 104.5 + 20 * log10(4.0) - fullScale
      #expect(abs(softest.decibels - expected) < 1e-9)
    }
    #expect(try Self.levels().range(at: 1000, ear: .right).lowerBound.decibels == -.infinity)
  }

  @Test("0 dB HL needs more than 16 bits where full scale is loud, and has them in 24")
  func resolution() throws {
    let level = HearingLevel(0)
    try Self.levels(bits: 24).check(level, at: 1000, ear: .left)
    let words = refusal { () throws(AcousticsError) in
      try ReachableLevelsTests.sixteen.check(level, at: 1000, ear: .left)
    }
    #expect(
      words
        == "0 dB HL at 1000 Hz on the left ear: expected at least 26.23 dB HL, for the resolution of 16 bits; a format "
        + "of more bits or floating point resolves it")
  }

  private static var sixteen: ReachableLevels {
    ReachableLevels(
      OutputCalibration(
        device: .unknown, sensitivity: Binaural(both: Sensitivity(checkedFlat: SoundPressureLevel(110))),
        transducer: Transducer.named("er3a"), maximumLevel: SoundPressureLevel(100)), resolution: 16,
      limit: SoundPressureLevel(90))
  }

  @Test("a level above is refused by the name of what bounds it")
  func refused() throws {
    func words(_ levels: ReachableLevels, _ level: Double) -> String? {
      refusal { () throws(AcousticsError) in try levels.check(HearingLevel(level), at: 1000, ear: .right) }
    }
    #expect(
      words(try Self.levels(), 104)
        == "104 dB HL at 1000 Hz on the right ear: expected at most 103.5 dB HL, for 1 dB below full scale")
    #expect(
      words(try Self.levels(maximum: 100), 104)?.hasSuffix("the earphone's greatest level, 100 dB SPL")
        == true)
    #expect(
      words(try Self.levels(maximum: 100, limit: 90), 84.6)?.hasSuffix(
        "at most 84.5 dB HL, for the greatest output, 90 dB SPL") == true)
    #expect(words(try Self.levels(), 103.5) == nil)
    #expect(words(try Self.levels(), .nan)?.hasSuffix("expected a number") == true)
    #expect(words(try Self.levels(), .infinity) != nil)
  }

  @Test("a limit below what the format resolves leaves no level, which is said")
  func empty() throws {
    let levels = try Self.levels(bits: 16, limit: 30)
    let words = refusal { () throws(AcousticsError) in try levels.range(at: 1000, ear: .left) }
    #expect(words?.hasPrefix("no level at 1000 Hz on the left ear: the resolution of 16 bits") == true)
  }

  @Test("no reference threshold, no hearing level")
  func unknown() throws {
    let levels = ReachableLevels(
      try Self.earphones(nil), resolution: nil, limit: SoundPressureLevel(120))
    #expect(refusal { () throws(AcousticsError) in try levels.range(at: 1000, ear: .left) } != nil)
    let outside = try Self.levels()
    #expect(refusal { () throws(AcousticsError) in try outside.range(at: 20_000, ear: .left) } != nil)
  }

  /// By the definition of the quantity, not by the code: a period of the rounded sine against the sine.
  @Test("from a peak of 4 steps a rounded sine has its level within 0.4 dB")
  func rounding() {
    let frames = 10_007
    for peak in stride(from: ReachableLevels.smallestPeak, through: 8, by: 0.05) {
      var sum = 0.0
      for frame in 0..<frames {
        let sine = sin(2 * .pi * Double(frame) / Double(frames))
        sum += (peak * sine).rounded() * sine
      }
      #expect(abs(20 * log10(2 * sum / Double(frames) / peak)) < 0.4)
    }
  }
}
