import Acoustics
import Base
import Testing

@testable import Paper

@Suite("Audiogram in letters") struct AudiogramTextTests {
  private func lines(_ ears: Binaural<Audiogram>, _ style: Style = .plain) -> [String] {
    AudiogramText(ears, style: style).text.split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
  }

  private func audiogram(_ points: Audiogram.Point...) throws -> Audiogram { try Audiogram(points: points) }

  private func point(
    _ frequency: Double, _ level: Double, _ conduction: Conduction = .air, isMasked: Bool = false,
    hasResponse: Bool = true
  ) -> Audiogram.Point {
    .init(
      frequency: frequency, threshold: HearingLevel(level), conduction: conduction, isMasked: isMasked,
      hasResponse: hasResponse)
  }

  private let none = try? Audiogram(points: [])

  /// Column of the middle of a label in the line of frequencies.
  private func column(_ label: String, _ lines: [String]) throws -> Int {
    let start = try #require(lines[1].range(of: " \(label)"))
    return lines[1].distance(from: lines[1].startIndex, to: start.lowerBound) + 1 + label.count / 2
  }

  /// The row of a hearing level, a multiple of 10 dB.
  private func row(_ level: Int, _ lines: [String]) throws -> [Character] {
    Array(
      try #require(
        lines.first { $0.hasPrefix(String(repeating: " ", count: 4 - "\(level)".count) + "\(level) ") }))
  }

  @Test("each sign stands below its frequency's number and beside its level's, loss growing downwards")
  func places() throws {
    let right = try audiogram(point(250, 10), point(1000, 40), point(4000, 60))
    let left = try audiogram(point(500, 20), point(2000, 90))
    let lines = lines(Binaural(left: left, right: right))
    for (label, level, sign) in [
      ("250", 10, "O"), ("1k", 40, "O"), ("4k", 60, "O"), ("500", 20, "X"), ("2k", 90, "X"),
    ] {
      let (row, place) = (try row(level, lines), try column(label, lines))
      #expect(String(row[place]) == sign, "\(label) Hz")
      #expect(row.filter { $0 == "O" || $0 == "X" }.count == 1)
    }
    // −10 to 120 dB HL in steps of 5 dB, with the heading, the frequencies, a row for arrows and the key.
    #expect(lines.count == 2 + 27 + 1 + 2 + 1)
    #expect(lines[2].hasPrefix(" −10") && lines[28].hasPrefix(" 120"))
    #expect(lines.suffix(3) == ["Right ear: O air", "Left ear: X air", ""])
  }

  @Test("signs that share a place stand beside each other: bone outside, the right ear's to the left")
  func shared() throws {
    let right = try audiogram(point(1000, 40), point(1000, 40, .bone))
    let left = try audiogram(point(1000, 40), point(1000, 40, .bone, isMasked: true))
    let lines = lines(Binaural(left: left, right: right))
    #expect(String(try row(40, lines)).contains("<OX]"))
    #expect(try row(40, lines)[column("1k", lines)] == "O")
    #expect(lines.suffix(3) == ["Right ear: O air   < bone", "Left ear: X air   ] masked bone", ""])
  }

  @Test("no response is an arrow below the sign, on its ear's side, also at the axis' end")
  func noResponse() throws {
    let right = try audiogram(point(1000, 120, isMasked: true, hasResponse: false))
    let left = try audiogram(point(4000, 120, isMasked: true, hasResponse: false))
    let lines = lines(Binaural(left: left, right: right))
    let (row, below) = (try row(120, lines), Array(lines[29]))
    let (a, b) = (try column("1k", lines), try column("4k", lines))
    #expect(row[a] == "A" && row[b] == "#")
    #expect(below.firstIndex(of: "↓") == a - 1 && below.lastIndex(of: "↓") == b + 1)
    #expect(
      lines.suffix(3) == [
        "Right ear: A masked air   ↓ no response", "Left ear: # masked air   ↓ no response", "",
      ])
  }

  @Test("no line is wider than 80 columns, up to 16 kHz, and no sign of any kind is lost at the octaves")
  func width() throws {
    let points = Tick.octaves.flatMap { octave in
      [Conduction.air, .bone].flatMap { conduction in
        [false, true].map { point(octave.value, 50, conduction, isMasked: $0, hasResponse: false) }
      }
    }
    let lines = lines(Binaural(both: try Audiogram(points: points)))
    #expect(lines.allSatisfy { $0.count <= 80 })
    let row = try row(50, lines)
    // Eight octaves, each once.
    for sign in "OAX#<[>]" { #expect(row.count { $0 == sign } == 8, "\(sign)") }
    #expect(lines.joined().contains("↓"))
  }

  @Test("an ear that was not tested is said to be so, and nothing but colour tells the style")
  func plain() throws {
    let none = try #require(none)
    let ears = Binaural(left: none, right: StandardAudiogram.n3.audiogram)
    let plain = lines(ears)
    #expect(plain.suffix(2).first == "Left ear: not tested")
    let coloured = AudiogramText(ears, style: Style(isOn: true)).text
    #expect(coloured.contains("\u{1B}[31mO\u{1B}[0m"))
    let bare = coloured.replacing(/\u{1B}\[[0-9]*m/, with: "")
    #expect(bare == plain.joined(separator: "\n"))
    #expect(!plain.joined().contains("\u{1B}"))
  }
}
