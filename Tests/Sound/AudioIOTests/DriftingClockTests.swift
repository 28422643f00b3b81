import AudioIO
import AudioIOTesting
import Glibc
import Testing

/// The short form of `clock-trial`, and what it relies on.
@Suite("Clocks in a day of changing temperature") struct DriftingClockTests {
  static let clocks = DriftingClocks()

  @Test(
    "in a day the difference reaches 300 ppm both ways, never exceeds it, and changes by 7.2 ppm a second at most"
  )
  func model() throws {
    let differences = (0..<Int(DriftingClocks.day)).map { Self.clocks.difference(at: Double($0)) }
    #expect(differences.min() == -300 && differences.max() == 300)
    let steps = zip(differences, differences.dropFirst()).map { abs($1 - $0) }
    // The pocket 200 / 60 s, draughts 2π (10 / 97 + 5 / 23.3 + 2 / 7.1 s), day and night 2π 200 / 86,400 s: if all came at once.
    let greatest = try #require(steps.max())
    #expect(greatest < 7.2)
  }

  @Test(
    "one of two clocks is within 20 ppm, and the other one's difference is what is told",
    arguments: [0.0, 40_000, 86_399])
  func twoOscillators(time: Double) {
    let capture = Self.clocks.capture(at: time)
    #expect(abs(capture) <= 20)
    #expect(abs(Self.clocks.playback(at: time) - capture - Self.clocks.difference(at: time)) < 1e-9)
  }

  @Test("a tone is whole, and its place is told", arguments: [45, 36])
  func wholeTone(period: Int) {
    var check = ToneCheck(period: period, amplitude: 0.5)
    let samples = check.samples
    for n in 0..<1000 {
      let isWhole = check.take(samples[n % period])
      #expect(isWhole)
      guard n > 0 else { continue }
      let distance = abs(check.place - Double(n % period))
      // Samples are floats: 2^-24 of the amplitude moves the place by far less.
      #expect(min(distance, Double(period) - distance) < 1e-3)
    }
  }

  @Test(
    "a sample that is lost, doubled or not a number breaks a tone, wherever it is", arguments: [45, 36])
  func brokenTone(period: Int) {
    let samples = ToneCheck(period: period, amplitude: 0.5).samples
    for place in 0..<period {
      for indices in [
        Array(0..<place + period) + [place + period + 1], Array(0..<place + period) + [place + period - 1],
      ] {
        var check = ToneCheck(period: period, amplitude: 0.5)
        let following = (1...4).map { (indices.last ?? 0) + $0 }
        let answers = (indices + following).map { check.take(samples[$0 % period]) }
        #expect(answers.contains(false), "\(place)")
      }
      var check = ToneCheck(period: period, amplitude: 0.5)
      for n in 0..<place + 2 { _ = check.take(samples[n % period]) }
      let isWhole = check.take(.nan)
      #expect(!isWhole)
    }
  }

  /// Into the pocket at the hottest hour, where the bound is met, and out of it in the evening, where the drift is fastest.
  @Test(
    "two minutes of it: no sample lost or doubled, no restart, the delay within one period and in the sound where the devices tell it",
    arguments: [38 * 1410.0 - 30, 47 * 1410.0 - 30])
  func twoMinutes(start: Double) throws {
    var trial = try ClockTrial(start: start)
    var figures = trial.run(seconds: 1)
    for _ in 0..<12 { figures.add(trial.run(seconds: 10)) }
    #expect(figures.broken == 0 && figures.mishaps == 0)
    // Every sample was looked at: two minutes less what is still in the buffer.
    #expect(figures.heard > 120 * 44_100)
    #expect(figures.told.width <= 64 && figures.found.width <= 64, "\(figures)")
    // A frame of the one is whole, of the other not; a block is resampled to whole frames.
    #expect(abs(figures.told.mean - figures.found.mean) < 1.5, "\(figures)")
    #expect(figures.difference.width > 50, "\(figures)")
  }

  @Test("a sample that the card loses is told")
  func losesSample() throws {
    var trial = try ClockTrial()
    let before = trial.run(seconds: 1)
    #expect(before.broken == 0)
    trial.loseFrames(1)
    let after = trial.run(seconds: 1)
    #expect(after.broken > 0)
  }
}
