import Testing

@testable import Instruments

/// Scores here are stand-ins: the makers' table is licensed, and none of it is in this repository.
@Suite("Scores by a site's table") struct ScoreTableTests {
  static let instrument = Instrument.promisCognitive4

  static func rows(_ change: (inout [ScoreTable.Row]) -> Void = { _ in }) -> [ScoreTable.Row] {
    var rows = (4...20).map { ScoreTable.Row($0, 30 + 1.5 * Double($0 - 4)) }
    change(&rows)
    return rows
  }

  static func answers(_ value: Double, count: Int = 4) -> ItemAnswers {
    ItemAnswers(Dictionary(uniqueKeysWithValues: (1...count).map { ("\($0)", value) }))
  }

  @Test("a sum becomes the score of its row; below 40 is one standard deviation worse")
  func scored() throws {
    let table = try ScoreTable(Self.rows(), of: Self.instrument)
    let low = try Self.instrument.score(Self.answers(2), by: table)
    // 4 + 4 rows of 1.5.
    #expect(low.outcome == .value(36) && low.band?.label == "one standard deviation or more below the mean")
    let usual = try Self.instrument.score(Self.answers(5), by: table)
    #expect(usual.outcome == .value(54) && usual.band?.label == "usual")
    #expect(Self.instrument.band(40)?.label == "usual" && Self.instrument.band((40.0).nextDown)?.from == 0)
  }

  @Test(
    "without the site's table, or with another form's, there is no score and the sum is not told as one")
  func absent() throws {
    let reason = Score.Outcome.absent(
      "the site's table of scores is not there; the sum of the answers is no score")
    #expect(try Self.instrument.score(Self.answers(3)).outcome == reason)
    let other = try ScoreTable(
      (6...30).map { ScoreTable.Row($0, Double($0)) }, of: .promisCognitive6)
    let score = try Self.instrument.score(Self.answers(3), by: other)
    #expect(score.outcome == reason && score.band == nil)
  }

  @Test("an item without an answer leaves no score: only the makers score patterns of answers")
  func missing() throws {
    let table = try ScoreTable(Self.rows(), of: Self.instrument)
    #expect(
      try Self.instrument.score(Self.answers(3, count: 3), by: table).outcome
        == .absent("item 4 not answered"))
    #expect(throws: InstrumentRefusal.self) { try Self.instrument.score(Self.answers(6), by: table) }
    #expect(throws: InstrumentRefusal.self) { try Self.instrument.score(Self.answers(0), by: table) }
  }

  @Test("the three forms have 4, 6 and 8 items of 1 to 5, and need the makers' permission")
  func forms() {
    let forms = [Instrument.promisCognitive4, .promisCognitive6, .promisCognitive8]
    #expect(forms.map(\.items.count) == [4, 6, 8])
    #expect(forms.map(\.tabulated) == [4...20, 6...30, 8...40])
    #expect(forms.allSatisfy { $0.licence == .permission && !$0.licence.shipsText })
    #expect(Instrument.all.count { $0.tabulated != nil } == 3)
  }

  @Test(
    "a table that is not complete, not rising or out of range is refused with its row, what was found and expected"
  )
  func refused() throws {
    func fault(_ change: @escaping (inout [ScoreTable.Row]) -> Void) -> String? {
      do throws(ScoreTable.Fault) {
        _ = try ScoreTable(Self.rows(change), of: Self.instrument)
        return nil
      } catch { return "\(error.row.map(String.init) ?? "-"): \(error)" }
    }
    #expect(fault { $0.removeLast() } == "-: found 16 rows; expected 17, for 4 to 20")
    #expect(fault { $0 = [] } == "-: found 0 rows; expected 17, for 4 to 20")
    #expect(fault { $0.remove(at: 3) } == "3: found the sum 8; expected 7")
    #expect(fault { $0[2] = .init(5, 33) } == "2: found the sum 5; expected 6")
    #expect(fault { $0.append(.init(21, 90)) } == "17: found the sum 21; expected no row behind that of 20")
    #expect(
      fault { $0[2] = .init(6, 31.5) } == "2: found the score 31.5 behind 31.5; expected one that is higher"
    )
    #expect(
      fault { $0[16] = .init(20, 100.5) }
        == "16: found the score 100.5; expected a number from 0.0 to 100.0")
    #expect(
      fault { $0[0] = .init(4, -1) } == "0: found the score -1.0; expected a number from 0.0 to 100.0")
    #expect(fault { $0[0] = .init(4, .nan) }?.hasPrefix("0: found the score nan") == true)
    #expect(throws: ScoreTable.Fault.self) { try ScoreTable([], of: .isi) }
  }
}
