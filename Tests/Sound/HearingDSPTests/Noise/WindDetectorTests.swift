import Acoustics
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Wind") struct WindDetectorTests {
  static let count = 44_100 * 4 / 64 * 64

  static func isWindy(_ left: [Float], _ right: [Float]) throws -> Bool {
    var rig = try ChainRig.treated(.wind(10))
    _ = rig.run(left, right)
    return rig.chain.meters.scene.isWindy
  }

  @Test("wind is found with one microphone and with two")
  func wind() throws {
    let left = NoiseSound.wind(level: 75, count: Self.count, seed: 1)
    let right = NoiseSound.wind(level: 72, count: Self.count, seed: 2)
    #expect(try Self.isWindy(left, left))
    #expect(try Self.isWindy(left, right))
  }

  @Test("speech, speech-shaped noise, white noise, faint wind and silence are not wind")
  func others() throws {
    let speech = Signal.speechLike(level: 70, count: Self.count)
    let noise = NoiseSound.speechShaped(level: 75, count: Self.count, seed: 3)
    let other = NoiseSound.speechShaped(level: 75, count: Self.count, seed: 4)
    let white = Signal.noise(peak: 0.1, count: Self.count)
    let faint = NoiseSound.wind(level: 45, count: Self.count, seed: 5)
    for sound in [speech, noise, white, faint, Signal.silence(Self.count)] {
      #expect(try !Self.isWindy(sound, sound))
    }
    #expect(try !Self.isWindy(noise, other))
  }

  @Test("a low rumble that both ears hear alike is no wind, but would be one with a single microphone")
  func rumble() throws {
    let left = NoiseSound.wind(level: 75, count: Self.count, seed: 6)
    // The same sound a quarter of a millisecond later and a little softer, as from the side.
    let right = left.indices.map { $0 < 11 ? 0 : 0.9 * left[$0 - 11] }
    #expect(try !Self.isWindy(left, right))
    #expect(try Self.isWindy(left, left))
  }

  @Test(
    "with a dead microphone the other one is judged alone: wind is found, low sound with a hum at 700 Hz is not"
  )
  func deadMicrophone() throws {
    let wind = NoiseSound.wind(level: 75, count: Self.count, seed: 10)
    let hum = Signal.tone(700, level: 78, count: Self.count)
    // Steep enough for wind, but its centre lies at some 500 Hz.
    let sound = zip(wind, hum).map { $0 + $1 }
    // Nothing, and the noise of a converter at 40 dB SPL.
    let noise = Signal.noise(peak: Float(Signal.amplitude(40)), count: Self.count)
    for dead in [Signal.silence(Self.count), noise] {
      #expect(try !Self.isWindy(sound, dead))
      #expect(try !Self.isWindy(dead, sound))
      #expect(try Self.isWindy(wind, dead))
    }
    #expect(try !Self.isWindy(sound, sound))
  }

  @Test("low bands are relieved by the depth, bands above 1.5 kHz by nothing")
  func relief() throws {
    let wind = NoiseSound.wind(level: 80, count: Self.count, seed: 7)
    let probe = Signal.tone(3000, level: 40, count: Self.count)
    let sound = zip(wind, probe).map { $0 + $1 }
    var plain = try ChainRig.treated(.plain)
    var relieved = try ChainRig.treated(.wind(12))
    let (before, after) = (plain.run(sound).left, relieved.run(sound).left)
    let steady = 132_300..<Self.count
    #expect(abs(Measure.level(of: before[steady]) - Measure.level(of: after[steady]) - 12) < 0.5)
    let kept =
      Measure.level(of: before[steady], at: 3000) - Measure.level(of: after[steady], at: 3000)
    // The phase of a minimum-phase window moves with the bands below; the magnitude does not.
    #expect(abs(kept) < 0.3)
  }

  @Test("relief goes when the wind is over")
  func end() throws {
    let wind = NoiseSound.wind(level: 80, count: Self.count, seed: 8)
    var rig = try ChainRig.treated(.wind(12))
    _ = rig.run(wind)
    #expect(rig.chain.meters.scene.isWindy)
    _ = rig.run(NoiseSound.speechShaped(level: 60, count: Self.count, seed: 9))
    #expect(!rig.chain.meters.scene.isWindy)
    #expect(abs(rig.chain.meters.left.insertionGain[0]) < 0.01)
  }
}
