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
}
