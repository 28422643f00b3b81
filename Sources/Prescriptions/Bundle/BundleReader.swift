import Acoustics
import Fitting

/// Reads a prescription's bundle, as strictly as ``PrescriptionBundle`` writes it: a member or code that is
/// not understood could mean anything, so it is refused.
struct BundleReader {
  private var patient: Patient?
  private var prescriber: String?
  private var clinic: String?
  private var audiograms: [Ear: Audiogram] = [:]
  private var request: DeviceRequestReader?
  private var references: [String: String] = [:]

  /// Entries: patient, practitioner, role, at most one observation for each ear, the request.
  private static let entries = 4...6

  /// - Throws: ``CardError/invalidContent(place:reason:)`` or ``CardError/earsSwapped(place:)``.
  static func prescription(_ bundle: JSONPlace) throws(CardError) -> Prescription {
    var reader = BundleReader()
    let members = try bundle.members("resourceType", "type", "entry")
    try members("resourceType").fixed("Bundle")
    try members("type").fixed("collection")
    let entries = try members("entry").elements(Self.entries)
    var resources: [JSONPlace] = []
    for (index, entry) in entries.enumerated() {
      let entry = try entry.members("fullUrl", "resource")
      try entry("fullUrl").fixed("resource:\(index)")
      resources.append(try entry("resource"))
    }
    for (index, resource) in resources.enumerated() { try reader.note(resource, index) }
    for resource in resources { try reader.read(resource) }
    return try reader.prescription(bundle)
  }

  private static func type(_ resource: JSONPlace) throws(CardError) -> String {
    guard case .object(let members) = resource.value,
      case .text(let type) = members.first(where: { $0.key == "resourceType" })?.value
    else { throw resource.failure("\"resourceType\" is missing") }
    return type
  }

  /// Remembers which address is which resource.
  private mutating func note(_ resource: JSONPlace, _ index: Int) throws(CardError) {
    let type = try Self.type(resource)
    guard type != "Observation" else { return }
    guard references.updateValue("resource:\(index)", forKey: type) == nil else {
      throw resource.failure("a second \(JSONPlace.shown(type))")
    }
  }

  private func refers(_ place: JSONPlace, to type: String) throws(CardError) {
    let target = try place.members("reference")("reference")
    guard let expected = references[type] else { throw target.failure("there is no \(type)") }
    try target.fixed(expected)
  }

  private mutating func read(_ resource: JSONPlace) throws(CardError) {
    switch try Self.type(resource) {
    case "Patient": patient = try Self.patient(resource)
    case "Practitioner":
      let name = try resource.members("resourceType", "name")("name").elements(1...1)[0]
      prescriber = try name.members("text")("text").text()
    case "PractitionerRole":
      let role = try resource.members("resourceType", "practitioner", "organization")
      try refers(try role("practitioner"), to: "Practitioner")
      clinic = try role("organization").members("display")("display").text()
    case "Observation": try readObservation(resource)
    case "DeviceRequest":
      let reader = try DeviceRequestReader(resource)
      try refers(reader.subject, to: "Patient")
      try refers(reader.requester, to: "PractitionerRole")
      request = reader
    case let other:
      throw resource.failure("found a resource \"\(JSONPlace.shown(other))\" that has no place here")
    }
  }

  static func patient(_ resource: JSONPlace) throws(CardError) -> Patient {
    let members = try resource.members("resourceType", "identifier", "name", "birthDate")
    try members("resourceType").fixed("Patient")
    let name = try members("name").elements(1...1)[0].members("family", "given")
    var reference: String?
    if let identifier = members.optional("identifier") {
      reference = try identifier.elements(1...1)[0].members("value")("value").text()
    }
    let birth = try members("birthDate")
    guard let date = CalendarDate(try birth.text()) else {
      throw birth.failure("expected a date, as 1950-02-28")
    }
    let given = try name("given").elements(1...1)[0].text()
    let family = try name("family").text()
    do {
      return try Patient(givenName: given, familyName: family, birthDate: date, reference: reference)
    } catch { throw resource.failure("\(error)") }
  }

  private mutating func readObservation(_ resource: JSONPlace) throws(CardError) {
    let members = try resource.members("resourceType", "status", "code", "subject", "bodySite", "component")
    try members("status").fixed("final")
    let code = try Self.coding(try members("code"))
    guard code.system == ThresholdCode.loincSystem, code.code == ThresholdCode.panel else {
      throw code.place.failure("expected LOINC \(ThresholdCode.panel), pure-tone threshold audiometry")
    }
    try refers(try members("subject"), to: "Patient")
    let site = try Self.coding(try members("bodySite"))
    guard site.system == BundleVocabulary.bodySites,
      let ear = Ear.allCases.first(where: { BundleVocabulary.ear[$0] == site.code })
    else { throw site.place.failure("expected the SNOMED CT code of the left or right ear") }
    let counts = 1...Prescription.greatestPointCount
    var points: [Audiogram.Point] = []
    for component in try members("component").elements(counts) {
      points.append(try Self.point(component, ear))
    }
    do {
      let audiogram = try Audiogram(points: points)
      guard audiograms.updateValue(audiogram, forKey: ear) == nil else {
        throw resource.failure("a second audiogram of the \(ear.rawValue) ear")
      }
    } catch let error as AudiogramError {
      throw resource.failure("\(error)")
    } catch let error as CardError {
      throw error
    } catch { throw resource.failure("\(error)") }
  }

  private static func point(_ component: JSONPlace, _ ear: Ear) throws(CardError) -> Audiogram.Point {
    let members = try component.members("code", "valueQuantity", "extension")
    let coding = try coding(try members("code"))
    guard let code = ThresholdCode(system: coding.system, code: coding.code) else {
      throw coding.place.failure(
        "found code \"\(JSONPlace.shown(coding.code))\", which is of no hearing threshold known here")
    }
    guard code.ear == ear else {
      throw .earsSwapped(
        place: "\(coding.place.path): the code is of the \(code.ear.rawValue) ear, bodySite of the"
          + " \(ear.rawValue) one")
    }
    let quantity = try members("valueQuantity").members("system", "code", "value", "comparator")
    try quantity("system").fixed(BundleVocabulary.units)
    try quantity("code").fixed(BundleVocabulary.decibel)
    if let comparator = quantity.optional("comparator") { try comparator.fixed(">") }
    if let list = members.optional("extension") {
      let mark = try list.elements(1...1)[0].members("url", "valueBoolean")
      try mark("url").fixed(BundleVocabulary.masked)
      guard try mark("valueBoolean").value == .boolean(true) else {
        throw mark.place.failure("expected true, or no such extension")
      }
    }
    return Audiogram.Point(
      frequency: code.frequency, threshold: HearingLevel(try quantity("value").number()),
      conduction: code.conduction, isMasked: members.optional("extension") != nil,
      hasResponse: quantity.optional("comparator") == nil)
  }

  /// The one coding of a concept.
  static func coding(
    _ concept: JSONPlace
  ) throws(CardError) -> (system: String, code: String, place: JSONPlace) {
    let place = try concept.members("coding")("coding").elements(1...1)[0]
    let members = try place.members("system", "code")
    return (try members("system").text(), try members("code").text(), place)
  }

  private func prescription(_ bundle: JSONPlace) throws(CardError) -> Prescription {
    guard let patient, let prescriber, let clinic, let request else {
      throw bundle.failure(
        "expected a Patient, a Practitioner, a PractitionerRole and a DeviceRequest; one is missing")
    }
    let none = try unchecked { try Audiogram(points: []) }
    let ears = Binaural(left: audiograms[.left] ?? none, right: audiograms[.right] ?? none)
    return try request.prescription(patient, (prescriber, clinic), ears, place: bundle)
  }

  private func unchecked(_ body: () throws -> Audiogram) throws(CardError) -> Audiogram {
    do { return try body() } catch { throw .invalidContent(place: "audiogram", reason: "\(error)") }
  }
}
