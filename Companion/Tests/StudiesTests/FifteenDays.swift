import ProgramsTesting
import Questionnaires

@testable import Studies

/// The programme of fifteen days as its folder has it.
enum FifteenDays {
  static let folder = Programs.path("../../Studies/fifteen-days")
  static let use = StudyCheckTests.use

  private static let read = Result { try StudyBundle(StudyFolder.content(of: folder)) }

  /// Read once.
  static func bundle() throws -> StudyBundle { try read.get() }

  /// Answers that open no gateway.
  static let quiet: [String: AnswerValue] = [
    "sleep-quality.quality": .number(6), "sleep-quality.insomnia": .yes(false), "phq-2.1": .choice("1"),
    "phq-2.2": .choice("0"), "gad-2.1": .choice("1"), "gad-2.2": .choice("0"), "daytime.sleepy": .number(5),
    "daytime.doze": .choice("monthly"), "thinking.trouble": .number(5), "breathing.snoring": .yes(false),
    "breathing.pauses": .dontKnow, "pain.worst": .number(3), "timing.shifts": .yes(false),
    "timing.bed": .time(Samples.time("23:00")), "timing.up": .time(Samples.time("07:00")),
    "timing.free-bed": .time(Samples.time("00:00")), "timing.free-up": .time(Samples.time("09:59")),
    "intake.affects": .yes(false),
  ]

  /// Answers that open one gateway each, at the limit, beside ``quiet``.
  static let openings: [(gateway: String, answers: [String: AnswerValue], module: String)] = [
    ("insomnia", ["sleep-quality.insomnia": .yes(true)], "insomnia-more"),
    ("poor-sleep", ["sleep-quality.quality": .number(5)], "poor-sleep-more"),
    ("depression", ["phq-2.1": .choice("2")], "phq-8"), ("depression", ["phq-2.2": .choice("3")], "phq-8"),
    ("anxiety", ["gad-2.1": .choice("3")], "gad-7"), ("anxiety", ["gad-2.2": .choice("2")], "gad-7"),
    ("sleepiness", ["daytime.sleepy": .number(6)], "sleepiness-more"),
    ("sleepiness", ["daytime.doze": .choice("weekly")], "sleepiness-more"),
    ("cognitive", ["thinking.trouble": .number(6)], "thinking-more"),
    ("apnoea", ["breathing.snoring": .yes(true)], "breathing-more"),
    ("apnoea", ["breathing.pauses": .yes(true)], "breathing-more"),
    ("pain", ["pain.worst": .number(4)], "pain-more"),
    ("timing", ["timing.shifts": .yes(true)], "timing-more"),
    // Mid-sleep 03:00 on working days and 05:00 on free ones.
    ("timing", ["timing.free-up": .time(Samples.time("10:00"))], "timing-more"),
    ("diet", ["intake.affects": .yes(true)], "diet-more"),
  ]

  static let loud = openings.reduce(into: quiet) { $0.merge($1.answers) { $1 } }

  static func course(
    _ answers: [String: AnswerValue], begun: [String: Int] = [:], today: Int = 1
  ) throws -> DayModules {
    modules(StudyEdition(try bundle(), use), answers, begun: begun, today: today)
  }

  /// For one answer to each question.
  static func modules(
    _ edition: StudyEdition, _ answers: [String: AnswerValue], begun: [String: Int] = [:], today: Int = 1
  ) -> DayModules {
    DayModules(edition, answers: answers.mapValues { [$0] }, begun: begun, today: today)
  }
}
