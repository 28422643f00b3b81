import Base
import Testing

@testable import AuricleCommands
@testable import Service

@Suite("A clinic's device in words") struct DeviceTextTests {
  private func text(isReturned: Bool = false, _ protections: [DeviceReport.Protection]) -> String {
    DeviceText(
      report: DeviceReport(
        clinic: "City Hearing Clinic", key: "AEC0 25C4", device: "4F7A-22C1-9B03-E512",
        handedOverUnixSeconds: 1_772_366_400, byUser: 1000, isReturned: isReturned, protections: protections
      )
    ).text
  }

  @Test("each protection is a line, and one that does not hold comes with its remedy")
  func protections() {
    let lines = text([
      .init("sound cards", nil, holding: "closed", remedy: "Close them."),
      .init("configuration", "one of user 1000", holding: "root's", remedy: "Make it root's."),
    ]).split(separator: "\n").map(String.init)
    #expect(
      lines[0] == "Belongs to   City Hearing Clinic" && lines[2] == "Number       4F7A-22C1-9B03-E512")
    #expect(lines[3].hasPrefix("Since        2026-03-01") && lines[3].hasSuffix(", by user 1000"))
    #expect(lines[4].hasPrefix("holds  sound cards") && lines[4].hasSuffix("closed"))
    #expect(lines[5].hasPrefix("no     configuration") && lines[5].hasSuffix("one of user 1000"))
    #expect(lines[6].trimmingPrefix(while: { $0 == " " }) == "Make it root's." && lines.count == 7)
  }

  @Test("a return that was not finished is said, and how it is")
  func returned() {
    #expect(text(isReturned: true, []).contains("finish the return: auricle device return"))
  }

  @Test("of an owner's device there is one line")
  func own() {
    let report = DeviceReport(
      clinic: nil, key: nil, device: nil, handedOverUnixSeconds: nil, byUser: nil, isReturned: false,
      protections: [])
    #expect(DeviceText(report: report).text == "This device belongs to no clinic: it is its owner's.\n")
    #expect(report.isWhole)
  }

  @Test(
    "a return is refused where no clinic has the device, and goes on where a pass has ended its hand-over")
  func nothingToReturn() {
    func refusal(clinic: String?, isReturned: Bool) -> Failure? {
      do throws(Failure) {
        try Device.Return.check(
          DeviceAnswer(
            clinic: clinic, key: nil, device: nil, isFollowed: clinic != nil, isReturned: isReturned,
            wearerIsOperator: clinic == nil, configurationFile: nil, pid: 1))
        return nil
      } catch { return error }
    }
    let failure = refusal(clinic: nil, isReturned: false)
    #expect(failure?.message == "device: It belongs to no clinic: there is nothing to return.")
    #expect(failure?.exitStatus == .usage)
    #expect(refusal(clinic: "City Hearing Clinic", isReturned: false) == nil)
    #expect(refusal(clinic: "City Hearing Clinic", isReturned: true) == nil)
    #expect(refusal(clinic: nil, isReturned: true) == nil)
  }
}
