import Testing

@testable import AuricleCommands
@testable import Service

@Suite("The book in words") struct BookTextTests {
  private func entry(_ number: Int, key: String) -> BookReport.Entry {
    BookReport.Entry(
      number: number, serial: number, clinic: "City Hearing Clinic", key: key, environment: "quiet",
      issuedUnixSeconds: 1_772_366_400, expiresUnixSeconds: nil, loadedUnixSeconds: 1_772_366_400,
      isActive: false, standing: "former", trialEndsUnixSeconds: nil)
  }

  private func text(_ keys: [String]) -> String {
    let entries = keys.enumerated().map { entry($0 + 1, key: $1) }
    return BookText(report: BookReport(prescriptions: entries, inForce: nil, isBound: true)).text
  }

  @Test("clinics of one name are told apart by the beginning of their keys; one clinic alone needs none")
  func keys() {
    let (one, other) = ("D569 1A2B 3C4D", "77AA 0001 0002")
    #expect(text([one, other]).contains("City Hearing Clinic (key D569 1A2B)"))
    #expect(text([one, other]).contains("City Hearing Clinic (key 77AA 0001)"))
    #expect(!text([one, one]).contains("key"))
  }

  @Test("a prescription that another environment's replaces is listed with that one's serial")
  func replaced() {
    var entry = self.entry(13, key: "D569 1A2B 3C4D")
    entry.replacedBySerial = 14
    let text = BookText(report: BookReport(prescriptions: [entry], inForce: nil, isBound: true)).text
    #expect(text.contains("former, replaced by serial 14"))
  }
}
