import Acoustics
import Prescriptions
import PrescriptionsTesting
import Testing

@Suite("FHIR audiogram") struct FHIRAudiogramTests {
  /// A panel by the PACIO SPLASCH and AU Core form: a member Observation for each ear and frequency.
  static let panel = """
    {"resourceType": "Bundle", "type": "collection", "entry": [
      {"fullUrl": "urn:uuid:1", "resource": {"resourceType": "Patient", "id": "p"}},
      {"fullUrl": "urn:uuid:2", "resource": {"resourceType": "Observation", "id": "panel", "status": "final",
        "code": {"coding": [{"system": "http://loinc.org", "code": "89015-2"}]},
        "effectiveDateTime": "2026-02-03", "hasMember": [
          {"reference": "urn:uuid:3"}, {"reference": "Observation/r1"}, {"reference": "Observation/l4"}]}},
      {"fullUrl": "urn:uuid:3", "resource": {"resourceType": "Observation", "status": "final",
        "code": {"coding": [{"system": "http://loinc.org", "code": "89016-0", "display": "Hearing threshold"}]},
        "bodySite": {"coding": [{"system": "http://snomed.info/sct", "code": "1", "display": "Left ear"}]},
        "valueQuantity": {"value": 35, "unit": "dB", "system": "http://unitsofmeasure.org", "code": "dB"}}},
      {"fullUrl": "https://server.example/fhir/Observation/r1", "resource": {
        "resourceType": "Observation", "id": "r1", "status": "amended",
        "code": {"coding": [{"system": "http://local.example", "code": "x"},
          {"system": "http://loinc.org", "code": "89017-8"}]},
        "valueQuantity": {"value": 110, "comparator": ">", "unit": "dB HL", "code": "dB"}}},
      {"fullUrl": "urn:uuid:5", "resource": {"resourceType": "Observation", "id": "l4", "status": "final",
        "code": {"coding": [{"system": "http://loinc.org", "code": "89022-8"}]},
        "dataAbsentReason": {"text": "not tested"}}},
      {"fullUrl": "urn:uuid:6", "resource": {"resourceType": "Observation", "status": "final",
        "code": {"coding": [{"system": "http://loinc.org", "code": "29463-7"}]},
        "valueQuantity": {"value": 70, "unit": "kg"}}}
    ]}
    """

  func refusal(_ text: String) -> PrescriptionError? {
    do throws(PrescriptionError) {
      _ = try FHIRAudiogram(parsing: text)
      return nil
    } catch { return error }
  }

  @Test("a panel's members are found by full address and by id, whatever else is in the bundle")
  func members() throws {
    let ears = try FHIRAudiogram(parsing: Self.panel).ears
    #expect(ears.left.points == [.init(frequency: 1000, threshold: HearingLevel(35))])
    #expect(
      ears.right.points == [.init(frequency: 1000, threshold: HearingLevel(110), hasResponse: false)])
  }

  @Test("one Observation with components by LOINC code is an audiogram")
  func components() throws {
    let text = """
      {"resourceType": "Observation", "status": "final",
       "code": {"coding": [{"system": "http://loinc.org", "code": "89015-2"}]}, "component": [
        {"code": {"coding": [{"system": "http://loinc.org", "code": "89024-4"}]},
         "valueQuantity": {"value": 22.5, "unit": "dB"}},
        {"code": {"coding": [{"system": "http://loinc.org", "code": "89025-1"}]},
         "valueQuantity": {"value": -5, "code": "dB"}}]}
      """
    let ears = try FHIRAudiogram(parsing: text).ears
    #expect(ears.left.points == [.init(frequency: 500, threshold: HearingLevel(22.5))])
    #expect(ears.right.points == [.init(frequency: 500, threshold: HearingLevel(-5))])
  }

  /// Values of HL7's examples hearingSensitivity-1 and -4.
  @Test("members of HL7's Personal Health Record Format give both ears at a frequency")
  func personalHealthRecord() throws {
    func member(_ id: String, _ frequency: Int, _ left: Int, _ right: Int) -> String {
      func component(_ code: String, _ value: Int, _ unit: String) -> String {
        """
        {"code": {"coding": [{"system": "http://hl7.org/fhir/uv/phr/CodeSystem/hearing-sensitivity-codes",
          "code": "\(code)"}]}, "valueQuantity": {"value": \(value), "unit": "\(unit)",
          "system": "http://unitsofmeasure.org", "code": "\(unit)"}}
        """
      }
      let components = [
        component("frequency", frequency, "Hz"), component("leftEarSensitivity", left, "dB"),
        component("rightEarSensitivity", right, "dB"),
      ].joined(separator: ",")
      return """
        {"fullUrl": "urn:\(id)", "resource": {"resourceType": "Observation", "id": "\(id)", "status": "final",
          "code": {"coding": [{"code": "hearingSensitivity"}]}, "component": [\(components)]}}
        """
    }
    let text = """
      {"resourceType": "Bundle", "type": "collection", "entry": [
        {"resource": {"resourceType": "Observation", "status": "final", "code": {"coding": [
          {"code": "Audiogram"}, {"system": "http://loinc.org", "code": "89015-2"}]},
          "hasMember": [{"reference": "Observation/a"}, {"reference": "Observation/b"}]}},
        \(member("a", 500, 30, 35)), \(member("b", 4000, 40, 45))]}
      """
    let ears = try FHIRAudiogram(parsing: text).ears
    #expect(try ears.left == Audiogram(air: [500: 30, 4000: 40]))
    #expect(try ears.right == Audiogram(air: [500: 35, 4000: 45]))
  }

  @Test("thresholds without a panel are gathered, and other Observations passed over")
  func loose() throws {
    let text = Self.panel.replacing("89015-2", with: "00000-0")
    let ears = try FHIRAudiogram(parsing: text).ears
    #expect(ears.left.points.count == 1 && ears.right.points.count == 1)
  }

  @Test(
    "a threshold beside a panel that does not refer to it is an error, unless it was entered in error",
    arguments: [("final", true), ("entered-in-error", false)])
  func loose(status: String, isRefused: Bool) {
    let weight = #""urn:uuid:6", "resource": {"resourceType": "Observation", "status": "final""#
    #expect(Self.panel.contains(weight))
    let text = Self.panel.replacing(weight, with: weight.replacing("final", with: status))
      .replacing("29463-7", with: "89025-1").replacing("kg", with: "dB")
    let expected = PrescriptionError.invalidAudiogram(
      place: "entry[5].resource",
      reason:
        "found a threshold to which the panel does not refer, expected one audiogram: all thresholds in the panel, or no panel"
    )
    #expect(refusal(text) == (isRefused ? expected : nil))
  }

  @Test("thresholds of two days are no audiogram, also without a panel that holds them together")
  func days() throws {
    func bundle(_ moments: String...) -> String {
      func observation(_ code: String, _ moment: String) -> String {
        """
        {"resource": {"resourceType": "Observation", "status": "final",
          "code": {"coding": [{"system": "http://loinc.org", "code": "\(code)"}]}, \(moment)
          "valueQuantity": {"value": 35, "unit": "dB", "code": "dB"}}}
        """
      }
      // 1000 Hz of both ears, 2000 Hz of the left one.
      let observations = zip(["89016-0", "89017-8", "89018-6"], moments).map { observation($0, $1) }
      return """
        {"resourceType": "Bundle", "type": "collection", "entry": [\(observations.joined(separator: ", "))]}
        """
    }
    let day = "\"effectiveDateTime\": \"2026-02-03T10:00:00+01:00\","
    let period = "\"effectivePeriod\": {\"start\": \"2026-02-03T10:20:00+01:00\"},"
    for second in [day, period, "\"effectiveDateTime\": \"2026-02\",", ""] {
      #expect(refusal(bundle(day, second)) == nil, "\(second)")
    }
    let other = try #require(refusal(bundle("\"effectiveDateTime\": \"2019-05-06\",", period)))
    #expect("\(other)".contains("found a threshold of 2026-02-03 beside one of 2019-05-06"))
    // The month between them does not make one day of two.
    let month = "\"effectiveDateTime\": \"2026-02\","
    let later = "\"effectiveDateTime\": \"2026-02-20\","
    let twoDays = try #require(refusal(bundle(day, month, later)))
    #expect("\(twoDays)".contains("found a threshold of 2026-02-20 beside one of 2026-02-03"))
    #expect(refusal(bundle(month, day, day)) == nil)
    let empty = try #require(refusal(bundle(day, "\"effectiveDateTime\": \"\",", later)))
    #expect("\(empty)".contains("entry[1].resource.effectiveDateTime: found an empty moment"))
  }

  @Test("this project's own bundles give back both audiograms, point by point")
  func ownBundles() throws {
    var random = RandomPrescription(seed: 21)
    for _ in 0..<100 {
      let prescription = try random.next()
      let ears = prescription.audiograms
      guard !ears.left.points.isEmpty || !ears.right.points.isEmpty else { continue }
      #expect(try FHIRAudiogram(parsing: prescription.fhirBundle).ears == ears)
    }
  }

  @Test(
    "what cannot be taken as it stands is refused with its place",
    arguments: [
      (
        "\"unit\": \"dB\", \"system\": \"http://unitsofmeasure.org\", \"code\": \"dB\"",
        "\"unit\": \"dB SPL\"",
        "entry[2].resource.valueQuantity.unit", "found the unit \"dB SPL\", expected dB"
      ),
      (
        "\"unit\": \"dB\", \"system\": \"http://unitsofmeasure.org\", \"code\": \"dB\"",
        "\"system\": \"x\"",
        "entry[2].resource.valueQuantity", "found a value without a unit, expected dB"
      ),
      (
        "\"display\": \"Left ear\"", "\"display\": \"Right ear\"", "entry[2].resource",
        "the code is of the left ear, bodySite of the right one"
      ),
      (
        "\"status\": \"amended\"", "\"status\": \"preliminary\"", "entry[3].resource.status",
        "found \"preliminary\", expected a final result"
      ),
      (
        "urn:uuid:3\"}", "urn:uuid:9\"}", "entry[1].resource.hasMember[0].reference",
        "no Observation here has the address \"urn:uuid:9\", expected one"
      ),
      (
        "urn:uuid:3\"}", "urn:uuid:6\"}", "entry[5].resource",
        "found a member of the panel that is no hearing threshold known here"
      ),
      (
        "\"value\": 35", "\"value\": 350", "entry[2].resource",
        "350 dB HL at 1000 Hz"
      ),
      (
        "\"value\": 35", "\"value\": \"35\"", "entry[2].resource.valueQuantity.value",
        "found a text, expected a number"
      ),
      (
        "\"comparator\": \">\"", "\"comparator\": \"<\"", "entry[3].resource",
        "found a comparator other than > and >="
      ),
      ("89017-8", "89016-0", "entry[3].resource", "1000 Hz"),
      (
        "Observation/r1\"}", "urn:uuid:3\"}", "entry[1].resource.hasMember[1]",
        "found a second reference to entry[2].resource"
      ),
      (
        "urn:uuid:3\"}", "Observation/panel\"}", "entry[1].resource.hasMember[0]",
        "or one to a panel, expected each threshold once"
      ),
    ])
  func refusals(_ old: String, _ new: String, _ place: String, _ reason: String) throws {
    #expect(Self.panel.contains(old))
    let refusal = refusal(Self.panel.replacing(old, with: new))
    guard case .invalidAudiogram(let foundPlace, let foundReason) = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(foundPlace == place)
    #expect(foundReason.contains(reason), "\(foundReason)")
  }

  @Test("a reference is an address, or what stands behind a slash of one; a part of a word is none")
  func addresses() {
    func refusal(of reference: String) -> PrescriptionError? {
      self.refusal(Self.panel.replacing("Observation/r1\"}", with: reference + "\"}"))
    }
    for reference in ["https://server.example/fhir/Observation/r1", "fhir/Observation/r1", "r1"] {
      #expect(refusal(of: reference) == nil, "\(reference)")
    }
    for reference in ["bservation/r1", "1", "Observation/r", "/Observation/r1", ""] {
      #expect(
        refusal(of: reference)
          == .invalidAudiogram(
            place: "entry[1].resource.hasMember[1].reference",
            reason: "no Observation here has the address \"\(reference)\", expected one"))
    }
  }

  private static func bundle(_ observations: [String]) -> String {
    let entries = observations.map { "{\"resource\": {\"resourceType\": \"Observation\", \($0)}}" }
    return "{\"resourceType\": \"Bundle\", \"entry\": [\(entries.joined(separator: ","))]}"
  }

  private static func code(_ code: String) -> String {
    let coding = "{\"system\": \"http://loinc.org\", \"code\": \"\(code)\"}"
    return "\"status\": \"final\", \"code\": {\"coding\": [\(coding)]}"
  }

  private static func panelObservation(of references: [String]) -> String {
    let members = references.map { "{\"reference\": \"\($0)\"}" }
    return "\(code("89015-2")), \"hasMember\": [\(members.joined(separator: ","))]"
  }

  @Test("all panels together have at most 400 members")
  func manyMembers() {
    func refusal(members count: Int) -> PrescriptionError? {
      let references = (0..<count).map { "Observation/m\($0)" }
      let panels = [references.prefix(200), references.dropFirst(200)].map {
        Self.panelObservation(of: Array($0))
      }
      let members = (0..<count).map {
        "\"id\": \"m\($0)\", \(Self.code("89016-0")), \"dataAbsentReason\": {\"text\": \"not tested\"}"
      }
      return self.refusal(Self.bundle(panels + members))
    }
    #expect(refusal(members: 400) == .noThresholds)
    #expect(
      refusal(members: 401)
        == .invalidAudiogram(
          place: "entry[1].resource.hasMember[200]",
          reason: "found more than 400 members of panels, expected as many at most"))
  }

  @Test("thousands of references to one address, which all others resemble, are refused with the second")
  func resembling() {
    // Decomposed letters, whose comparison as text is slow.
    let word = String(repeating: "e\u{301}", count: 40)
    let panels = (0..<12).map { _ in Self.panelObservation(of: Array(repeating: word, count: 400)) }
    let member =
      "\"id\": \"\(word)\", \(Self.code("89016-0")), \"valueQuantity\": {\"value\": 35, \"unit\": \"dB\"}"
    let others = (0..<900).map { "\"id\": \"\($0)\(word)\", \"code\": {}" }
    #expect(
      refusal(Self.bundle(panels + [member] + others))
        == .invalidAudiogram(
          place: "entry[0].resource.hasMember[1]",
          reason:
            "found a second reference to entry[12].resource, or one to a panel, expected each threshold once"
        ))
  }

  @Test("texts that are no FHIR audiogram are refused, each as what it is")
  func others() {
    #expect(refusal("") == .notJSON(offset: 0, reason: "the text ends where a value is expected"))
    #expect(
      refusal("[]") == .invalidAudiogram(place: "the content", reason: "found a list, expected an object"))
    #expect(refusal("{}") == .invalidAudiogram(place: "the content", reason: "\"resourceType\" is missing"))
    #expect(
      refusal("{\"resourceType\": \"Patient\"}")
        == .invalidAudiogram(
          place: "the content", reason: "found a Patient, expected an Observation or a Bundle"))
    #expect(refusal("{\"resourceType\":\"Observation\",\"code\":{}}") == .noThresholds)
    let size = FHIRAudiogram.greatestSize + 1
    #expect(
      refusal(String(repeating: " ", count: size))
        == .audiogramTooLarge(size: size, limit: FHIRAudiogram.greatestSize))
  }
}
