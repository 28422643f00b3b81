import Acoustics
import Testing

@testable import Procedures

@Suite("Earphone allowance") struct EarphoneAllowanceTests {
  private static let allowance = EarphoneAllowance(
    name: "lm_1khz_v1",
    earphones: [
      .init(name: "AirPods Pro 2", identities: ["bluetooth:004C:2014"], profile: "airpods-pro-2"),
      .init(name: "HDA 300", identities: ["usb:1234:0001", "alsa:Audiometer"], profile: "hda300"),
    ], leastCalibration: .provisional)

  private static let good = FoundEarphone(
    name: "Eva's AirPods", identities: ["bluetooth:004C:2014", "bluez:AA_BB"], profile: "airpods-pro-2",
    calibration: .provisional, isHandsFree: false)

  private func refusal(_ change: (inout FoundEarphone) -> Void) -> EarphoneAllowance.Refusal? {
    var found = Self.good
    change(&found)
    do throws(EarphoneAllowance.Refusal) {
      _ = try Self.allowance.check(found)
      return nil
    } catch {
      return error
    }
  }

  @Test("an earphone on the list with its profile and a calibration good enough is allowed")
  func allowed() throws {
    #expect(try Self.allowance.check(Self.good).name == "AirPods Pro 2")
    #expect(refusal { $0.calibration = .verified } == nil)
  }

  @Test("the hands-free profile is refused by name, before anything else")
  func handsFree() {
    let refusal = refusal {
      $0.isHandsFree = true
      $0.identities = []
    }
    #expect(refusal == .handsFree(found: "Eva's AirPods"))
    #expect(refusal?.description.contains("hands-free profile") == true)
  }

  @Test("an unknown earphone, also one of an allowed name, is refused with what is allowed")
  func unknown() {
    let allowed = ["AirPods Pro 2", "HDA 300"]
    #expect(
      refusal {
        $0.identities = ["usb:ffff:0001"]
        $0.name = "HDA 300"
      } == .unknown(found: "HDA 300", allowed: allowed))
    #expect(refusal { $0.identities = [] } == .unidentified(found: "Eva's AirPods", allowed: allowed))
    #expect(
      refusal { $0.identities = ["x"] }?.description
        == "Eva's AirPods is not an earphone of this protocol. Connect one of: AirPods Pro 2, HDA 300.")
    let none = EarphoneAllowance(name: "empty", earphones: [], leastCalibration: .none)
    #expect(throws: EarphoneAllowance.Refusal.unknown(found: "Eva's AirPods", allowed: [])) {
      try none.check(Self.good)
    }
  }

  @Test("another profile, none, or a calibration that is not good enough is refused with what is expected")
  func profile() {
    #expect(
      refusal { $0.profile = "airpods-1" }
        == .profile(found: "Eva's AirPods", profile: "airpods-1", expected: "airpods-pro-2"))
    #expect(
      refusal { $0.profile = nil }
        == .profile(found: "Eva's AirPods", profile: nil, expected: "airpods-pro-2"))
    #expect(
      refusal { $0.calibration = .none }
        == .calibration(found: "Eva's AirPods", status: .none, expected: .provisional))
  }

  @Test("identities that belong to two entries are refused, not chosen from")
  func ambiguous() {
    #expect(
      refusal { $0.identities = ["bluetooth:004C:2014", "alsa:Audiometer"] }
        == .ambiguous(found: "Eva's AirPods", matches: ["AirPods Pro 2", "HDA 300"]))
  }

  @Test("every refusal says in whole sentences what was found and what to do")
  func sentences() {
    let refusals: [EarphoneAllowance.Refusal] = [
      .unidentified(found: "X", allowed: ["Y"]), .unknown(found: "X", allowed: []), .handsFree(found: "X"),
      .ambiguous(found: "X", matches: ["Y", "Z"]), .profile(found: "X", profile: nil, expected: "p"),
      .profile(found: "X", profile: "q", expected: "p"),
      .calibration(found: "X", status: .provisional, expected: .verified),
    ]
    for refusal in refusals {
      #expect(refusal.description.contains("X") && refusal.description.hasSuffix("."))
    }
  }
}
