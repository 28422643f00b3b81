import Testing

@testable import Prescriptions

@Suite("Content that nobody who is trusted signed") struct UntrustedContentTests {
  let forge: Forge
  init() throws { forge = try Forge() }

  /// Thresholds in words whose frequency no 64 bits hold once it was a Double, or which no ear hears.
  static let words = ["left air 9223372036854775807", "left air 9223372036854775806", "left air 40000"]

  /// The payload of a good card with other words in the place of one threshold's code.
  static func payload(_ forge: Forge, _ words: String) throws -> String {
    let code = "{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"89016-0\"}]}"
    let payload = try forge.payload()
    try #require(payload.contains(code))
    return payload.replacing(code, with: "{\"text\":\"\(words)\"}")
  }

  /// A process of its own: what is tested is that it does not end.
  @Test("a card with a threshold at 2⁶³ − 1 Hz is refused, shown as unreadable, and ends no process")
  func hugeFrequency() async {
    await #expect(processExitsWith: .success) {
      let forge = try Forge()
      for words in UntrustedContentTests.words {
        let text = try forge.jws(try UntrustedContentTests.payload(forge, words))
        #expect(Card.inspect(text, trusting: [], at: Forge.issued).content == nil)
        guard case .invalidContent(_, let reason) = forge.refusal(text) else {
          Issue.record("expected the content to be refused")
          continue
        }
        #expect(reason.hasSuffix("found a frequency outside 125 to 16000 Hz"))
      }
    }
  }

  @Test("an audiogram in FHIR with a threshold at 2⁶³ − 1 Hz is refused and ends no process")
  func hugeFrequencyInFHIR() async {
    await #expect(processExitsWith: .success) {
      for words in UntrustedContentTests.words {
        for panel in [",{\"system\":\"http://loinc.org\",\"code\":\"89015-2\"}", ""] {
          let text = """
            {"resourceType":"Observation","status":"final","code":{"coding":[{"system":"x","code":"y"}\(panel)]},
             "component":[{"code":{"text":"\(words)"},"valueQuantity":{"value":30,"unit":"dB"}}]}
            """
          do throws(PrescriptionError) {
            _ = try FHIRAudiogram(parsing: text)
            Issue.record("expected it to be refused")
          } catch {
            #expect("\(error)".contains("found a frequency outside 125 to 16000 Hz"))
          }
        }
      }
    }
  }

  @Test("a clinic's card that its own key did not sign is refused by that key, by nothing that it says")
  func forgedClinic() throws {
    let content = String(decoding: try forge.clinic.identity.card.content(), as: UTF8.self)
    try #require(content.contains("Clinic North"))
    for name in ["Clinic Evil", "", String(repeating: "x", count: 300), "\\u001B[2J"] {
      let packed = try Deflate.packed(Array(content.replacing("Clinic North", with: name).utf8))
      let forged = try forge.jws(packed: packed, key: forge.stranger)
      let expected = PrescriptionError.badSignature(name: forge.clinic.identity.fingerprint.clinicName)
      #expect(forge.refusal(forged, trusting: []) == expected)
      #expect(throws: expected) { try ClinicIdentity(reading: try CardText(reading: forged)) }
    }
  }

  @Test("a clinic's card with another key than the one it names is refused as that")
  func foreignKey() throws {
    let content = try forge.clinic.identity.card.content()
    let header = forge.header(kid: forge.stranger)
    let forged = try forge.jws(header: header, packed: Deflate.packed(content), key: forge.stranger)
    #expect(
      forge.refusal(forged, trusting: [])
        == .invalidContent(
          place: "jwk", reason: "it is not the key that the card names as its signer"))
  }

  @Test(
    "whatever else an unknown key signed is an unknown clinic's, and nothing of it is told",
    arguments: [
      "", "no JSON", "[]", "{}", "{\"vc\":{}}", "{\"vc\":{\"credentialSubject\":{\"jwk\":null}}}",
      "{\"vc\":{\"credentialSubject\":[{\"jwk\":{}}]}}",
    ])
  func unknown(content: String) throws {
    let text = try forge.jws(content)
    let refusal = try #require(forge.refusal(text, trusting: []))
    switch refusal {
    case .unknownKey(let key): #expect(key == forge.clinic.identity.fingerprint)
    // A key that is none is named as such: it is the one thing that is looked at.
    case .invalidContent(let place, _): #expect(place.hasSuffix("jwk"))
    default: Issue.record("\(refusal)")
    }
  }
}
