import Base
import Testing

@testable import AuricleCommands
@testable import Service

@Suite("Examination in words") struct DoctorTextTests {
  @Test("one line per fact, what to do under it, and one bad fact is enough to be ill")
  func text() {
    let good = DoctorReport.Finding("sound card", .good, found: "hw:CARD=PCH")
    let bad = DoctorReport.Finding(
      "real-time priority", .bad, found: "limit 0", remedy: "Join the group audio.")
    #expect(
      DoctorText(report: DoctorReport(findings: [good, bad])).text == """
        good  sound card          hw:CARD=PCH
        bad   real-time priority  limit 0
                                  Join the group audio.

        """)
    #expect(!DoctorReport(findings: [good, bad]).isHealthy)
    #expect(DoctorReport(findings: [good]).isHealthy)
  }

  @Test("what comes from names of files is printed without characters that turn a terminal's state")
  func printable() {
    let name = "/s/.book.\u{1B}]0;owned\u{07}x.a1b2c3"
    for step in [Repair.Step.removeDraft(name), .removeLock(name)] {
      var report = DoctorReport(findings: [
        .init("left behind", .warning, found: name, remedy: "Remove \(name).", repair: .step(step))
      ])
      report.repair { (step) throws(Failure) in
        if step == .removeLock(name) { throw Failure(name, inWords: "It is gone", exit: .noInput) }
        return "removed \(name)"
      }
      let text = DoctorText(report: report).text
      #expect(text.contains("repaired: ") && text.contains("owned"))
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F })
    }
  }

  @Test("under each finding stands what came of repairing it, and the counts at the end")
  func fixes() throws {
    var report = DoctorReport(findings: [
      .init("sound cards", .good, found: "one"),
      .init(
        "left behind", .warning, found: "/s/.a.b", remedy: "Remove it.",
        repair: .step(.removeDraft("/s/.a.b"))),
      .init("left behind", .warning, found: "/s/.c.d", repair: .step(.removeDraft("/s/.c.d"))),
      .init("prescription", .warning, found: "none", repair: .none(.hearing)),
    ])
    report.repair { (step) throws(Failure) in
      if step == .removeDraft("/s/.c.d") { throw Failure("/s/.c.d", inWords: "It is gone", exit: .noInput) }
      return "removed /s/.a.b"
    }
    #expect(
      DoctorText(report: report).text == """
        good     sound cards   one
        warning  left behind   /s/.a.b
                               Remove it.
                               repaired: removed /s/.a.b
        warning  left behind   /s/.c.d
                               not repaired: /s/.c.d: It is gone
        warning  prescription  none
                               left: it changes what is heard, which doctor never does

        1 repaired, 1 not repaired, 1 left to you.

        """)
  }
}
