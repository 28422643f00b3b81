import Acoustics
import Base
import Fitting

/// Reads a prescription's bundle, as strictly as ``PrescriptionBundle`` writes it: a member or code that is
/// not understood could mean anything, so it is refused.
struct BundleReader {
  /// Facts stated by the card around the bundle; nil for a bundle that stands by itself.
  private let facts: SignedFacts?
  private var patient: Patient?
  private var prescriber: String?
  private var audiograms: [Ear: Audiogram] = [:]
  private var request: DeviceRequestReader?
  private var references: [String: String] = [:]

  /// Entries: patient, practitioner, at most one observation for each ear, the request.
  private static let entries = 3...5

  private init(_ facts: SignedFacts?) { self.facts = facts }

  /// - Throws: ``PrescriptionError/invalidContent(place:reason:)`` or
  ///   ``PrescriptionError/earsSwapped(place:)``.
  static func prescription(
    _ bundle: JSONPlace, _ facts: SignedFacts?
  ) throws(PrescriptionError) -> Prescription {
    var reader = BundleReader(facts)
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

  private static func type(_ resource: JSONPlace) throws(PrescriptionError) -> String {
    guard let type = try? resource.member("resourceType")?.text() else {
      throw resource.failure("\"resourceType\" is missing")
    }
    return type
  }

  /// Notes the address of a resource.
  private mutating func note(_ resource: JSONPlace, _ index: Int) throws(PrescriptionError) {
    let type = try Self.type(resource)
    guard type != "Observation" else { return }
    guard references.updateValue("resource:\(index)", forKey: type) == nil else {
      throw resource.failure("a second \(PrintableText.short(type))")
    }
  }

  private func refers(_ place: JSONPlace, to type: String) throws(PrescriptionError) {
    let target = try place.members("reference")("reference")
    guard let expected = references[type] else { throw target.failure("there is no \(type)") }
    try target.fixed(expected)
  }

  private mutating func read(_ resource: JSONPlace) throws(PrescriptionError) {
    switch try Self.type(resource) {
    case "Patient": patient = try Self.patient(resource)
    case "Practitioner":
      let name = try resource.members("resourceType", "name")("name").elements(1...1)[0]
      prescriber = try name.members("text")("text").text()
    case "Observation": try readObservation(resource)
    case "DeviceRequest":
      let reader = try DeviceRequestReader(resource, facts)
      try refers(reader.subject, to: "Patient")
      try refers(reader.requester, to: "Practitioner")
      request = reader
    case let other:
      throw resource.failure("found a resource \"\(PrintableText.short(other))\" that has no place here")
    }
  }

  static func patient(_ resource: JSONPlace) throws(PrescriptionError) -> Patient {
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
    return try resource.making {
      try Patient(givenName: given, familyName: family, birthDate: date, reference: reference)
    }
  }

  private mutating func readObservation(_ resource: JSONPlace) throws(PrescriptionError) {
    let members = try resource.members(
      ["resourceType", "status", "code", "bodySite", "component"]
        + (facts == nil ? ["subject", "effectiveDateTime"] : []))
    try members("status").fixed("final")
    let panel = try members("code").members("coding")
    guard try Self.loincCode(panel) == ThresholdCode.panel else {
      throw panel.place.failure("expected LOINC \(ThresholdCode.panel), pure-tone threshold audiometry")
    }
    if facts == nil {
      try refers(try members("subject"), to: "Patient")
      _ = try DeviceRequestReader.instant(try members("effectiveDateTime"))
    }
    let site = try members("bodySite").members("text")("text")
    guard let ear = Ear(rawValue: try site.text()) else {
      throw site.failure("expected \"left\" or \"right\"")
    }
    let counts = 1...Prescription.greatestPointCount
    var points: [Audiogram.Point] = []
    for component in try members("component").elements(counts) { points.append(try point(component, ear)) }
    let audiogram = try resource.making { [points] in try Audiogram(points: points) }
    guard audiograms.updateValue(audiogram, forKey: ear) == nil else {
      throw resource.failure("a second audiogram of the \(ear.rawValue) ear")
    }
  }

  private func point(_ component: JSONPlace, _ ear: Ear) throws(PrescriptionError) -> Audiogram.Point {
    let members = try component.members("code", "valueQuantity", "extension")
    let place = try members("code")
    let code = try Self.threshold(place)
    guard code.ear == ear else {
      throw .earsSwapped(
        place: "\(place.path): the code is of the \(code.ear.rawValue) ear, bodySite of the"
          + " \(ear.rawValue) one")
    }
    let quantity = try members("valueQuantity").members(
      ["value", "unit", "comparator"] + (facts == nil ? ["system", "code"] : []))
    try quantity("unit").fixed(BundleVocabulary.decibel)
    if facts == nil {
      try quantity("system").fixed(BundleVocabulary.units)
      try quantity("code").fixed(BundleVocabulary.decibel)
    }
    if let comparator = quantity.optional("comparator") { try comparator.fixed(">") }
    if let list = members.optional("extension") {
      let mark = try list.elements(1...1)[0].members("url", "valueBoolean")
      try mark("url").fixed(BundleVocabulary.masked)
      guard try mark("valueBoolean").value == .boolean(true) else {
        throw mark.place.failure("expected true, or no such extension")
      }
    }
    return Audiogram.Point(
      frequency: Double(code.frequency), threshold: HearingLevel(try quantity("value").number()),
      conduction: code.conduction, isMasked: members.optional("extension") != nil,
      hasResponse: quantity.optional("comparator") == nil)
  }

  private static func threshold(_ place: JSONPlace) throws(PrescriptionError) -> ThresholdCode {
    let members = try place.members("coding", "text")
    let name: String
    let code: ThresholdCode?
    if let words = members.optional("text"), members.members.count == 1 {
      name = try words.text()
      code = try place.making { try ThresholdCode(words: name) }
    } else {
      name = try loincCode(members)
      code = ThresholdCode(loincCode: name)
    }
    guard let code, members.members.count == 1 else {
      throw place.failure(
        "found code \"\(PrintableText.short(name))\", which is of no hearing threshold known here")
    }
    return code
  }

  /// The one coding of a concept.
  private static func loincCode(_ concept: JSONMembers) throws(PrescriptionError) -> String {
    let coding = try concept("coding").elements(1...1)[0].members("system", "code")
    try coding("system").fixed(ThresholdCode.loincSystem)
    return try coding("code").text()
  }

  private func prescription(_ bundle: JSONPlace) throws(PrescriptionError) -> Prescription {
    guard let patient, let prescriber, let request else {
      throw bundle.failure("expected a Patient, a Practitioner and a DeviceRequest; one is missing")
    }
    let none = try bundle.making { try Audiogram(points: []) }
    let ears = Binaural(left: audiograms[.left] ?? none, right: audiograms[.right] ?? none)
    return try request.prescription(patient, prescriber, ears, place: bundle)
  }
}

/// Reads the DeviceRequest of a prescription's bundle.
struct DeviceRequestReader {
  let subject: JSONPlace
  let requester: JSONPlace
  private let serial: Int
  private let supersedes: Int?
  private let facts: SignedFacts
  private let fitting: FittingText

  /// - Parameter facts: Facts stated by the card around the bundle; nil for a bundle that stands by itself.
  init(_ resource: JSONPlace, _ facts: SignedFacts?) throws(PrescriptionError) {
    let allowed = ["resourceType", "intent", "identifier", "codeCodeableConcept"]
    let links = ["subject", "requester", "priorRequest", "parameter"]
    let more = facts == nil ? ["status", "performer", "authoredOn", "occurrencePeriod"] : []
    let members = try resource.members(allowed + links + more)
    try members("intent").fixed("order")
    try members("codeCodeableConcept").members("text")("text").fixed(BundleVocabulary.device)
    subject = try members("subject")
    requester = try members("requester")
    serial = try Self.serial(try members("identifier").elements(1...1)[0])
    let prior = try members.optional("priorRequest")?.elements(1...1)[0].members("identifier")
    supersedes = if let prior { try Self.serial(try prior("identifier")) } else { nil }
    if let facts { self.facts = facts } else { self.facts = try Self.facts(members) }
    let parameter = try members("parameter").elements(1...1)[0].members(
      ["valueCodeableConcept"] + (facts == nil ? ["code"] : []))
    if facts == nil { try parameter("code").members("text")("text").fixed(BundleVocabulary.fitting) }
    fitting = try FittingText(try parameter("valueCodeableConcept").members("text")("text"))
  }

  /// The prescription of all that the bundle says.
  func prescription(
    _ patient: Patient, _ prescriber: String, _ ears: Binaural<Audiogram>, place: JSONPlace
  ) throws(PrescriptionError) -> Prescription {
    try place.making {
      try Prescription(
        serial: serial, supersedes: supersedes, patient: patient,
        prescriber: try Prescriber(name: prescriber, clinic: facts.clinic),
        environment: fitting.environment, audiograms: ears, plan: fitting.plan,
        adjustment: fitting.adjustment, issued: facts.issued, expires: facts.expires,
        trialEnds: fitting.trial.map { facts.issued + $0 })
    }
  }

  private static func serial(_ place: JSONPlace) throws(PrescriptionError) -> Int {
    let value = try place.members("value")("value")
    let text = try value.text()
    guard let number = Int(text), Prescription.serials.contains(number), "\(number)" == text else {
      throw value.failure("expected a serial of 1 to 999999999")
    }
    return number
  }

  /// Clinic, issue and expiry of a bundle that stands by itself.
  private static func facts(_ members: JSONMembers) throws(PrescriptionError) -> SignedFacts {
    try members("status").fixed("active")
    let end = try members.optional("occurrencePeriod")?.members("end")("end")
    return SignedFacts(
      clinic: try members("performer").members("display")("display").text(),
      issued: try instant(try members("authoredOn")), expires: try end.map(instant))
  }

  static func instant(_ place: JSONPlace) throws(PrescriptionError) -> Instant {
    guard let instant = Instant(text: try place.text()) else {
      throw place.failure("expected a moment, as 2026-02-28T09:30:00Z")
    }
    return instant
  }
}
