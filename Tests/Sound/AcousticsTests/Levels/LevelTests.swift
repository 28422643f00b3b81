import Foundation
import Testing

@testable import Acoustics

@Suite("Levels") struct LevelTests {
  @Test("a gain moves a level, and two levels of a kind differ by a gain")
  func arithmetic() {
    var level = SoundPressureLevel(65)
    #expect(level + 20 == SoundPressureLevel(85))
    #expect(level - 20 == SoundPressureLevel(45))
    #expect(SoundPressureLevel(85) - level == 20.0)
    level += 3
    level -= 1
    #expect(level == SoundPressureLevel(67))
    #expect(HearingLevel(-10) < HearingLevel(0))
    #expect(SensationLevel(-.infinity) < SensationLevel(-200))
  }

  @Test("a level that is not a number lies in no range")
  func notANumber() {
    let level = HearingLevel(.nan)
    #expect(!(Audiogram.levels ~= level))
    #expect(!(level <= HearingLevel(0)) && !(level >= HearingLevel(0)) && level != level)
  }

  @Test("a level is a bare number in a file")
  func coding() throws {
    let data = try JSONEncoder().encode([HearingLevel(42.5)])
    #expect(String(decoding: data, as: UTF8.self) == "[42.5]")
    #expect(try JSONDecoder().decode([HearingLevel].self, from: data) == [HearingLevel(42.5)])
  }

  @Test("a level prints with its unit")
  func description() {
    #expect("\(SoundPressureLevel(65))" == "65.0 dB SPL")
    #expect("\(FullScaleLevel(-20))" == "-20.0 dB FS")
  }

  @Test("a full-scale sine is 0 dB FS, a full-scale square wave 3.01 dB FS (AES17)")
  func fullScale() {
    #expect(FullScaleLevel(sinePeak: 1).decibels == 0)
    #expect(abs(FullScaleLevel(rootMeanSquare: 1 / 2.0.squareRoot()).decibels) < 1e-12)
    #expect(abs(FullScaleLevel(rootMeanSquare: 1).decibels - 10 * log10(2)) < 1e-12)
    #expect(abs(FullScaleLevel(-20).sinePeak - 0.1) < 1e-15)
    #expect(abs(FullScaleLevel(-20).rootMeanSquare - 0.1 / 2.0.squareRoot()) < 1e-15)
    #expect(FullScaleLevel(sinePeak: 0).decibels == -.infinity)
  }

  @Test("two equal sounds together are 3.01 dB louder, ten equal ones 10 dB, none is silence")
  func powerSum() {
    let one = SoundPressureLevel(60)
    #expect(abs((SoundPressureLevel.powerSum([one, one]) - one) - 10 * log10(2)) < 1e-12)
    #expect(abs((SoundPressureLevel.powerSum(Array(repeating: one, count: 10)) - one) - 10) < 1e-12)
    #expect(SoundPressureLevel.powerSum([]).decibels == -.infinity)
    #expect(SoundPressureLevel.powerSum([one, SoundPressureLevel(-.infinity)]) == one)
  }
}
