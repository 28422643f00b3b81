import Testing

@testable import AuricleCommands
@testable import Service

@Suite("Table of programs in words") struct ProgramsTextTests {
  static let report = ProgramReport(
    chosen: "automatic", inForce: "conversation-in-noise", name: "conversation in noise",
    volume: .init(valueDB: -2, leastDB: -20, mostDB: 0), tone: .init(valueDB: 1.5, leastDB: -6, mostDB: 6),
    scene: .init(
      kind: "speech-in-noise", confidence: 0.9, durationSeconds: 12, levelDBSPL: 72, aboveBackgroundDB: 5,
      isWindy: false),
    reason: "hears speech in noise", notes: ["A note."])

  static let table = ProgramsReport(
    programs: [
      .init(word: "quiet", name: "quiet", purpose: "At home.", values: ["a_db": 4, "b": 1, "c_db": 0]),
      .init(
        word: "conversation-in-noise", name: "conversation in noise", purpose: "Out.",
        values: ["a_db": -3, "b": 0, "t_seconds": 0.05]),
    ],
    quantities: [
      .init(key: "a_db", name: "effect", unit: .decibels, reason: "It helps."),
      .init(key: "b", name: "canceller", unit: .isOn, reason: "It howls."),
      .init(key: "t_seconds", name: "attack", unit: .seconds, reason: "It is fast."),
    ], heard: nil)

  @Test(
    "a change that is not heard yet says when it is, by the state of the sound; without one, and while it is heard, nothing is said",
    arguments: [
      (.init(.running, since: 1), nil),
      (
        .init(
          .waitingForDevice, reason: "a hearing test is under way; sound comes back when it ends", since: 1),
        "No sound yet: a hearing test is under way; sound comes back when it ends. The change is heard when sound begins, which it "
          + "does by itself."
      ),
      (
        .init(.starting, since: 1),
        "No sound yet. The change is heard when sound begins, which it does by itself."
      ),
      (.init(.stopped, since: 1), "No sound is playing; the change is heard after: auricle start"),
      (.init(.faulted, since: 1), "No sound is playing; the change is heard after: auricle start"),
    ] as [(StatusReport.State, String?)])
  func silence(_ state: StatusReport.State, _ words: String?) {
    #expect(ProgramText.silence(state, isChanged: true) == words)
    #expect(ProgramText.silence(state, isChanged: false) == nil)
  }

  @Test("silence that was asked for is told with and without a change", arguments: [true, false])
  func muted(isChanged: Bool) {
    let words = "Muted. Sound again with: auricle unmute"
    #expect(ProgramText.silence(.init(.muted, since: 1), isChanged: isChanged) == words)
    #expect(ProgramText.silence(.init(.stopped, isMuted: true, since: 1), isChanged: isChanged) == words)
  }

  @Test("the table has a column for each program, the reasons, and a star at what is heard")
  func table() {
    var table = Self.table
    table.heard = Self.report
    let text = ProgramsText(report: table).text
    #expect(
      text == """
           quiet                  At home.
        *  conversation-in-noise  Out.
           automatic              The aid listens and moves slowly between them.

        What is changed   quiet  conversation
        effect             4 dB         −3 dB
        canceller            on           off
        attack           as set         50 ms

        Why
        effect     It helps.
        canceller  It howls.
        attack     It is fast.

        In force: automatic, now conversation in noise, volume −2 dB, tone +1.5 dB.

        """)
    #expect(ProgramsText(report: Self.table).text.hasSuffix("No daemon runs, so no program is in force.\n"))
  }
}
