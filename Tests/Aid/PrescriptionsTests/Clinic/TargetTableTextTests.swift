import Acoustics
import Base
import Fitting
import Testing

@testable import Prescriptions

@Suite("Targets as a table of comma-separated values") struct TargetTableTextTests {
  private static let header = "ear,frequency,gain50,gain65,gain80,maximum-output\n"

  @Test("both ears at once, or each its own; the maximum output may be left empty")
  func reads() throws {
    let text = Self.header + "both,1000,20,15,10,105\r\nleft,500, 5,4,3,\n\n"
    let tables = try TargetTableText.tables(text, named: "nl2.csv")
    let gains = SpeechLevels(soft: 20.0, ordinary: 15, loud: 10)
    let point = TargetTable.Point(frequency: 1000, gains: gains, maximumOutput: SoundPressureLevel(105))
    #expect(tables.right.points == [point])
    let low = TargetTable.Point(frequency: 500, gains: SpeechLevels(soft: 5.0, ordinary: 4, loud: 3))
    #expect(tables.left.points == [low, point])
  }

  @Test(
    "a bad line is named by its number",
    arguments: [
      ("frequency,ear\n", "nl2.csv:1"), (header + "left,1000,1,2,3\n", "nl2.csv:2"),
      (header + "up,1000,1,2,3,\n", "nl2.csv:2"), (header + "left,1000,1,x,3,\n", "nl2.csv:2"),
      (header + "left,1000,1,2,3,4,5\n", "nl2.csv:2"),
    ])
  func names(text: String, place: String) throws {
    let failure = try #require(throws: Failure.self) { try TargetTableText.tables(text, named: "nl2.csv") }
    #expect(failure.subject == place)
    #expect(failure.exitStatus == .badData)
  }

  @Test("an ear without a line has no targets, whichever ear it is")
  func oneEar() throws {
    let tables = try TargetTableText.tables(Self.header + "left,1000,1,2,3,\n", named: "nl2.csv")
    #expect(tables.left.points.count == 1 && tables.right == .none)
  }

  @Test(
    "semicolons or tabs part columns, and a decimal comma stands for the point", arguments: [";", "\t"])
  func spreadsheets(separator: String) throws {
    let text =
      (Self.header + "both;1000;20;15;7")
      .replacing(",", with: separator).replacing(";", with: separator) + ",5\(separator)\n"
    let tables = try TargetTableText.tables(text, named: "nl2.csv")
    #expect(tables.left.points.map(\.gains) == [SpeechLevels(soft: 20, ordinary: 15, loud: 7.5)])
  }

  @Test("no line at all, a frequency twice, a gain out of reach are refused")
  func refuses() {
    for lines in ["both,1000,1,2,3,\nleft,1000,1,2,3,\n", "both,1000,80,2,3,\n", ""] {
      #expect(throws: Failure.self) { try TargetTableText.tables(Self.header + lines, named: "nl2.csv") }
    }
  }
}
