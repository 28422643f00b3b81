import AudioIO
import Testing

@testable import Service

@Suite("Findings on jacks") struct DoctorJacksTests {
  private static func findings(
    _ direction: StreamDirection, _ jacks: [(name: String, isPlugged: Bool)]
  ) -> [DoctorReport.Finding] {
    var machine = Machine.usual()
    machine.jacks[direction] = jacks.map { CardJack(name: $0.name, isPlugged: $0.isPlugged) }
    return DoctorReport(machine).findings.filter { $0.subject.hasSuffix("jack") }
  }

  @Test("jacks without any plug are warned of by their names, with the way to sound")
  func unplugged() throws {
    let earphones = Self.findings(.playback, [("Headphone", false), ("Line Out", false)])
    let told = try #require(earphones.first)
    #expect(earphones.count == 1 && told.subject == "earphones' jack" && told.verdict == .warning)
    #expect(
      told.found
        == "nothing is plugged into Headphone and Line Out: the aid is silent until something is, for on loudspeakers it would hear itself"
    )
    #expect(told.remedy?.hasPrefix("Plug the earphones in.") == true)
    #expect(
      Self.findings(.capture, [("Mic", false), ("Mic", false)]).map(\.found) == [
        "nothing is plugged into Mic: where the machine has no other microphone, the aid hears nothing"
      ])
  }

  @Test("one plug of several is enough, and a card that tells of no jack has no finding")
  func plugged() {
    #expect(Self.findings(.playback, [("Headphone", false), ("Line Out", true)]).isEmpty)
    #expect(Self.findings(.capture, [("Mic", false), ("Internal Mic Phantom", true)]).isEmpty)
    #expect(Self.findings(.playback, []).isEmpty)
  }
}
