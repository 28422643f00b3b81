import Base
import Records
import Studies
import Testing

@testable import Companion

@Suite("Measurements of a real person") struct MeasurerTests {
  @Test(
    "the aid's command is begun with the study's settings and the person's side, and its record is kept")
  func measured() throws {
    try Evening.with { own, at in
      let program = FakeProgram([
        .success(FakeProgram.end(0, "auricle: left out: x\n" + AidReport.loudness() + "\n"))
      ])
      let (ending, text) = try Evening.measure(own, program, "links", "left")
      #expect(ending == .measured && text.contains("Found \"links\"; expected left, right, both, head."))
      #expect(text.contains("Measured, and kept: 1000 Hz, 25.0 dB HL, 5.0 dB SL; calibration provisional"))
      #expect(
        program.commands == [
          "match loudness --frequency 1000 --trials 3 --tinnitus left --room 45 --json"
        ])
      let run = try #require(try own.all().first?.measurements.first)
      guard case .measured(let values, let record)? = run.end?.outcome else {
        Issue.record("no result")
        return
      }
      #expect(
        record.id == "r1" && record.program == "auricle 0.1.0, protocol 1" && record.device == "HDA 200")
      #expect(record.report == AidReport.loudness())
      let kind = TaskKind.loudnessMatch
      #expect(values.count == 10 && values.allSatisfy { kind.figure($0.name)?.unit == $0.unit })
      #expect(values.contains(MeasuredValue("trial_3", 26, "dB HL")))
      // Done for today; tomorrow the side is known.
      let part = try #require(try own.all().first)
      #expect(part.due(at: own.surroundings.now()).map(\.isDone) == [true])
      let tomorrow = FakeProgram([.success(FakeProgram.end(0, AidReport.loudness("r2")))])
      #expect(try Evening.measure(at(24 * 60), tomorrow).0 == .measured)
      #expect(tomorrow.commands.first?.contains("--tinnitus left") == true)
    }
  }

  @Test(
    "with a tinnitus on both sides the ear that hears better is asked; a pitch match and a hearing test have their own words"
  )
  func words() throws {
    try Evening.with(Evening.pitch) { own, _ in
      let program = FakeProgram([.success(FakeProgram.end(0, AidReport.pitch))])
      #expect(try Evening.measure(own, program, "HEAD", "right").0 == .measured)
      #expect(program.commands == ["match pitch --tinnitus head --ear right --room 45 --json"])
      let values = try #require(try own.all().first?.measurements.first?.values)
      #expect(values.map(\.value) == [6000, 3000, 1])
    }
    try Evening.with(Evening.hearing) { own, _ in
      let program = FakeProgram([.success(FakeProgram.end(0, AidReport.hearing))])
      #expect(try Evening.measure(own, program).1.contains("Measured, and kept: 2 thresholds"))
      #expect(program.commands == ["hearing-test --method bayesian --room 45 --json"])
      let values = try #require(try own.all().first?.measurements.first?.values)
      // The masked threshold stands; of what has no response the level up to which nothing was heard.
      #expect(
        values == [
          MeasuredValue("right_1000_hz", 65, "dB HL"),
          MeasuredValue("right_4000_hz_no_response_up_to", 90, "dB HL"),
          MeasuredValue("left_1000_hz", 10, "dB HL"), MeasuredValue("doubts", 2, ""),
        ])
    }
  }

  @Test(
    "a pitch at the end of the tones is kept as one, another as none; of an aid that does not tell it nothing is",
    arguments: [(true, 1), (false, 0)] as [(Bool, Double)])
  func pitchAtEdge(isAtEdge: Bool, expected: Double) throws {
    let kind = TaskKind.pitchMatch
    func values(_ text: String) throws -> [MeasuredValue] {
      let report = try #require(FakeProgram.end(0, text).report)
      return try #require(MeasurementReport(report.json, report.text, of: kind.key)).values
    }
    // A report and an entry of the history have it beside the result.
    let told = AidReport.pitch.replacing(#""record":"#, with: #""pitch_at_edge":\#(isAtEdge),"record":"#)
    #expect(try values(told) == values(AidReport.pitch) + [MeasuredValue("at_edge", expected, "")])
    #expect(try values(told).allSatisfy { kind.figure($0.name)?.unit == $0.unit })
    #expect(
      try values(AidReport.pitch).map(\.name) == ["frequency", "compared_frequency", "octave_confused"])
  }

  @Test(
    "octaves that were not compared, and what a loudness match does not prove, are kept as the aid tells them"
  )
  func reservations() throws {
    func values(_ text: String, _ kind: TaskKind) throws -> [MeasuredValue] {
      let report = try #require(FakeProgram.end(0, text).report)
      let values = try #require(MeasurementReport(report.json, report.text, of: kind.key)).values
      #expect(values.allSatisfy { kind.figure($0.name)?.unit == $0.unit })
      return values
    }
    let pitch = AidReport.pitch.replacing(
      #""record":"#, with: #""uncompared_octaves":["above"],"record":"#)
    #expect(
      try values(pitch, .pitchMatch).suffix(2) == [
        MeasuredValue("octave_below_uncompared", 0, ""), MeasuredValue("octave_above_uncompared", 1, ""),
      ])
    let flags = #""not_turned":true,"threshold_in_doubt":false,"threshold_or_below":true,"threshold":20"#
    let loudness = AidReport.loudness().replacing(#""threshold":20"#, with: flags)
    let told = [
      MeasuredValue("not_turned", 1, ""), MeasuredValue("threshold_or_below", 1, ""),
      MeasuredValue("threshold_in_doubt", 0, ""),
    ]
    let (found, former) = (
      try values(loudness, .loudnessMatch), try values(AidReport.loudness(), .loudnessMatch)
    )
    #expect(found.filter { told.contains($0) } == told && found.count == former.count + 3)
    // Of an aid that does not tell them nothing is kept.
    #expect(!former.contains { value in told.contains { $0.name == value.name } })
  }

  @Test("of thresholds that no noise could mask enough the person reads how many there are")
  func insufficientlyMasked() throws {
    try Evening.with(Evening.hearing) { own, _ in
      let search =
        #"{"ear":"left","frequency":1000,"level":10,"has_response":true,"at_floor":false,"noise":80,"insufficiently_masked":true}"#
      let report = AidReport.hearing.replacing(#""thresholds":[]"#, with: #""thresholds":[\#(search)]"#)
      let program = FakeProgram([.success(FakeProgram.end(0, report))])
      let words = "2 thresholds, of which 1 may be the other ear's: no noise that may be played masks it"
      let said = try Evening.measure(own, program).1
      #expect(said.contains("Measured, and kept: \(words); calibration none"))
    }
  }

  @Test(
    "an aid that does not run, or refuses, leaves the task due; its reason is told and kept, and it can be tried again"
  )
  func refused() throws {
    try Evening.with { own, at in
      let words = "auricled: found no daemon, expected one. Start it: auricle start"
      let failing = FakeProgram([
        .success(
          FakeProgram.end(69, #"{"errors":[{"message":"\#(words)"}],"exit_status":69,"schema":100}"#)),
        .failure(Failure("/usr/bin/auricle", found: "that it does not start: no memory", exit: .system)),
        .success(FakeProgram.end(0, #"{"record":"r1"}"#)),
        .success(FakeProgram.end(0, AidReport.loudness())),
      ])
      let (ending, text) = try Evening.measure(own, failing, "left")
      #expect(ending == .due && text.contains("Not measured: \(words).\n"))
      #expect(text.contains("It stays due until 23:00 on 2026-03-29: auricle q today begins it again."))
      #expect(try Evening.measure(at(1), failing, "left").1.contains("does not start"))
      #expect(try Evening.measure(at(2), failing, "left").1.contains("reports no result that can be read"))
      #expect(try Evening.measure(at(3), failing, "left").0 == .measured)
      let runs = try #require(try own.all().first?.measurements)
      #expect(runs.map(\.isMeasured) == [false, false, false, true] && runs.allSatisfy { $0.end != nil })
      // The person reads the aid's words; of these the kind is kept.
      let kinds = ["auricled: exit status 69", AbsenceReason.notStarted, AbsenceReason.unreadable]
      let kept = runs.prefix(3).compactMap { $0.end?.outcome }
      #expect(kept == kinds.map { MeasurementOutcome.absent($0) })
    }
  }

  /// The words of both are those that the aid writes of earphones on a telephone's link.
  @Test(
    "neither the name that somebody gave their earphones nor their address is kept; the person reads the name",
    arguments: [
      (#""subject":"hearing-test","#, "hearing-test: exit status 69"),
      ("", "hearing-test: exit status 69"), (#""subject":"hw:CARD=Annas","#, "exit status 69"),
    ])
  func names(subject: String, kept: String) throws {
    try Evening.with(Evening.hearing) { own, at in
      let words =
        "hearing-test: Anna Muster's AirPods Pro is connected by the hands-free profile, whose sound has no fixed level."
      let refusal = #"{"errors":[{\#(subject)"message":"\#(words)"}],"exit_status":69,"schema":100}"#
      let device = "bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp (AirPods Pro)"
      let report = AidReport.hearing.replacing(#""device":"HDA 200""#, with: #""device":"\#(device)""#)
      let program = FakeProgram([
        .success(FakeProgram.end(69, refusal)), .success(FakeProgram.end(0, report)),
      ])
      #expect(try Evening.measure(own, program).1.contains("Not measured: \(words)"))
      #expect(try Evening.measure(at(1), program).0 == .measured)
      let runs = try #require(try own.all().first?.measurements)
      #expect(runs.count == 2 && runs[0].end?.outcome == .absent(kept))
      guard case .measured(_, let record)? = runs[1].end?.outcome else {
        Issue.record("no result")
        return
      }
      #expect(record.device == "AirPods Pro" && record.earphone == "AirPods Pro")
    }
  }

  @Test(
    "without the aid's program, or with settings that it does not measure by, nothing is begun and the person is told what to do"
  )
  func impossible() throws {
    try Evening.with { own, _ in
      let (ending, text) = try Evening.measure(own, nil)
      #expect(ending == .due && text.contains("Install Auricle on this computer"))
      #expect(try own.all().first?.measurements.isEmpty == true)
    }
    let other = StudyTask.Work.measurement(
      TaskKind.hearingTest.key, settings: Evening.quiet.merging(["bayesian": 0, "quiet-windows": 9]) { $1 })
    let half = StudyTask.Work.measurement(
      TaskKind.loudnessMatch.key,
      settings: Evening.quiet.merging(["frequency-hz": 1000, "trials": 2.5, "audiogram-days": 180]) { $1 })
    for work in [other, half, .measurement(TaskKind.Key("breath-hold", version: 1), settings: [:])] {
      try Evening.with(work) { own, _ in
        let program = FakeProgram([])
        let (ending, text) = try Evening.measure(own, program)
        #expect(ending == .due && text.contains("Tell whoever made the study.") && program.commands.isEmpty)
      }
    }
  }

  @Test(
    "what is no report of the kind is not taken for one",
    arguments: ["", "{}", "[]", "{\"record\":\"\"}", "{\"record\":1}"])
  func unreadable(text: String) {
    let end = FakeProgram.end(0, text)
    let report = end.report.flatMap { MeasurementReport($0.json, $0.text, of: TaskKind.loudnessMatch.key) }
    #expect(report == nil && !end.reason.isEmpty)
    for kind in [TaskKind.pitchMatch, .hearingTest] {
      let loudness = FakeProgram.end(0, AidReport.loudness()).report
      #expect(loudness.flatMap { MeasurementReport($0.json, $0.text, of: kind.key) } == nil)
    }
  }
}

extension GivenMeasurement {
  /// Numbers of its result.
  fileprivate var values: [MeasuredValue]? {
    if case .measured(let values, _)? = end?.outcome { values } else { nil }
  }
}
