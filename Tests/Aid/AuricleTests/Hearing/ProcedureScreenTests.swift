import Acoustics
import Base
import Procedures
import Service
import Testing

@testable import AuricleCommands

/// The screen while a procedure is under way.
@Suite("Screen of a procedure") struct ProcedureScreenTests {
  private func notice(
    _ question: ProcedureStep.Question?, _ phase: ProcedureNotice.Phase = .asking,
    trial: ProcedureTrial? = nil, share: Double = 0
  ) -> ProcedureNotice {
    var notice = ProcedureNotice("r", phase, share: share)
    (notice.question, notice.trial) = (question, trial)
    return notice
  }

  private func text(
    _ screen: ProcedureScreen, _ notice: ProcedureNotice, columns: Int = 80, rows: Int = 24
  ) -> String {
    screen.lines(notice, typed: "", size: TerminalSize(columns: columns, rows: rows)).joined(
      separator: "\n")
  }

  @Test("a match says which trial, comparison or rating is on, and of how many where that is known")
  func trials() {
    let screen = ProcedureScreen(title: "Title")
    for (question, trial, words) in [
      (.adjustment, ProcedureTrial(2, of: 3), "Title, trial 2 of 3"),
      (.balance, ProcedureTrial(1, of: 5), "Title, trial 1 of 5"),
      (.presence, ProcedureTrial(3, of: 3), "Title, trial 3 of 3"),
      (.comparison, ProcedureTrial(7, of: nil), "Title, comparison 7"),
      (.likeness, ProcedureTrial(4, of: 15), "Title, rating 4 of 15"),
      (.rating, ProcedureTrial(2, of: nil), "Title, rating 2"),
    ] as [(ProcedureStep.Question, ProcedureTrial, String)] {
      #expect(text(screen, notice(question, trial: trial)).contains(words + "\n"))
    }
    // A hearing test counts none: how many tones there were tells where the search is.
    #expect(text(screen, notice(.detection)).contains("  Title\n"))
  }

  @Test(
    "a wrong key is answered with the keys that count, for a while, and the answer is not among the words")
  func hints() {
    var screen = ProcedureScreen(title: "Title")
    for (question, words) in [
      (.detection, "Only the SPACE BAR counts."), (.comparison, "Keys that count: 1, 2 and SPACE."),
      (.presence, "Keys that count: y and n."), (.listening, "No key is waited for yet."),
    ] as [(ProcedureStep.Question, String)] {
      #expect(ProcedureScreen.keys(notice(question)) == words)
      // The same while a tone or a silence is on and after it.
      #expect(ProcedureScreen.keys(notice(question, .sounding)) == words)
    }
    #expect(ProcedureScreen.keys(notice(.detection, .waitingForQuiet)) == "No key is waited for yet.")
    #expect(ProcedureScreen.keys(notice(nil)) == "No key is waited for yet.")
    screen.say(ProcedureScreen.keys(notice(.presence)))
    // It stays through the news of the next sound.
    for phase in [ProcedureNotice.Phase.asking, .sounding] {
      #expect(text(screen, notice(.presence, phase)).contains("Keys that count: y and n."))
    }
  }

  @Test("the time left goes by the pace since the procedure was gone on with, once a tenth was done since")
  func timeLeft() throws {
    // From the beginning: half in ten minutes leaves ten.
    #expect(ProcedureScreen.timeLeft(0.5, since: 0, after: 600) == 600)
    // Gone on with at 0.5: a quarter of the whole in five minutes leaves a quarter.
    #expect(ProcedureScreen.timeLeft(0.75, since: 0.5, after: 300) == 300)
    #expect(ProcedureScreen.timeLeft(0.625, since: 0.5, after: 60) == 180)
    for (share, first) in [(0.05, 0), (0.55, 0.5), (1, 0), (0.4, 0.5)] {
      #expect(ProcedureScreen.timeLeft(share, since: first, after: 60) == nil)
    }
  }

  @Test("a procedure that is gone on with says how long it takes once a tenth more is done")
  func resumed() {
    var resumed = ProcedureScreen(title: "Title")
    resumed.begin(at: 0.5)
    resumed.begin(at: 0.55)
    #expect(!text(resumed, notice(.detection, share: 0.58)).contains("min left"))
    #expect(text(resumed, notice(.detection, share: 0.65)).contains("about"))
    var fresh = ProcedureScreen(title: "Title")
    fresh.begin(at: 0)
    #expect(text(fresh, notice(.detection, share: 0.15)).contains("min left"))
  }

  @Test("a sentence that is longer than the window goes on in the next line, and no word of it is lost")
  func longSentences() {
    var waiting = notice(nil, .waitingForQuiet)
    waiting.note =
      "Once more: the sound device drops out again and again, so that a longer period is to be asked for."
    for columns in [80, 40] {
      let lines = ProcedureScreen(title: "Title").lines(
        waiting, typed: "", size: TerminalSize(columns: columns, rows: 24))
      let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
      #expect(words.contains("delivers no sound: q, and go on without it by --no-room."))
      #expect(words.contains(waiting.note ?? "-"))
      // As far to the right as the lines before.
      #expect(
        lines.allSatisfy { $0.isEmpty || $0.hasPrefix("  ") } && lines.allSatisfy { $0.count <= columns })
    }
  }

  @Test("no screen is wider or higher than its terminal, and it begins at home")
  func size() {
    let screen = ProcedureScreen(title: "Loudness of your tinnitus")
    let questions: [ProcedureStep.Question] = [
      .detection, .adjustment, .comparison, .presence, .balance, .rating, .likeness, .listening,
    ]
    for question in questions {
      for (columns, rows) in [(80, 24), (30, 8), (1, 1)] {
        let lines = screen.lines(
          notice(question, trial: ProcedureTrial(1, of: 3)), typed: "100",
          size: TerminalSize(columns: columns, rows: rows))
        #expect(lines.count <= max(1, rows - 1) && lines.allSatisfy { $0.count <= columns })
      }
    }
    let drawing = screen.drawing(
      notice(.presence), typed: "", size: TerminalSize(columns: 80, rows: 24))
    #expect(drawing.hasPrefix("\u{1B}[H") && drawing.hasSuffix("\u{1B}[J"))
  }
}
