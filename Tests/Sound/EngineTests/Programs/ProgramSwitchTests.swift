import Acoustics
import CommonTesting
import Glibc
import HearingDSP
import Testing

@testable import Engine

/// What is asked of every change by a person: no click 60 dB below the sound or louder, and no jump of level by more than
/// 3 dB in 100 ms beyond those of the sound itself.
@Suite("Switching programs") struct ProgramSwitchTests {
  /// Time of the first change, s: every program's levels have settled by then, also those of music, which start at 90 dB SPL and take 3 s
  /// to fall.
  static let change = 6.0
  /// Time from one change to the next, s: every way is over by then, and levels have followed it.
  static let pause = 3.0
  /// Time behind the last change, s.
  static let rest = 2.5
  /// Time before a change in which a reading may see it, s: that of a jump, and its window.
  static let before = 0.2

  /// The sound has risen by then, s.
  static let begin = 0.5

  /// Length of a sound with so many changes, s.
  static func seconds(changes: Int = 1) -> Double { change + Double(changes - 1) * pause + rest }

  /// A setting, and what a sound is in it all along, both ears.
  struct Place {
    let name: String
    let settings: HearingSettings
    let steady: Binaural<SoundReading>

    init(_ name: String, _ settings: HearingSettings, of input: [Float]) throws {
      (self.name, self.settings) = (name, settings)
      let output = try ProgramBench.run(input, settings)
      steady = Binaural(left: SoundReading(output.left), right: SoundReading(output.right))
    }
  }

  /// Changes of one setting into the next while a sound lasts, each against the same sound in either setting all along.
  static func check(
    _ input: [Float], _ sound: ProgramBench.Sound, through places: [Place], shortest: Double
  ) throws {
    var pace = ProgramPace()
    var current = places[0].settings
    var changes: [(time: Double, settings: HearingSettings)] = []
    for (number, place) in places.dropFirst().enumerated() {
      let time = change + Double(number) * pause
      current = pace.settings(place.settings, after: current, shortest: shortest, now: time)
      changes.append((time, current))
    }
    let output = try ProgramBench.run(input, places[0].settings, changes: changes)
    let starts = [begin] + changes.dropFirst().map { $0.time - before }
    let stretches = zip(starts, starts.dropFirst() + [Double.infinity]).map { $0..<$1 }
    for ear in Ear.allCases {
      let reading = SoundReading(output[ear])
      for (number, times) in stretches.enumerated() {
        let (first, second) = (places[number], places[number + 1])
        let (own, name) = ((first.steady[ear], second.steady[ear]), "\(first.name) → \(second.name)")
        // Only speech has jumps of its own.
        let jump = reading.greatestJump(in: times, beyond: sound == .speech ? own : nil)
        #expect(jump <= 3, "\(name), \(sound), \(ear): jump of \(jump) dB")
        let click = reading.greatestClick(in: times, after: begin, beyond: own)
        #expect(click < -60, "\(name), \(sound), \(ear): click of \(click) dB")
      }
    }
  }

  @Test("between every two programs: no click, no jump", arguments: cases(ProgramBench.Sound.allCases))
  func pairs(sound: ProgramBench.Sound) throws {
    let count = ListeningProgram.allCases.count
    let input = ProgramBench.sound(sound, seconds: Self.seconds(changes: count - 1))
    let places = try ListeningProgram.allCases.map {
      try Place("\($0)", ProgramBench.settings($0), of: input)
    }
    var pairs: Set<[String]> = []
    // From every program on by 1, 2, 3, … in the circle of all: each step is then made from each of them, and so between every two.
    for first in places.indices {
      let course = (0..<count).map { places[(first + $0 * ($0 + 1) / 2) % count] }
      pairs.formUnion(zip(course, course.dropFirst()).map { [$0.name, $1.name] })
      try Self.check(input, sound, through: course, shortest: ProgramPace.bySwitch)
    }
    #expect(pairs.count == count * (count - 1))
  }

  @Test(
    "turns of volume and tone, small and great: no click, no jump",
    arguments: cases(ProgramBench.Sound.allCases))
  func turns(sound: ProgramBench.Sound) throws {
    let input = ProgramBench.sound(sound, seconds: Self.seconds(changes: 2))
    let plain = try Place("plain", ProgramBench.settings(.quiet), of: input)
    for turn in [
      SoundAdjustment(volume: -2), SoundAdjustment(volume: -20), SoundAdjustment(tone: 6),
      SoundAdjustment(tone: -6), SoundAdjustment(volume: -10, tone: 2),
    ] {
      var settings = plain.settings
      settings.adjustment = turn
      let turned = try Place("volume \(turn.volume), tone \(turn.tone)", settings, of: input)
      try Self.check(input, sound, through: [plain, turned, plain], shortest: ProgramPace.byTurn)
    }
  }

  @Test("a change in the midst of others makes no jump either")
  func storm() throws {
    let input = ProgramBench.sound(.tone, seconds: Self.seconds())
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
      let jump = SoundReading(output[ear]).greatestJump(in: Self.begin..<(.infinity), beyond: nil)
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

  @Test(
    "another calibration, a higher limit and the balance of a stream are paced by what becomes louder in the digits"
  )
  func paceInDigits() throws {
    let plain = ProgramBench.settings(.quiet)
    func time(_ change: (inout HearingSettings) throws -> Void) throws -> (isLouder: Bool, seconds: Double)
    {
      var next = plain
      try change(&next)
      var pace = ProgramPace()
      return (
        next.isLouder(than: plain), pace.settings(next, after: plain, shortest: 0.1, now: 0).transition
      )
    }
    func earphones(_ level: Double) throws -> OutputCalibration {
      OutputCalibration(
        device: plain.earphones.device,
        sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(level))))
    }
    // 75 ms for every dB. Full scale of 100 instead of 120 dB SPL: the same sound takes 20 dB more digits.
    let weaker = try time { $0.earphones = try earphones(100) }
    #expect(weaker.isLouder && abs(weaker.seconds - 1.5) < 1e-9)
    #expect(try time { $0.earphones = try earphones(130) }.isLouder == false)
    var low = plain
    low.maximumOutput = SoundPressureLevel(90)
    var pace = ProgramPace()
    let rise = plain.outputCeiling - low.outputCeiling
    #expect(plain.isLouder(than: low) && !low.isLouder(than: plain) && rise > 0)
    #expect(pace.settings(plain, after: low, shortest: 0.1, now: 0).transition >= 0.075 * rise - 1e-9)
    let toLeft = try time { $0.streaming = StreamingSettings(balance: 0) }
    #expect(!toLeft.isLouder)
    var (left, right) = (plain, plain)
    (left.streaming, right.streaming) = (StreamingSettings(balance: 20), StreamingSettings(balance: -20))
    #expect(abs(pace.settings(right, after: left, shortest: 0.1, now: 100).transition - 1.5) < 1e-9)
  }

  @Test(
    "what is left of a way to louder sound is told until it is over, and nothing of one to softer sound")
  func timeLeft() {
    var pace = ProgramPace()
    #expect(pace.timeLeft(at: 5) == 0)
    let quiet = ProgramBench.settings(.quiet)
    var softer = quiet
    softer.adjustment.volume = -10
    _ = pace.settings(softer, after: quiet, shortest: 4, now: 10)
    #expect(pace.timeLeft(at: 11) == 0)
    _ = pace.settings(quiet, after: softer, shortest: 4, now: 20)
    #expect(pace.timeLeft(at: 21) == 3 && pace.timeLeft(at: 24) == 0 && pace.timeLeft(at: 30) == 0)
    // Turned a little softer on the way, it still leads to louder sound.
    _ = pace.settings(quiet, after: softer, shortest: 4, now: 40)
    _ = pace.settings(quiet, after: quiet, shortest: 4, now: 41)
    #expect(pace.timeLeft(at: 42) == 3)
  }

  @Test(
    "settings of other bands, few or many, are compared without a fault, and change nothing of the pace")
  func otherBands() throws {
    let many = ProgramBench.settings(.quiet)
    var few = many
    few.bands = try BandLayout(centres: [250, 500, 1000, 2000, 4000])
    for (next, former) in [(many, few), (few, many)] {
      var pace = ProgramPace()
      #expect(!next.isLouder(than: former))
      #expect(pace.settings(next, after: former, shortest: 0.1, now: 0).transition == 0.1)
    }
  }

  @Test("what a switch takes lies within what the chain accepts, whatever is asked for")
  func bounds() {
    var pace = ProgramPace()
    let quiet = ProgramBench.settings(.quiet)
    let next = pace.settings(quiet, after: quiet, shortest: 1000, now: 0)
    #expect(next.transition == Treatment.transitions.upperBound)
  }
}
