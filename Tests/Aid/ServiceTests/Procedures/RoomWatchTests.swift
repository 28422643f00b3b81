import Acoustics
import CommonTesting
import Glibc
import Procedures
import Testing

@testable import Service

/// The room as a microphone hears it, beside the procedure's own sound.
@Suite("Watch on the room") struct RoomWatchTests {
  private static let rate = 48_000.0
  private static let fullScale = Calibrated(SoundPressureLevel(120), status: .provisional)

  private func watch() throws -> RoomWatch {
    try RoomWatch(.tinnitusStudy, rate: Self.rate, fullScale: Self.fullScale)
  }

  /// White noise of a sound pressure level, A-weighted about 2 dB lower at 48 kHz.
  private func noise(_ level: Double, seconds: Double, _ random: inout SeededGenerator) -> [SIMD2<Float>] {
    let deviation = pow(10, (level - 120) / 20) / 2.0.squareRoot()
    return (0..<Int(seconds * Self.rate)).map { _ in
      let a = Double.random(in: 1e-12..<1, using: &random)
      let b = Double.random(in: 0..<1, using: &random)
      let x = Float(deviation * (-2 * log(a)).squareRoot() * cos(2 * .pi * b))
      return SIMD2(x, x)
    }
  }

  @Test(
    "a quiet room opens after five seconds, a loud one closes it after two, and it opens again by itself after five"
  )
  func course() throws {
    var (watch, random) = (try watch(), SeededGenerator(1))
    for second in 1...5 {
      #expect(!watch.isOpen)
      let windows = watch.take(noise(38, seconds: 1, &random), isOwnNoiseOn: false, isBroken: false)
      #expect(windows.count == 1, "second \(second)")
    }
    #expect(watch.isOpen)
    _ = watch.take(noise(60, seconds: 1, &random), isOwnNoiseOn: false, isBroken: false)
    #expect(watch.isOpen && watch.gate.state == .suspected)
    _ = watch.take(noise(60, seconds: 1, &random), isOwnNoiseOn: false, isBroken: false)
    #expect(!watch.isOpen)
    for _ in 1...5 {
      #expect(!watch.isOpen)
      _ = watch.take(noise(38, seconds: 1, &random), isOwnNoiseOn: false, isBroken: false)
    }
    #expect(watch.isOpen && watch.gate.interruptions.count == 1)
  }

  @Test(
    "the procedure's own tone does not close it, though it leaks to the microphone 25 dB above the room",
    arguments: [250.0, 1000, 4000])
  func ownTone(_ frequency: Double) throws {
    var (watch, random) = (try watch(), SeededGenerator(2))
    watch.leaveOut(frequency)
    let peak = pow(10, (63.0 - 120) / 20)
    for second in 0..<10 {
      var sound = noise(38, seconds: 1, &random)
      // From the sixth second on a tone in pulses.
      if second >= 5 {
        for n in sound.indices {
          let time = Double(n) / Self.rate
          let place = time.truncatingRemainder(dividingBy: 0.5)
          let distance = min(place, 0.3 - place)
          let envelope = distance <= 0 ? 0 : distance < 0.03 ? 0.5 - 0.5 * cos(.pi * distance / 0.03) : 1
          let x = Float(envelope * peak * sin(2 * .pi * frequency * time))
          sound[n] += SIMD2(x, x)
        }
      }
      let windows = watch.take(sound, isOwnNoiseOn: false, isBroken: false)
      #expect(windows.count == 1)
    }
    #expect(watch.isOpen && watch.gate.interruptions.isEmpty && watch.gate.state == .quiet)
  }

  @Test(
    "an octave band's level is the same whether the procedure's own tone is taken out of it or not",
    arguments: [125.0, 250, 1000])
  func bandsBesideATone(_ frequency: Double) throws {
    var (watch, random) = (try watch(), SeededGenerator(5))
    for second in 0..<25 {
      // From the sixth second on the tone sounds; in the last five there is another.
      if second == 5 { watch.leaveOut(frequency) }
      if second == 20 { watch.leaveOut(4000) }
      _ = watch.take(noise(38, seconds: 1, &random), isOwnNoiseOn: false, isBroken: false)
    }
    #expect(watch.isOpen)
    let level = try #require(watch.quietBands[frequency]).decibels
    // White noise of 38 dB SPL up to 24 kHz has 38 + 10 lg(width / 24 kHz) in an octave, whose width is its middle / √2. Nine seconds of
    // a band of 88 Hz have a standard deviation of 4.3 dB / √(88 · 9), 0.15 dB: five of them, and 0.4 dB of the filter's width
    // (OctaveBandFilterTests).
    let expected = 38 + 10 * log10(frequency / 2.0.squareRoot() / 24_000)
    #expect(abs(level - expected) < 1.2)
  }

  @Test("while own noise is on, and a quarter of a second after it, nothing counts")
  func ownNoise() throws {
    var (watch, random) = (try watch(), SeededGenerator(3))
    for _ in 1...5 { _ = watch.take(noise(38, seconds: 1, &random), isOwnNoiseOn: false, isBroken: false) }
    #expect(watch.take(noise(70, seconds: 3, &random), isOwnNoiseOn: true, isBroken: false).isEmpty)
    #expect(watch.take(noise(70, seconds: 0.25, &random), isOwnNoiseOn: false, isBroken: false).isEmpty)
    _ = watch.take(noise(38, seconds: 1, &random), isOwnNoiseOn: false, isBroken: false)
    #expect(watch.isOpen && watch.gate.state == .quiet)
  }

  @Test("a room that becomes loud stops a search for the masking level within six of its noises")
  func besideMasking() throws {
    let plan = ProcedurePlan.masking(
      MaskingPlan(ear: .left, signal: .broadNoise, frequency: 1000, range: RecordedProcedure.range))
    let cue = try #require(plan.begin(seed: 1).nextStep?.cues.first)
    let duration = try #require(cue.stimulus?.duration)
    var (watch, random) = (try watch(), SeededGenerator(6))
    for _ in 1...5 { _ = watch.take(noise(38, seconds: 1, &random), isOwnNoiseOn: false, isBroken: false) }
    var count = 0
    while watch.isOpen, count < 20 {
      count += 1
      _ = watch.take(noise(60, seconds: cue.gap, &random), isOwnNoiseOn: false, isBroken: false)
      _ = watch.take(noise(75, seconds: duration, &random), isOwnNoiseOn: true, isBroken: false)
    }
    // Two windows of a second: 0.6 s before the first noise, and 0.35 s behind each quarter of a second that is left out.
    #expect(!watch.isOpen && count <= 6)
  }

  @Test("a microphone that delivers zeros, or with gaps, cannot say that a room is quiet")
  func dropOut() throws {
    var (watch, random) = (try watch(), SeededGenerator(4))
    for _ in 1...5 { _ = watch.take(noise(38, seconds: 1, &random), isOwnNoiseOn: false, isBroken: false) }
    let zeros = [SIMD2<Float>](repeating: .zero, count: Int(Self.rate))
    // The filter's own tail: two seconds until it is silent.
    for _ in 0..<4 { _ = watch.take(zeros, isOwnNoiseOn: false, isBroken: false) }
    #expect(!watch.isOpen)
    var broken = try self.watch()
    for _ in 1...9 { _ = broken.take(noise(38, seconds: 1, &random), isOwnNoiseOn: false, isBroken: true) }
    #expect(!broken.isOpen)
  }
}
