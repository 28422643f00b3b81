import Acoustics
import Glibc
import HearingDSP
import Testing

@testable import Engine

/// What is asked of every change by a person: no click 60 dB below the sound or louder, and no jump of level by more than
/// 3 dB in 100 ms beyond those of the sound itself.
@Suite("Switching programs") struct ProgramSwitchTests {
  /// Every program's levels have settled by then, also those of music, which starts at 90 dB SPL and takes 3 s to let go.
  static let change = 6.0
  static let seconds = 8.5

  /// The sound has risen by then, s.
  static let begin = 0.5

  /// A sound in one setting all along, both ears.
  static func steady(_ input: [Float], _ settings: HearingSettings) throws -> Binaural<SoundReading> {
    let output = try ProgramBench.run(input, settings)
    return Binaural(left: SoundReading(output.left), right: SoundReading(output.right))
  }

  /// Change of one setting into another while a sound lasts, against the same sound in either setting all along.
  static func check(
    _ input: [Float], _ sound: ProgramBench.Sound, from first: HearingSettings, to second: HearingSettings,
    shortest: Double, steady: (Binaural<SoundReading>, Binaural<SoundReading>), _ name: String
  ) throws {
    var pace = ProgramPace()
    let next = pace.settings(second, after: first, shortest: shortest, now: 0)
    let output = try ProgramBench.run(input, first, changes: [(change, next)])
    for ear in Ear.allCases {
      let reading = SoundReading(output[ear])
      let own = (steady.0[ear], steady.1[ear])
      // Only speech has jumps of its own.
      let jump = reading.greatestJump(after: begin, beyond: sound == .speech ? own : nil)
      #expect(jump <= 3, "\(name), \(sound), \(ear): jump of \(jump) dB")
      let click = reading.greatestClick(after: begin, beyond: own)
      #expect(click < -60, "\(name), \(sound), \(ear): click of \(click) dB")
    }
  }

  @Test("between every two programs: no click, no jump", arguments: ProgramBench.Sound.allCases)
  func pairs(sound: ProgramBench.Sound) throws {
    let input = ProgramBench.sound(sound, seconds: Self.seconds)
    let settings = ListeningProgram.allCases.map { ProgramBench.settings($0) }
    let steady = try settings.map { try Self.steady(input, $0) }
    for first in settings.indices {
      for second in settings.indices where second != first {
        try Self.check(
          input, sound, from: settings[first], to: settings[second], shortest: ProgramPace.bySwitch,
          steady: (steady[first], steady[second]),
          "\(ListeningProgram.allCases[first]) → \(ListeningProgram.allCases[second])")
      }
    }
  }

  @Test(
    "turns of volume and tone, small and great: no click, no jump", arguments: ProgramBench.Sound.allCases)
  func turns(sound: ProgramBench.Sound) throws {
    let input = ProgramBench.sound(sound, seconds: Self.seconds)
    let plain = ProgramBench.settings(.quiet)
    let before = try Self.steady(input, plain)
    for turn in [
      SoundAdjustment(volume: -2), SoundAdjustment(volume: -20), SoundAdjustment(tone: 6),
      SoundAdjustment(tone: -6), SoundAdjustment(volume: -10, tone: 2),
    ] {
      var turned = plain
      turned.adjustment = turn
      let after = try Self.steady(input, turned)
      let name = "volume \(turn.volume), tone \(turn.tone)"
      try Self.check(
        input, sound, from: plain, to: turned, shortest: ProgramPace.byTurn, steady: (before, after), name)
      try Self.check(
        input, sound, from: turned, to: plain, shortest: ProgramPace.byTurn, steady: (after, before),
        name + " back")
    }
  }

  @Test("a change in the midst of others makes no jump either")
  func storm() throws {
    let input = ProgramBench.sound(.tone, seconds: Self.seconds)
    var pace = ProgramPace()
    var current = ProgramBench.settings(.quiet)
    var changes: [(time: Double, settings: HearingSettings)] = []
    for step in 0..<30 {
      var next = ProgramBench.settings(ListeningProgram.allCases[step % 5])
      next.adjustment.volume = step % 3 == 0 ? -20 : 0
      let time = 1 + Double(step) * 0.07
      next = pace.settings(next, after: current, shortest: ProgramPace.bySwitch, now: time)
      changes.append((time, next))
      current = next
    }
    let output = try ProgramBench.run(input, ProgramBench.settings(.quiet), changes: changes)
    for ear in Ear.allCases {
      let jump = SoundReading(output[ear]).greatestJump(after: Self.begin, beyond: nil)
      #expect(jump <= 3, "\(ear): jump of \(jump) dB")
    }
  }

  @Test(
    "a switch takes 50 ms where the gains are near, and longer by 75 ms for every dB where they are not")
  func pace() throws {
    var pace = ProgramPace()
    let quiet = ProgramBench.settings(.quiet)
    #expect(pace.settings(quiet, after: quiet, shortest: 0.05, now: 0).transition == 0.05)
    var softer = quiet
    softer.adjustment.volume = -10
    let turned = pace.settings(softer, after: quiet, shortest: 0.05, now: 1)
    #expect(abs(turned.transition - 0.75) < 1e-9)
    // Half of the way is left, and 10 dB back.
    #expect(abs(pace.settings(quiet, after: turned, shortest: 0.05, now: 1.375).transition - 1.125) < 1e-9)
    // The aid's own moves are slow however near they are.
    #expect(pace.settings(quiet, after: quiet, shortest: 4, now: 60).transition == 4)
  }

  @Test("what a switch takes lies within what the chain accepts, whatever is asked for")
  func bounds() {
    var pace = ProgramPace()
    let quiet = ProgramBench.settings(.quiet)
    let next = pace.settings(quiet, after: quiet, shortest: 1000, now: 0)
    #expect(next.transition == Treatment.transitions.upperBound)
  }
}
