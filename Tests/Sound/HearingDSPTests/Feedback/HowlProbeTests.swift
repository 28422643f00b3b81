import Acoustics
import CommonTesting
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// Audible part of the howl guard's questions where nothing comes back: the chain with the guard against the same chain
/// without, behind the prescription for an ear. The canceller is off: it changes levels itself (NoFeedbackTests).
@Suite("Howl notch: what is heard of its questions") struct HowlProbeTests {
  static let second = AddedStableGainTests.second
  static let ears: [StandardAudiogram] = [.n2, .n4]
  /// Windows in which levels are compared, frames: 20 ms, shorter than a step of the code.
  static let window = 882
  /// Loss of level that is noticed, dB: 1 dB for a tone at a moderate level (Jesteadt, Wier and Green 1977, from memory), which is
  /// also how deep a question to a tone is, and its rounding.
  static let noticed = 1.01
  /// Loss that was heard as a fault when every question was that deep, dB.
  static let fault = 3.0

  /// A change of level that the guard made.
  struct Change {
    /// Time since the sound began, s.
    var begin: Double
    var end: Double
  }

  /// Sounds that warn, over a floor of 25 dB SPL.
  enum Alarm: CaseIterable, Sendable {
    /// Smoke alarm, "temporal three" of ISO 8201: three times 0.5 s on and off, then 1 s more of silence. 3.1 kHz as piezo sounders
    /// have it, 520 Hz as NFPA 72 asks for bedrooms. From memory, both.
    case smoke, lowSmoke
    /// Reversing lorry: 1250 Hz, twice a second on or off.
    case reversing
    /// Fire engine of two notes, 440 and 585 Hz (DIN 14610, from memory), 0.7 s each.
    case twoTone
    /// Siren that falls from 1200 to 500 Hz every second.
    case falling

    /// - Parameter level: Of the loudest partial, dB SPL.
    func samples(seconds: Int, level: Double) -> [Float] {
      var sound = Signal.noise(peak: Float(Signal.amplitude(25)), count: seconds * HowlProbeTests.second)
      let amplitude = Signal.amplitude(level)
      var turns = 0.0
      for n in sound.indices {
        let time = Double(n) / 44_100
        let beat = time.truncatingRemainder(dividingBy: 1)
        let ends = max(0, min(1, beat / 0.005, (0.5 - beat) / 0.005))
        let isLast = time.truncatingRemainder(dividingBy: 4) >= 3
        var (frequency, gain, partials) = (1250.0, ends, [1.0])
        switch self {
        case .smoke: (frequency, gain) = (3100, isLast ? 0 : ends)
        case .lowSmoke: (frequency, gain, partials) = (520, isLast ? 0 : ends, [1, 0, 0.33, 0, 0.2])
        case .reversing: break
        case .twoTone:
          (frequency, gain) = (time.truncatingRemainder(dividingBy: 1.4) < 0.7 ? 440 : 585, 1)
          partials = [1, 0.5, 0.3]
        case .falling: (frequency, gain) = (1200 - 700 * beat, 1)
        }
        turns += frequency / 44_100
        for (index, strength) in partials.enumerated() {
          sound[n] += Float(amplitude * gain * strength * sin(2 * .pi * Double(index + 1) * turns))
        }
      }
      return sound
    }
  }

  /// Audible trace of the questions to a sound.
  struct Heard {
    /// Of more than 0.7 dB, those within 0.15 s as one.
    var changes: [Change] = []
    /// Greatest level lost, dB.
    var lost = 0.0
    /// Windows with sound, and those of them in which as much of it is lost as is noticed.
    var sounding = 0
    var noticed = 0
    var share: Double { Double(noticed) / Double(sounding) }
  }

  private static func heard(_ sound: [Float], ear: StandardAudiogram) throws -> Heard {
    let curves = try NALRPCompressive(compressionRatio: 2).curves(for: ear.audiogram, bands: .standard)
    func output(notching: Bool) throws -> [Float] {
      var loop = try ClosedLoop(
        gain: 0, feedback: ClosedLoop.control(cancelling: false, notching: notching), path: [0], limit: 110,
        curves: curves)
      let output = loop.run(sound[...])
      #expect(loop.rig.chain.meters.left.howls == 0)
      return output
    }
    let (with, without) = (try output(notching: true), try output(notching: false))
    var heard = Heard()
    for start in stride(from: 0, to: with.count - window, by: window / 2) {
      let expected = Measure.level(of: without[start..<start + window])
      // Softer ones are the floor.
      guard expected > 60 else { continue }
      let change = Measure.level(of: with[start..<start + window]) - expected
      heard.lost = max(heard.lost, -change)
      heard.sounding += 1
      if change < -noticed { heard.noticed += 1 }
      guard abs(change) > 0.7 else { continue }
      let time = Double(start) / 44_100
      if let last = heard.changes.last, time - last.end < 0.15 {
        heard.changes[heard.changes.count - 1].end = time + 0.02
      } else {
        heard.changes.append(Change(begin: time, end: time + 0.02))
      }
    }
    return heard
  }

  @Test(
    "a loud tone that stands is lowered by 1 dB for 0.24 s, after 1.3 s and then at intervals that double to 16 s",
    arguments: [1000.0, 3000])
  func standingTone(_ frequency: Double) throws {
    let floor = Signal.noise(peak: Float(Signal.amplitude(25)), count: 44 * Self.second)
    let tone = Signal.tone(frequency, level: 80, count: floor.count)
    let heard = try Self.heard(zip(floor, tone).map { $0 + $1 }, ear: .n4)
    let changes = heard.changes
    #expect(heard.lost < Self.noticed)
    // Half of the code: 8 steps of 29 ms, and half a window at both ends.
    #expect(changes.allSatisfy { $0.end - $0.begin < 0.232 + 0.02 })
    let intervals = zip(changes, changes.dropFirst()).map { $1.begin - $0.begin }
    // 1, 2, 4, 8, 16 s of rest and the probe itself, 0.24 s.
    try #require(intervals.count == 5)
    for (index, interval) in intervals.enumerated() {
      #expect(abs(interval - (0.24 + Double(1 << index))) < 0.1)
    }
    // One tone that has stood for 1 s, after 0.3 s of patience.
    #expect(abs(changes[0].begin - 1.33) < 0.1)
  }

  @Test(
    "of an alarm up to 95 dB SPL a hundredth of its time at most loses more than 1 dB, and none 3 dB",
    arguments: cases(ears),
    cases(Alarm.allCases))
  func alarms(_ ear: StandardAudiogram, _ alarm: Alarm) throws {
    for level in [75.0, 85, 95] {
      let heard = try Self.heard(alarm.samples(seconds: 12, level: level), ear: ear)
      #expect(
        heard.lost < Self.fault && heard.share <= 0.01, "\(level) dB SPL: \(heard.lost) dB, \(heard.share)")
    }
  }

  @Test(
    "of a melody a hundredth of its time at most loses more than 1 dB, and none 3 dB",
    arguments: cases(ears),
    cases(Melody.allCases))
  func music(_ ear: StandardAudiogram, _ melody: Melody) throws {
    for level in [65.0, 80] {
      let heard = try Self.heard(melody.samples(20 * Self.second, level: level), ear: ear)
      #expect(
        heard.lost < Self.fault && heard.share <= 0.01, "\(level) dB SPL: \(heard.lost) dB, \(heard.share)")
    }
  }

  @Test("chords keep every sample", arguments: cases(ears))
  func chords(_ ear: StandardAudiogram) throws {
    let heard = try Self.heard(FeedbackSound.music.samples(14 * Self.second), ear: ear)
    #expect(heard.changes.isEmpty && heard.lost == 0)
  }
}
