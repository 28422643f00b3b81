import Almanac
import Base
import Foundation
import Instruments
import ProgramsTesting
import Questionnaires
import Testing

@testable import Studies

@Suite("The fifteen days") struct FifteenDaysTests {
  @Test("the programme passes its check without a finding")
  func sound() throws {
    #expect(try StudyCheck(FifteenDays.use).findings(in: FifteenDays.bundle()).map(\.description) == [])
  }

  @Test("its files are what the library writes, and it is the same after packing and reading")
  func lossless() throws {
    let bundle = try FifteenDays.bundle()
    #expect(try JSONValue(bundle.content[Study.file] ?? [], count: 100_000) == bundle.study.json)
    for entry in bundle.study.questionnaires {
      let json = try JSONValue(bundle.content[entry.file] ?? [], depth: 64, count: 100_000)
      #expect(json == bundle.questionnaires[entry.id]?.fhir, "\(entry.file)")
    }
    let archive = try bundle.archive(signedBy: FakeSigner())
    #expect(try SignedBundle(archive: archive, trust: FakeTrust()).bundle == bundle)
  }

  @Test(
    "its questionnaires are FHIR by Python's fhir.resources",
    .enabled(
      if: Programs.python(with: "fhir.resources") != nil,
      "Python's fhir.resources is not installed: pip install fhir.resources"))
  func accepted() throws {
    let lines = try FifteenDays.bundle().questionnaires.values.map { $0.fhir.minified + "\n" }
    let python = try #require(Programs.python(with: "fhir.resources"))
    let output = try Programs.run(
      python, [Programs.path("../QuestionnairesTests/resources.py")], lines.joined())
    #expect(output == "\(lines.count) accepted\n")
  }

  @Test(
    "twelve pillars, three tiers and ten gateways; each questionnaire belongs to one module or task, and so each question to one pillar"
  )
  func parts() throws {
    let study = try FifteenDays.bundle().study
    #expect(study.pillars.count == 12 && study.gateways.count == 10 && study.dayCount == 15)
    #expect(Set(study.modules.map(\.tier)) == Set(StudyModule.Tier.allCases))
    let tasks = study.tasks.compactMap { task in
      if case .questionnaire(let id) = task.work { id } else { nil }
    }
    let uses = (tasks + study.modules.map(\.questionnaire)).sorted()
    #expect(uses == study.questionnaires.map(\.id).filter { $0 != "eligibility" }.sorted())
    let pillars = Set(study.modules.map(\.pillar) + study.tasks.compactMap(\.pillar))
    #expect(pillars == Set(study.pillars.map(\.id)))
  }

  @Test("white letters on each pillar's colour have a contrast of 4.5 at least (WCAG 2.2, 1.4.3)")
  func contrast() throws {
    for pillar in try FifteenDays.bundle().study.pillars {
      let digits = Array(pillar.colour.dropFirst())
      let channels = stride(from: 0, to: 6, by: 2).map { index -> Double in
        let value = Double(Int(String(digits[index...index + 1]), radix: 16) ?? 0) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      }
      let luminance = 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
      #expect(1.05 / (luminance + 0.05) >= 4.5, "\(pillar.id)")
    }
  }

  @Test(
    "five core days have the plan's titles and minutes, and the times that people need for their questions are within a fifth of these",
    arguments: [
      (1, "Demographics & Sleep Quality", 12.0), (2, "Sleep Patterns", 11),
      (3, "Sleep Timing & Mental Health", 8),
      (4, "Physical Health & Metabolic", 9), (5, "Nutritional & Social", 7),
    ])
  func days(number: Int, title: String, minutes: Double) throws {
    let bundle = try FifteenDays.bundle()
    let day = try #require(bundle.study.days.first { $0.number == number })
    #expect(day.title.text == title && day.minutes == minutes)
    let ids = ["log"] + day.modules.compactMap(bundle.study.module).map(\.questionnaire)
    let sum = ids.reduce(0) { $0 + (bundle.questionnaires[$1]?.usualMinutes ?? 0) }
    #expect(abs(sum - minutes) <= minutes * 0.2, "\(sum)")
  }

  @Test("stated minutes of each module and task are those that people need, to a tenth")
  func minutes() throws {
    let bundle = try FifteenDays.bundle()
    for module in bundle.study.modules {
      let needed = bundle.questionnaires[module.questionnaire]?.usualMinutes ?? 0
      #expect(abs(module.minutes - needed) <= 0.05 + 1e-9, "\(module.id)")
    }
  }

  @Test("no text that people see has the word of a tier, and no day names an instrument")
  func words() throws {
    let study = try FifteenDays.bundle().study
    for (place, text) in study.localizedTexts {
      for word in [text.text] + text.translations.values {
        #expect(!StudyModule.Tier.allCases.contains { word.lowercased().contains($0.rawValue) }, "\(place)")
        #expect(!Instrument.all.contains { word.contains($0.name) }, "\(place)")
      }
    }
  }

  @Test(
    "only free instruments have their sentences here, those of the library, with their makers; no other question has points"
  )
  func free() throws {
    let bundle = try FifteenDays.bundle()
    #expect(Set(bundle.study.instruments.map(\.id)) == ["phq-2", "gad-2", "phq-8", "gad-7"])
    let items = bundle.items
    for entry in bundle.study.instruments {
      let sentences = (entry.instrument?.items ?? []).map { items["\(entry.id).\($0.code)"]?.text.text }
      #expect(sentences == FreeText.items[entry.id])
      let texts = bundle.questionnaires[entry.questionnaire]?.items.map(\.text.text) ?? []
      #expect(
        texts.contains(FreeText.leads[entry.id] ?? "none")
          && texts.contains(entry.instrument?.attribution ?? "none"))
    }
    let scored = items.values.filter { item in
      if case .single(let options, _) = item.kind { options.contains { $0.points != nil } } else { false }
    }
    #expect(
      scored.allSatisfy { $0.id.hasPrefix("phq-") || $0.id.hasPrefix("gad-") }
        && scored.count == 2 + 2 + 8 + 7)
    let sources = try #require(bundle.text("sources", in: "en"))
    #expect(["PHQ-2", "PHQ-8", "GAD-2", "GAD-7"].allSatisfy(sources.contains))
  }

  @Test(
    "nothing is asked twice: each sentence comes once, but those of PHQ and GAD, which are scored by themselves"
  )
  func once() throws {
    var seen: [String: String] = [:]
    for item in try FifteenDays.bundle().items.values.sorted(by: { $0.id < $1.id })
    where item.kind.isQuestion && !item.id.hasPrefix("phq-") && !item.id.hasPrefix("gad-") {
      #expect(seen[item.text.text] == nil, "\(item.id) and \(seen[item.text.text] ?? "")")
      seen[item.text.text] = item.id
    }
  }

  @Test(
    "the log comes on each of the fifteen days once, from 04:00 of the wall, over a change of clocks and a journey of nine hours"
  )
  func unlock() throws {
    let study = try FifteenDays.bundle().study
    let begin = try #require(CalendarDate("2026-03-20"))
    let (berlin, tokyo) = (try ZoneFolder().zone("Europe/Berlin"), try ZoneFolder().zone("Asia/Tokyo"))
    for task in study.tasks where task.id != "diary" {
      let plan = try #require(task.schedule.plan(id: task.id, beginning: begin, seed: 1))
      var zones = ZoneHistory(tokyo)
      let last = try #require(begin.adding(days: 20))
      zones.move(
        to: berlin, at: tokyo.instant(of: LocalMoment(try #require(CalendarDate("2026-03-25")), .noon)))
      let occurrences = plan.occurrences(on: begin...last, in: zones)
      #expect(occurrences.map { StudySchedule.day(of: $0.date, beginning: begin) } == Array(1...15))
      for occurrence in occurrences {
        let zone = try ZoneFolder().zone(occurrence.zoneName)
        #expect("\(zone.local(at: occurrence.opens).time)" == "04:00" && occurrence.remark == nil)
      }
    }
  }

  @Test("somebody of age who is in no crisis may take part; the others are told why not")
  func eligibility() throws {
    let eligibility = try FifteenDays.bundle().study.eligibility
    #expect(eligibility.decision(by: ["age": [.number(18)], "crisis": [.yes(false)]]) == .eligible)
    #expect(
      eligibility.decision(by: ["age": [.number(17)], "crisis": [.yes(false)]]) == .ineligible(["adult"]))
    #expect(
      eligibility.decision(by: ["age": [.number(40)], "crisis": [.yes(true)]]) == .ineligible(["crisis"]))
    #expect(eligibility.criteria.filter { $0.showsHelp == true }.map(\.id) == ["crisis"])
  }
}
