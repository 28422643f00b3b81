import PrescriptionsTesting
import Testing

@testable import Prescriptions

@Suite("Return pass") struct ReturnPassTests {
  let forge: Forge
  init() throws { forge = try Forge() }

  private func number(_ text: String) throws -> DeviceNumber { try #require(DeviceNumber(text)) }

  @Test("a return pass comes back as it was signed")
  func roundTrip() throws {
    let pass = try ReturnPass(
      serial: 9, device: number("0F7A-22C1-0003-E512"), issued: Forge.issued, expires: Forge.issued + 3600)
    let text = try forge.clinic.sign(pass).text
    guard case .returnPass(let read) = try Card.read(text, trusting: forge.trusted, at: Forge.issued) else {
      Issue.record("not a return pass")
      return
    }
    #expect(read.content == pass && read.clinic.fingerprint == forge.clinic.identity.fingerprint)
    // Its last second, and the first one after it.
    #expect((try? Card.read(text, trusting: forge.trusted, at: Forge.issued + 3599)) != nil)
    #expect(throws: PrescriptionError.expired(at: Forge.issued + 3600)) {
      try Card.read(text, trusting: forge.trusted, at: Forge.issued + 3600)
    }
  }

  @Test("with any one bit flipped it is not read")
  func bitFlips() throws {
    let pass = try ReturnPass(
      serial: 9, device: number("0F7A-22C1-0003-E512"), issued: Forge.issued, expires: Forge.issued + 3600)
    for flipped in CardForgeryTests.flips(try forge.clinic.sign(pass).jws) {
      #expect(forge.refusal(flipped) != nil)
    }
  }

  @Test("a pass that is good for longer than 30 days cannot be made")
  func validity() throws {
    #expect(throws: PrescriptionError.self) {
      try ReturnPass(
        serial: 1, device: .drawn, issued: Forge.issued, expires: Forge.issued + 30 * 86_400 + 1)
    }
  }

  @Test("a device's number is read in either case, with hyphens, spaces or neither")
  func typed() throws {
    for text in ["0f7a-22c1-0003-e512", "0F7A22C10003E512", "0F7A 22C1 0003 E512"] {
      #expect(DeviceNumber(text)?.text == "0F7A-22C1-0003-E512")
    }
    let drawn = DeviceNumber.drawn
    #expect(DeviceNumber(drawn.text) == drawn && drawn != .drawn)
  }

  @Test(
    "what is no number of a device is not read",
    arguments: [
      "", "0F7A-22C1-0003-E51", "0F7A-22C1-0003-E5120", "0F7A-22C1-0003-G512", "+F7A-22C1-0003-E512",
      "0F7A-22C1-0003-E51२", "0F7A_22C1_0003_E512",
    ])
  func untypable(text: String) { #expect(DeviceNumber(text) == nil) }
}
