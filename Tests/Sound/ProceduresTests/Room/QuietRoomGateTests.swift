import Testing

@testable import Procedures

@Suite("Quiet room") struct QuietRoomGateTests {
  private func gate(_ levels: [Double], _ rule: QuietRoomRule = .tinnitusStudy) -> QuietRoomGate {
    var gate = QuietRoomGate(rule)
    for level in levels { gate.take(.level(level)) }
    return gate
  }

  @Test("five windows strictly below 45 dB in a row pass; 45.0 does not count")
  func passes() {
    #expect(gate([44.9, 44.9, 44.9, 44.9]).state == .measuring(passed: 4, needsHelp: false))
    #expect(gate([44.9, 44.9, 44.9, 44.9, 44.9]).state == .quiet)
    #expect(gate([44.9, 44.9, 44.9, 44.9, 45, 44.9]).state == .measuring(passed: 1, needsHelp: false))
    #expect(gate([30, 32, 34, 36, 38]).baseline == 34)
  }

  @Test("after twelve windows without passing help is due, and measuring goes on until it passes")
  func help() {
    #expect(gate(Array(repeating: 50, count: 11)).state == .measuring(passed: 0, needsHelp: false))
    let needy = gate(Array(repeating: 50, count: 12))
    #expect(needy.state == .measuring(passed: 0, needsHelp: true) && !needy.isOpen)
    #expect(gate(Array(repeating: 50, count: 12) + Array(repeating: 40, count: 5)).isOpen)
  }

  @Test(
    "one loud window is a suspicion, two in a row an alert, by the threshold or by 8 dB over the baseline",
    arguments: [45.0, 38])
  func alert(level: Double) {
    let quiet = Array(repeating: 30.0, count: 5)
    #expect(gate(quiet + [level]).state == .suspected)
    #expect(gate(quiet + [level]).isOpen)
    #expect(gate(quiet + [level, 30]).state == .quiet)
    #expect(gate(quiet + [level, 30, level]).state == .suspected)
    let alarmed = gate(quiet + [level, level])
    #expect(alarmed.state == .alert(quietWindows: 0) && !alarmed.isOpen)
    #expect(alarmed.interruptions.map(\.begin) == [7])
    #expect(gate(quiet + [37.9, 37.9]).state == .quiet)
  }

  @Test("an alert ends after five windows below 43 dB in a row, and its time is noted")
  func recovers() {
    let alarmed = Array(repeating: 30.0, count: 5) + [50, 50]
    #expect(gate(alarmed + [42.9, 42.9, 42.9, 42.9]).state == .alert(quietWindows: 4))
    #expect(gate(alarmed + [42.9, 42.9, 42.9, 42.9, 43, 42.9]).state == .alert(quietWindows: 1))
    let recovered = gate(alarmed + Array(repeating: 42.9, count: 5))
    #expect(recovered.state == .quiet && recovered.interruptions.map(\.end) == [12])
  }

  @Test(
    "a room that has become louder by more than the rise and stays below 43 dB opens once more, and then no alert comes of it"
  )
  func louderRoom() {
    // 10 dB louder than the room in which the test began, and below the release.
    let quiet = Array(repeating: 30.0, count: 5)
    let louder = Array(repeating: 40.0, count: 60)
    let settled = gate(quiet + louder)
    #expect(settled.state == .quiet && settled.interruptions.count == 1 && settled.baseline == 40)
    // The mean of the five windows that ended the alert, by hand: (38 + 39 + 40 + 41 + 42) / 5.
    #expect(gate(quiet + [50, 50, 20, 50, 38, 39, 40, 41, 42]).baseline == 40)
    // 8 dB above it lie beyond the threshold of 45, which binds then.
    #expect(gate(quiet + louder + [44.9, 44.9]).state == .quiet)
    #expect(gate(quiet + louder + [45, 45]).state == .alert(quietWindows: 0))
  }

  @Test("the limit is 45 dB before the room has passed, then at most 8 dB above it, and 43 dB in an alert")
  func limit() {
    let quiet = Array(repeating: 30.0, count: 5)
    #expect(gate([]).limit == 45 && gate([50, 30, 30]).limit == 45)
    #expect(gate(quiet).limit == 38 && gate(quiet + [38]).limit == 38)
    #expect(gate(Array(repeating: 40, count: 5)).limit == 45)
    #expect(gate(quiet + [38, 38]).limit == 43 && gate(quiet + [38, 38, 30]).limit == 43)
  }

  @Test("the baseline follows quiet windows alone, by a twentieth")
  func baseline() {
    let quiet = Array(repeating: 36.0, count: 5)
    #expect(gate(quiet + [42]).baseline == 36.3)
    #expect(gate(quiet + [43]).baseline == 36)
  }

  @Test("the measurement's own tone says nothing; a microphone that delivers nothing is no quiet room")
  func otherWindows() {
    var gate = gate(Array(repeating: 30, count: 5))
    for _ in 0..<10 { gate.take(.ownSound) }
    #expect(gate.state == .quiet)
    gate.take(.level(50))
    gate.take(.ownSound)
    gate.take(.level(50))
    #expect(gate.state == .alert(quietWindows: 0))
    var dead = self.gate(Array(repeating: 30, count: 5))
    dead.take(.missing)
    #expect(dead.state == .suspected)
    dead.take(.missing)
    #expect(dead.state == .alert(quietWindows: 0))
    var never = QuietRoomGate(.tinnitusStudy)
    for _ in 0..<5 { never.take(.missing) }
    #expect(never.state == .measuring(passed: 0, needsHelp: false))
  }
}
