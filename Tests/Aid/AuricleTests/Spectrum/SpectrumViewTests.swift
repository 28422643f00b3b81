import Acoustics
import Base
import Testing

@testable import AuricleCommands
@testable import Service

@Suite("Live view of a spectrum") struct SpectrumViewTests {
  private static let reason = Failure(
    "spectrum",
    inWords: "There is no sound to look at. Waiting: the device \u{1B}[2J\"USB\" is gone.\n"
      + "The sound starts by itself when that has changed; stop waiting with: auricle stop",
    remedy: "See: auricle doctor", exit: .temporary)

  private func view() -> SpectrumView { SpectrumView(ear: .right, style: .plain) }

  @Test("the daemon is asked once a second while no spectrum comes, and not while they come")
  func questions() {
    var view = view()
    let silent = [100, 100.5, 101, 101.1, 102, 102.2].map { view.isLate($0) }
    #expect(silent == [false, false, false, true, false, true])
    view.take(.sample())
    let silentAgain = [102.3, 103.2, 103.4].map { view.isLate($0) }
    #expect(silentAgain == [false, false, true])
    for time in stride(from: 104, to: 110, by: 0.5) {
      view.take(.sample())
      let isLate = view.isLate(time)
      #expect(!isLate)
    }
  }

  @Test(
    "a reason for silence is shown with its advice, at every width, until sound comes back",
    arguments: [60, 80, 200])
  func silence(columns: Int) {
    var view = view()
    let size = TerminalSize(columns: columns, rows: 24)
    #expect(view.lines(size, isOver: false) == ["Waiting for sound."])
    view.take(.sample())
    let heard = view.lines(size, isOver: false)
    view.tell(Self.reason)
    let lines = view.lines(size, isOver: false)
    #expect(lines.count == heard.count && lines.allSatisfy { $0.count <= columns })
    #expect(lines[0].hasPrefix("Right ear, no sound"))
    // In the place of the last lines, no word of it lost, and nothing that acts on the terminal.
    let words = lines.joined(separator: " ")
    #expect(words.hasSuffix("when that has changed; stop waiting with: auricle stop. See: auricle doctor"))
    #expect(words.contains("to look at. Waiting: the device ?[2J\"USB\" is gone. The sound starts"))
    view.take(nil)
    #expect(view.lines(size, isOver: false) == lines)
    view.take(.sample())
    #expect(view.lines(size, isOver: false) == heard)
    view.tell(nil)
    #expect(view.lines(size, isOver: false) == heard)
  }

  @Test(
    "before the first spectrum the reason stands alone, and a low window shows as much as it has lines for")
  func narrow() {
    var view = view()
    view.tell(Self.reason)
    let lines = view.lines(TerminalSize(columns: 20, rows: 3), isOver: false)
    #expect(lines.count == 3 && lines[0] == "There is no sound to")
    view.take(.sample())
    for (columns, rows) in [(20, 3), (1, 1), (60, 16)] {
      let lines = view.lines(TerminalSize(columns: columns, rows: rows), isOver: false)
      #expect(lines.count <= rows && lines.allSatisfy { $0.count <= columns })
    }
  }

  @Test("the end of a recording is told in the last line, as wide as there is room")
  func end() {
    var view = view()
    view.take(.sample())
    for columns in [60, 100] {
      let lines = view.lines(TerminalSize(columns: columns, rows: 24), isOver: true)
      #expect(lines.count == 24 && lines.allSatisfy { $0.count <= columns })
      #expect(lines.last?.hasPrefix("End of the recording.  e ear") == true)
    }
  }
}
