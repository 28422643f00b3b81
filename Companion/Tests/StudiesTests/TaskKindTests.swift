import Almanac
import Base
import Testing

@testable import Studies

@Suite("Measurements of a study") struct TaskKindTests {
  @Test("names of numbers are those that their kind describes, each with its unit; others are not")
  func figures() {
    #expect(TaskKind.loudnessMatch.figure("trial_12")?.unit == "dB HL")
    #expect(TaskKind.loudnessMatch.figure("sensation_level")?.unit == "dB SL")
    #expect(
      TaskKind.hearingTest.figure("left_1000_hz")?.meaning.hasPrefix("threshold of the left ear") == true)
    for name in ["octave_confused", "at_edge", "octave_below_uncompared", "octave_above_uncompared"] {
      #expect(TaskKind.pitchMatch.figure(name)?.unit == "")
    }
    for name in ["at_limit", "not_turned", "threshold_or_below", "threshold_in_doubt"] {
      #expect(TaskKind.loudnessMatch.figure(name)?.unit == "")
    }
    // A missing threshold is not said to be no response: each reason has a number of its own.
    #expect(TaskKind.hearingTest.figure("right_4000_hz_no_response_up_to")?.unit == "dB HL")
    for reason in ["or_below", "insufficiently_masked", "contradictory", "not_tested"] {
      #expect(TaskKind.hearingTest.figure("left_500_hz_\(reason)")?.unit == "")
    }
    for name in ["trial_", "trial_x", "trial_1_2", "left_hz", "", "_", "level_1"] {
      #expect(TaskKind.loudnessMatch.figure(name) == nil && TaskKind.hearingTest.figure(name) == nil)
    }
  }

  @Test("numbers of things and what is on or off are whole; frequencies and levels need not be")
  func whole() {
    let kinds = [TaskKind.hearingTest, .loudnessMatch, .pitchMatch]
    for setting in kinds.flatMap(\.settings) {
      let isMeasure = ["frequency-hz", "quiet-below-dba"].contains(setting.name)
      let (least, greatest) = (setting.range.lowerBound, setting.range.upperBound)
      #expect(setting.isWhole != isMeasure, "\(setting.name)")
      #expect(setting.takes(least) && setting.takes(greatest))
      #expect(setting.takes(least + 0.5) == isMeasure)
      #expect(!setting.takes(least - 1) && !setting.takes(greatest + 1))
    }
  }

  @Test("a measurement is done when its occurrence has a result, and no other is")
  func done() throws {
    var sound = SoundStudy()
    let quiet = ["quiet-below-dba": 45.0, "quiet-windows": 5, "allows-relative-level": 0]
    sound.study.tasks.append(
      StudyTask(
        "hearing", .measurement(TaskKind.hearingTest.key, settings: quiet.merging(["bayesian": 0]) { $1 }),
        sound.study.tasks[0].schedule, minutes: 15, dataType: "answers"))
    let first = try #require(CalendarDate("2026-03-22"))
    let content = try StudyContent(StudyEdition(sound.bundle(), BundleUse(on: first)))
    let course = Course(content, from: first, seed: 1, in: ZoneHistory(try ZoneFolder().zone("UTC")))
    let now = try #require(Instant("2026-03-22T09:00:00Z"))
    func due(_ measured: Set<String>) -> [String: Bool?] {
      let found = course.due([], measured: measured, on: 1...2, at: now)
      return Dictionary(uniqueKeysWithValues: found.map { ($0.occurrence.id, $0.isMeasured) })
    }
    let name = "hearing/2026-03-22/1"
    #expect(due([])[name] == .some(false) && due([name])[name] == .some(true))
    #expect(due([name])["hearing/2026-03-23/1"] == .some(false))
    #expect(due([name])["log/2026-03-22/1"] == .some(nil))
    let done = course.due([], measured: [name, "log/2026-03-22/1"], on: 1...1, at: now).filter(\.isDone)
    #expect(done.map(\.occurrence.id) == [name])
  }
}
