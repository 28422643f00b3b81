import PrescriptionsTesting
import Testing

@testable import Prescriptions

@Suite("Hostile card") struct HostileCardTests {
  let forge: Forge
  init() throws { forge = try Forge() }

  /// Why content that the trusted clinic itself signed is refused: place and reason.
  func refusal(_ content: String) throws -> String {
    let jws = try forge.jws(content)
    guard case .invalidContent(let place, let reason) = forge.refusal(jws) else {
      return forge.refusal(jws).map { "\($0)" } ?? "read"
    }
    return place + ": " + reason
  }

  func changed(_ old: String, _ new: String) throws -> String {
    let payload = try forge.payload()
    #expect(payload.contains(old), "the card says \(old)")
    return payload.replacing(old, with: new)
  }

  @Test("content that unpacks to more than 65,536 bytes is a bomb, at the byte")
  func bombs() throws {
    let limit = SignedContent.greatestSize
    let space = String(repeating: " ", count: limit - (try forge.payload().utf8.count))
    #expect(forge.refusal(try forge.jws(forge.payload() + space)) == nil)
    #expect(forge.refusal(try forge.jws(forge.payload() + space + " ")) == .bomb(limit: limit))
    // Two megabytes in 2,000 characters, the most that a card can hold of nothing.
    let packed = try Deflate.packed([UInt8](repeating: 0x20, count: 2_000_000))
    #expect(packed.count < 2500)
    #expect(forge.refusal(try forge.jws(packed: packed)) == .bomb(limit: limit))
  }

  @Test("bytes after the packed content are refused, and content that does not unpack")
  func trailing() throws {
    let packed = try Forge.packed(forge.payload())
    #expect(forge.refusal(try forge.jws(packed: packed)) == nil)
    let after = PrescriptionError.malformed(reason: "bytes follow the end of the packed content")
    #expect(forge.refusal(try forge.jws(packed: packed + [0])) == after)
    #expect(forge.refusal(try forge.jws(packed: packed + packed)) == after)
    let broken = PrescriptionError.malformed(reason: "the packed content does not unpack")
    #expect(forge.refusal(try forge.jws(packed: packed.dropLast())) == broken)
    #expect(forge.refusal(try forge.jws(packed: [0xFF, 0xFF])) == broken)
    #expect(forge.refusal(try forge.jws(packed: [])) == broken)
  }

  @Test("deep nesting is refused where it becomes too deep")
  func nesting() throws {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      let deep = String(repeating: open, count: 9000) + "1" + String(repeating: close, count: 9000)
      #expect(try refusal(deep).hasSuffix("nested more than 24 deep"))
    }
    let inside = try changed("\"given\":[\"Ada\"]", "\"given\":" + String(repeating: "[", count: 30))
    #expect(try refusal(inside).hasSuffix("nested more than 24 deep"))
  }

  @Test("more values than any card has are refused")
  func manyValues() throws {
    #expect(
      try refusal("[" + String(repeating: "1,", count: 25_000) + "1]").hasSuffix("more than 20000 values"))
  }

  @Test(
    "a giant number is refused, whether it is beyond a double, too long, or beyond hearing",
    arguments: [
      "1e999", "-1e999", "1" + String(repeating: "0", count: 400), "1e308", "121", "-10.5", "1e-320",
    ])
  func giantNumbers(_ number: String) throws {
    let text = try refusal(changed("\"value\":15,", "\"value\":\(number),"))
    #expect(text != "read")
  }

  @Test(
    "a number in another form than JSON's is refused",
    arguments: [
      "015", "+15", "15.", ".15", "0x0F", "NaN", "Infinity", "1_5", "15f", "１５", "\"15\"", "true", "null",
    ])
  func wrongNumbers(_ number: String) throws {
    #expect(try refusal(changed("\"value\":15,", "\"value\":\(number),")) != "read")
  }

  @Test(
    "an issue beyond what a calendar can say is refused",
    arguments: ["-1", "253402300800", "1e300", "1800000000.5"])
  func dates(_ number: String) throws {
    #expect(
      try refusal(changed("\"nbf\":1800000000", "\"nbf\":\(number)")).hasPrefix(
        "nbf: expected a whole number"))
  }

  @Test("a member given twice is refused, wherever it is")
  func duplicates() throws {
    for (key, old, new) in [
      ("nbf", "\"nbf\":1800000000", "\"nbf\":1800000000,\"nbf\":1700000000"),
      ("value", "\"value\":15,", "\"value\":15,\"value\":20,"),
      ("status", "\"status\":\"final\"", "\"status\":\"final\",\"st\\u0061tus\":\"final\""),
      ("birthDate", "\"birthDate\":", "\"birthDate\":\"1960-01-01\",\"birthDate\":"),
    ] {
      #expect(try refusal(changed(old, new)).hasSuffix("\"\(key)\" given twice"))
    }
  }

  @Test("a member that is not understood is refused by name and place")
  func unknownMembers() throws {
    let text = try refusal(changed("\"birthDate\":", "\"deceasedBoolean\":true,\"birthDate\":"))
    #expect(
      text
        == "vc.credentialSubject.fhirBundle.entry[2].resource: found a member \"deceasedBoolean\" that has no"
        + " place here")
    #expect(
      try refusal(changed("\"intent\":\"order\"", "\"intent\":\"proposal\"")).contains("expected \"order\"")
    )
    #expect(
      try refusal(changed("\"status\":\"final\"", "\"status\":\"entered-in-error\"")).contains(
        "expected \"final\""))
    #expect(
      try refusal(changed("\"value\":15,\"unit\":\"dB\"", "\"value\":15,\"unit\":\"dB SPL\""))
        .contains("expected \"dB\""))
  }

  @Test("ears swapped are refused as that: by the side named, or by the codes")
  func swappedEars() throws {
    let payload = try forge.payload()
    let swapped = payload.replacing("\"text\":\"left\"", with: "\"text\":\"?\"")
      .replacing("\"text\":\"right\"", with: "\"text\":\"left\"")
      .replacing("\"text\":\"?\"", with: "\"text\":\"right\"")
    let place = "vc.credentialSubject.fhirBundle.entry[3].resource.component[0].code"
    #expect(
      forge.refusal(try forge.jws(swapped))
        == .earsSwapped(place: "\(place): the code is of the left ear, bodySite of the right one"))
    // 500 Hz of the left ear under the code of the right one.
    #expect(
      forge.refusal(try forge.jws(changed("89024-4", "89025-1")))
        == .earsSwapped(
          place: "vc.credentialSubject.fhirBundle.entry[3].resource.component[1].code: the code is of the"
            + " right ear, bodySite of the left one"))
  }

  @Test("two audiograms of one ear are refused")
  func sameEarTwice() throws {
    let payload = try forge.payload()
    let twice = ThresholdCode.loinc.values.reduce(payload) { $0.replacing($1.right, with: $1.left) }
      .replacing("\"text\":\"right\"", with: "\"text\":\"left\"")
    #expect(try refusal(twice).hasSuffix("a second audiogram of the left ear"))
  }

  @Test(
    "a number with more decimals than a card carries is refused, however it was signed",
    arguments: [
      "lowering-left 2000.5 2", "lowering-left 2000 2.001", "tinnitus-left broadband 45.25",
      "tinnitus-left notched 6000.5 1 45", "tinnitus-left notched 6000 0.255 45",
    ])
  func tooPrecise(field: String) throws {
    let text = "quiet;NAL-RP 2;ceiling 111;" + field
    let refusal = try refusal(changed("quiet;NAL-RP 2;ceiling 111", text))
    #expect(refusal.contains("expected a multiple of"), "\(refusal)")
  }

  @Test(
    "a fitting in another form than its one is refused",
    arguments: [
      "quiet;NAL-RP 1", "quiet;NAL-RP 3;ceiling 110", "quiet;NAL-RQ 1;ceiling 110",
      "quiet;NAL-RP 1 2;ceiling 110",
      "quiet;NAL-RP 01;ceiling 110", "quiet;NAL-RP 1;ceiling 110;",
      "quiet;NAL-RP 1;ceiling 110;ceiling 110",
      "quiet;NAL-RP 1;ceiling 110.0", "quiet;NAL-RP 1;ceiling 1.1e2", "quiet;NAL-RP 1;ceiling 130",
      "quiet;NAL-RP 1;ceiling", "quiet;NAL-RP 1;ceiling 110;adaptation 0.8",
      "quiet;NAL-RP 1;adaptation 1;ceiling 110",
      "quiet;NAL-RP 1;ceiling 110;volume 5 -5", "quiet;NAL-RP 1;ceiling 110;volume 0 0",
      "quiet;NAL-RP 1;ceiling 110;volume -5 50", "quiet;NAL-RP 1;ceiling 110;trial 0",
      "quiet;NAL-RP 1;ceiling 110;trial 99999999999", "quiet;NAL-RP 1;ceiling 110;loudness 3",
      "quiet;NAL-RP 1;ceiling 110;acceptance wearer",
      "quiet;NAL-RP 1;ceiling 110;trial 60;acceptance clinic",
      "quiet;NAL-RP 1;ceiling 110;acceptance wearer;trial 60",
      "quiet;NAL-RP 1;ceiling 110;targets-left 500/1/1/1;targets-right 500/1/1/1",
      "quiet;tables NAL-NL2;ceiling 110",
      "quiet;tables NAL-NL2;ceiling 110;targets-left 500/1/1/1;targets-right 500/1/1/99",
      "quiet;tables NAL-NL2;ceiling 110;targets-left 500/1/1/1;targets-right 500/1/1",
      "quiet;tables NAL-NL2;ceiling 110;targets-left 500/1/1/1;targets-right 500 250/1 1/1 1/1 1",
      "quiet;tables NAL-NL2;ceiling 110;targets-left 500/1/1/1/-;targets-right 500/1/1/1",
      "quiet;tables  ;ceiling 110;targets-left 500/1/1/1;targets-right 500/1/1/1",
      "other quiet;NAL-RP 1;ceiling 110", "other %;NAL-RP 1;ceiling 110", "other a%2;NAL-RP 1;ceiling 110",
      "other a%41;NAL-RP 1;ceiling 110", "loud;NAL-RP 1;ceiling 110", "QUIET;NAL-RP 1;ceiling 110", "",
      ";;",
      "quiet;NAL-RP 1;ceiling 110;tuning-left 500/1/1/16",
      "quiet;NAL-RP 1;ceiling 110;lowering-left 2000", "quiet;NAL-RP 1;ceiling 110;lowering-left 1400 2",
      "quiet;NAL-RP 1;ceiling 110;lowering-left 2000 4.5",
      "quiet;NAL-RP 1;ceiling 110;lowering-both 2000 2",
      "quiet;NAL-RP 1;ceiling 110;lowering-right 2000 2;lowering-left 2000 2",
      "quiet;NAL-RP 1;lowering-left 2000 2;ceiling 110",
      "quiet;NAL-RP 1;ceiling 110;tinnitus-left broadband",
      "quiet;NAL-RP 1;ceiling 110;tinnitus-left pink 45",
      "quiet;NAL-RP 1;ceiling 110;tinnitus-left broadband 45 2",
      "quiet;NAL-RP 1;ceiling 110;tinnitus-left broadband  45",
      "quiet;NAL-RP 1;ceiling 110;tinnitus-left broadband 45 x",
      "quiet;NAL-RP 1;ceiling 110;tinnitus-left broadband 76",
      "quiet;NAL-RP 1;ceiling 110;tinnitus-left broadband 9",
      "quiet;NAL-RP 1;ceiling 62;tinnitus-left broadband 63",
      "quiet;NAL-RP 1;ceiling 110;tinnitus-left band 6000 45",
      "quiet;NAL-RP 1;ceiling 110;tinnitus-left band 100 1 45",
      "quiet;NAL-RP 1;ceiling 110;tinnitus-left notched 6000 3 45",
      "quiet;NAL-RP 1;ceiling 110;tinnitus-left broadband 45;lowering-left 2000 2",
    ])
  func fittings(_ text: String) throws {
    let refusal = try refusal(changed("quiet;NAL-RP 2;ceiling 111", text))
    #expect(
      refusal.hasPrefix(
        "vc.credentialSubject.fhirBundle.entry[0].resource.parameter[0].valueCodeableConcept.text: "),
      "\(refusal)")
  }

  @Test(
    "a text that a reader could see in two ways is refused",
    arguments: ["\\ud800", "\\udc00\\ud800", "A\\u0000", "\u{202E}Ada", "Ada ", "\\q", "\u{FEFF}Ada", ""])
  func texts(_ name: String) throws {
    #expect(try refusal(changed("\"given\":[\"Ada\"]", "\"given\":[\"\(name)\"]")) != "read")
  }

  @Test("content that is not UTF-8, or not only JSON, is refused")
  func encodings() throws {
    let payload = Array(try forge.payload().utf8)
    for bytes in [
      payload + Array("{}".utf8), [0xEF, 0xBB, 0xBF] + payload, payload + [0],
      payload.map { $0 == UInt8(ascii: "A") ? 0xC0 : $0 }, Array("".utf8), Array("null".utf8),
    ] {
      let refusal = try #require(forge.refusal(forge.jws(packed: Deflate.packed(bytes))))
      #expect(CardForgeryTests.name(refusal) == "invalidContent")
    }
  }

  @Test("base64 in another form than its one is refused: padding, other alphabet, bits after the end")
  func base64() throws {
    let parts = try forge.clinic.quickCard(forge.prescription()).jws.split(separator: ".").map(String.init)
    let last = try #require(parts[2].last)
    // A signature of 64 bytes ends in a character of which four bits must be 0: A, Q, g or w.
    #expect("AQgw".contains(last))
    let next = ["A": "B", "Q": "R", "g": "h", "w": "x"][String(last)] ?? ""
    let forms = [parts[2] + "==", parts[2].dropLast() + next, parts[2] + "A"]
    for form in forms {
      #expect(forge.refusal([parts[0], parts[1], String(form)].joined(separator: ".")) != nil)
    }
  }

  @Test(
    "a text that is no card is refused as that",
    arguments: [
      "", " ", "hello", "https://example.org", "shc:", "SHC:/00", "shc:1234", "WIFI:S:x;;", "e30.e30.AA",
      "{}",
      "a.b.c",
    ])
  func noCards(_ text: String) { #expect(forge.refusal(text) == .notACard) }

  @Test(
    "a text that begins like a card and is none is refused as damaged",
    arguments: [
      "shc:/", "shc:/1", "shc:/123", "shc:/99", "shc:/1/2/5676", "shc:/56 76", "shc:/٥٦٧٦", "shc:/-5676",
      "shc:/5676",
      "eyJ", "eyJ.eyJ", "eyJ.eyJ.eyJ", "eyJ.eyJ.eyJ.eyJ", "eyJ..", "...",
    ])
  func damaged(_ text: String) throws {
    let refusal = try #require(forge.refusal(text))
    #expect(CardForgeryTests.name(refusal) == (text == "..." ? "notACard" : "malformed"))
  }

  @Test("a text longer than any QR code holds is refused before it is looked at")
  func tooLarge() {
    #expect(
      forge.refusal("shc:/" + String(repeating: "5", count: 7002)) == .tooLarge(size: 7007, limit: 7005))
    #expect(
      forge.refusal("eyJ" + String(repeating: "A", count: 3500)) == .tooLarge(size: 3503, limit: 3500))
    #expect(
      forge.refusal(String(repeating: "A", count: 10_000_000)) == .tooLarge(size: 10_000_000, limit: 7005))
  }

  @Test("no refusal's text carries the patient's name")
  func privacy() throws {
    for text in [
      try forge.jws(changed("\"value\":15,", "\"value\":1e5,")),
      try forge.jws(changed("\"birthDate\":\"1950-02-03\"", "\"birthDate\":\"Ada Example\"")),
      try forge.clinic.quickCard(forge.prescription(expires: Forge.issued + 1)).text,
    ] {
      let refusal = try #require(forge.refusal(text, at: Forge.issued + 10))
      #expect(!"\(refusal)".contains("Ada") && !"\(refusal)".contains("Example"))
    }
  }
}
