import Acoustics
import Base
import CommonTesting
import Control
import Foundation
import Procedures
import Testing

@testable import Service

/// Records on the disk: whole lines, whatever ends the program.
@Suite("Records of procedures") struct ProcedureRecordTests {
  let folder = TemporaryFolder()

  private func bytes(_ lines: [ProcedureLine]) throws -> [UInt8] {
    try lines.flatMap { try JSON.bytes($0) + [UInt8(ascii: "\n")] }
  }

  @Test("what is written is read again, line by line", arguments: RecordedProcedure.plans.indices)
  func roundTrip(_ index: Int) throws {
    let (name, plan) = RecordedProcedure.plans[index]
    let records = ProcedureFolder(state: folder.path)
    let (file, identifier) = try records.make(name.rawValue, at: 1_790_000_000)
    let lines = try RecordedProcedure.lines(name, plan)
    for line in lines { try file.add(line, isSafe: false) }
    let record = try records.record(identifier)
    #expect([.begin(record.beginning)] + record.lines == lines)
    #expect(record.result != nil && record.ended != nil)
    let summary = try #require(records.summaries().first)
    #expect(
      summary.beginning == record.beginning && summary.result == record.result
        && summary.ended == record.ended)
    #expect(try record.procedure().result == record.result)
    var status = stat()
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(stat(records.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
    // 2026-09-21T14:13:20Z
    #expect(identifier == "20260921T141320Z-\(name.rawValue)")
  }

  @Test("silences of a hearing test are counted by what was played, those that were interrupted aside")
  func silences() throws {
    let tone = Stimulus(.pulsed, .left, frequency: 1000, level: HearingLevel(30), duration: 1.3)
    func presented(_ step: Int, _ stimulus: Stimulus?) -> ProcedureLine {
      .presented(
        PresentedSound(
          step: step, cue: 0, stimulus: stimulus, masker: nil, sound: nil, digital: nil,
          status: .provisional, digest: "", at: 1_790_000_000))
    }
    func details(_ index: Int) throws -> ProcedureDetails {
      let (name, plan) = RecordedProcedure.plans[index]
      guard case .begin(let beginning)? = try RecordedProcedure.lines(name, plan).first else {
        throw Failure("record", found: "no beginning", exit: .software)
      }
      let answers: [ProcedureAnswer] = [.heard(after: 0.4), .heard(after: 0.4), .notHeard, .interrupted]
      var lines: [ProcedureLine] = []
      for (place, answer) in answers.enumerated() {
        // The first step has a tone, the others none.
        lines.append(presented(place + 1, place == 0 ? tone : nil))
        lines.append(.answer(step: place + 1, answer, at: 1_790_000_004))
      }
      return ProcedureDetails(beginning: beginning, lines: lines)
    }
    #expect(try details(0).silences == ProcedureDetails.Silences(answered: 1, count: 2))
    // A loudness match has none.
    #expect(try details(1).silences == nil)
  }

  @Test(
    "cut off at any byte, a record goes on at the step whose answer was not whole, with nothing invented and nothing lost",
    arguments: RecordedProcedure.plans.indices)
  func cutOff(_ index: Int) throws {
    let (name, plan) = RecordedProcedure.plans[index]
    let lines = try RecordedProcedure.lines(name, plan)
    let whole = try bytes(lines)
    // Steps by the count of answers before them.
    var (procedure, steps) = (plan.begin(seed: 3), [ProcedureStep?]())
    var answers: [ProcedureAnswer] = []
    steps.append(procedure.nextStep)
    for case .answer(_, let answer, _) in lines {
      _ = procedure.take(answer)
      answers.append(answer)
      steps.append(procedure.nextStep)
    }
    let first = try bytes([lines[0]]).count
    var ends: [Int] = []
    for line in lines { ends.append((ends.last ?? 0) + (try bytes([line]).count)) }
    // Every byte of the second line, a hundred places in all, and the ends of a hundred lines.
    var cuts = Set(first..<ends[1]).union(stride(from: first, to: whole.count, by: whole.count / 100))
    for index in stride(from: 0, to: ends.count, by: max(1, ends.count / 100)) {
      cuts.formUnion(
        [ends[index] - 1, ends[index], min(ends[index] + 1, whole.count)].filter { $0 >= first })
    }
    for cut in cuts {
      let record = try ProcedureRecord(Array(whole[..<cut]), named: "r")
      let count = record.answers.count
      #expect(record.answers == Array(answers[..<count]))
      #expect(try record.procedure().nextStep == steps[count])
      #expect(whole[record.length - 1] == UInt8(ascii: "\n") && record.length <= cut)
      // No answer that is whole on the disk is left out.
      let kept = ends.lastIndex { $0 <= cut }
      let expected = lines[...(kept ?? 0)].count { if case .answer = $0 { true } else { false } }
      #expect(count == expected)
    }
  }

  @Test("a record that goes on is cut behind its last whole line first")
  func continuing() throws {
    let (name, plan) = RecordedProcedure.plans[1]
    let lines = try RecordedProcedure.lines(name, plan)
    let path = folder.file("r.jsonl")
    let torn = try bytes(Array(lines[..<4])) + Array("{\"line\":\"answ".utf8)
    try WholeFile.save(torn, to: path)
    let record = try ProcedureRecord(at: path)
    let file = try ProcedureFile(continuing: path, length: record.length)
    try file.add(.resumed(at: 5), isSafe: true)
    let again = try ProcedureRecord(at: path)
    #expect(again.lines == Array(lines[1..<4]) + [.resumed(at: 5)])
    let summary = try ProcedureSummary(at: path)
    #expect(summary.beginning == again.beginning && summary.result == nil && summary.ended == nil)
  }

  @Test(
    "one that is longer than an answer is shown without keys and without windows of the room but the last, and comes out as it was"
  )
  func shortened() throws {
    let (name, plan) = RecordedProcedure.plans[1]
    let lines = try RecordedProcedure.lines(name, plan)
    let whole = ProcedureDetails(try ProcedureRecord(try bytes(lines), named: "r"))
    #expect(whole.isShortened == nil && whole.lines == Array(lines.dropFirst()))
    // A key that was held down for nine minutes.
    let key = try #require(ProcedureKey(.turn, value: -1))
    let held = try bytes([.key(PressedKey(key: key, at: 1_790_000_000))])
    let windows = [41.0, 42].map { level in
      ProcedureLine.room(RoomReading(level: level, state: .quiet, at: 1_790_000_000))
    }
    var text = try bytes([lines[0]])
    for _ in 0..<16_000 { text += held }
    text += try bytes(windows + Array(lines.dropFirst()))
    let details = ProcedureDetails(try ProcedureRecord(text, named: "r"))
    #expect(details.isShortened == true)
    #expect(details.lines == [windows[1]] + Array(lines.dropFirst()))
    #expect(try JSON.bytes(details).count < 1 << 20)
    let replay = try ProcedureReplay(details)
    #expect(replay.isSame && replay.result != nil)
  }

  @Test(
    "whoever goes on without listening to the room has that in the record; a line of before has no reason")
  func withoutRoom() throws {
    let line = ProcedureLine.resumed(reason: "without listening to the room", at: 5)
    let text = String(decoding: try JSON.bytes(line), as: UTF8.self)
    #expect(text == #"{"at":5,"line":"resumed","reason":"without listening to the room"}"#)
    #expect(try JSON.value(ProcedureLine.self, from: Array(text.utf8)) == line)
    let former = try JSON.value(ProcedureLine.self, from: Array(#"{"at":5,"line":"resumed"}"#.utf8))
    #expect(former == .resumed(at: 5))
  }

  @Test(
    "sounds that the answers before them do not lead to are refused, as of another version or an edited file"
  )
  func otherSounds() throws {
    for (name, plan) in RecordedProcedure.plans {
      let lines = Array(try RecordedProcedure.lines(name, plan).dropLast())
      let honest = try ProcedureRecord(try bytes(lines), named: "r")
      #expect(throws: Never.self) { try honest.checkSounds() }
      // Without one of its answers the sounds behind it belong to another step.
      let first = try #require(lines.firstIndex { if case .answer = $0 { true } else { false } })
      var cut = lines
      cut.remove(at: first)
      let other = try ProcedureRecord(try bytes(cut), named: "r")
      guard cut.dropFirst(first).contains(where: { if case .presented = $0 { true } else { false } }) else {
        continue
      }
      let failure = #expect(throws: Failure.self) { try other.checkSounds() }
      #expect(failure?.exitStatus == .unavailable && failure?.remedy == "Begin anew.")
    }
  }

  @Test("answers before a restart are void")
  func restarted() throws {
    let (name, plan) = RecordedProcedure.plans[1]
    var lines = Array(try RecordedProcedure.lines(name, plan).dropLast())
    lines.append(.restarted(reason: "a test", at: 9))
    let record = try ProcedureRecord(try bytes(lines), named: "r")
    #expect(record.answers.isEmpty && record.result == nil)
    #expect(try record.procedure().nextStep == plan.begin(seed: 3).nextStep)
  }

  @Test("a line in the middle that is damaged, and a file that is no record, are refused by name and line")
  func damaged() throws {
    let lines = try RecordedProcedure.lines(.loudness, RecordedProcedure.plans[1].1)
    let first = try bytes([lines[0]])
    let broken = first + Array("{\"line\":\"answer\"}\n".utf8) + (try bytes([lines[1]]))
    let failure = #expect(throws: Failure.self) { try ProcedureRecord(broken, named: "r") }
    #expect(failure?.subject == "r:2" && failure?.exitStatus == .badData)
    for text in ["", "{}\n", "null\n", "[1,2]\n", "{\"line\":\"end\",\"at\":1,\"content\":{}}\n"] {
      #expect(throws: Failure.self) { try ProcedureRecord(Array(text.utf8), named: "r") }
    }
  }

  /// Written in a number's place, in three parts.
  private static let extremes = [
    ["0", "1e308", "NaN"], ["-1", "-1e308", "null"], ["9007199254740993", "1e-308", "\"x\""],
  ]

  @Test("numbers of a record pushed to their extremes end nothing: it is read, refused or worked out")
  func extremes() throws {
    for (index, (name, plan)) in RecordedProcedure.plans.enumerated() {
      let lines = try RecordedProcedure.lines(name, plan)
      let text = String(decoding: try bytes(lines.prefix(20) + [lines[lines.count - 1]]), as: UTF8.self)
      let numbers = text.ranges(of: try Regex("-?[0-9]+(\\.[0-9]+)?(e[+-]?[0-9]+)?"))
      // The first ones are those of the plan and the calibration.
      for (turn, place) in numbers.prefix(120).enumerated() {
        // A third of the values at each place, another third at the next, and so in groups of three too.
        for other in Self.extremes[(index + turn + turn / 3) % 3] {
          let changed = text.replacingCharacters(in: place, with: other)
          guard let record = try? ProcedureRecord(Array(changed.utf8), named: "r") else { continue }
          _ = try? record.procedure().result
          // Sounds of all kinds are made by the same code: the first step has them.
          if index < 4 {
            _ = try? ProcedureReplay(
              ProcedureDetails(beginning: record.beginning, lines: Array(record.lines.prefix(2))))
          }
          _ = LoudnessTable([ProcedureDetails(beginning: record.beginning, lines: record.lines)]).text
        }
      }
    }
  }
}
