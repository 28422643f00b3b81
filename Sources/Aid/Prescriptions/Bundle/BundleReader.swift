import Acoustics
import Base
import Fitting

/// Reads the prescription on a card, as strictly as ``PrescriptionBundle`` writes it: a member or code that
/// is not understood could mean anything, so it is refused.
enum BundleReader {
  /// Entries: patient, practitioner, at most one observation for each ear, the request.
  private static let entries = 3...5

  /// - Parameter clinic: Name of the clinic whose key signed.
  /// - Throws: ``PrescriptionError/invalidContent(place:reason:)`` or
  ///   ``PrescriptionError/earsSwapped(place:)``.
  static func prescription(
    _ envelope: Envelope, clinic: String
  ) throws(PrescriptionError) -> Prescription {
    let subject = try envelope.subject.members("fhirVersion", "fhirBundle")
    try subject("fhirVersion").fixed(PrescriptionBundle.version)
    let bundle = try subject("fhirBundle").members("resourceType", "type", "entry")
    try bundle("resourceType").fixed("Bundle")
    try bundle("type").fixed("collection")
    var resources: [String: (place: JSONPlace, address: String)] = [:]
    var ears: [Ear: Audiogram] = [:]
    for (index, entry) in try bundle("entry").elements(entries).enumerated() {
      let (entry, address) = (try entry.members("fullUrl", "resource"), "resource:\(index)")
      try entry("fullUrl").fixed(address)
      let resource = try entry("resource")
      guard let type = try? resource.optional("resourceType")?.text() else {
        throw resource.failure("\"resourceType\" is missing")
      }
      switch type {
      case "Observation":
        let (ear, audiogram) = try audiogram(resource)
        guard ears.updateValue(audiogram, forKey: ear) == nil else {
          throw resource.failure("a second audiogram of the \(ear.rawValue) ear")
        }
      case "Patient", "Practitioner", "DeviceRequest":
        guard resources.updateValue((resource, address), forKey: type) == nil else {
          throw resource.failure("a second \(type)")
        }
      default:
        throw resource.failure("found a resource \"\(PrintableText.short(type))\" that has no place here")
      }
    }
    guard let person = resources["Patient"], let practitioner = resources["Practitioner"],
      let request = resources["DeviceRequest"]?.place
    else {
      throw bundle.failure("expected a Patient, a Practitioner and a DeviceRequest; one is missing")
    }
    let order = try request.members(
      "resourceType", "intent", "identifier", "codeCodeableConcept", "subject", "requester", "priorRequest",
      "parameter")
    try order("intent").fixed("order")
    try order("codeCodeableConcept").sole("text").fixed(PrescriptionBundle.device)
    try order("subject").sole("reference").fixed(person.address)
    try order("requester").sole("reference").fixed(practitioner.address)
    let serial = try serial(try order("identifier").element())
    let prior = try order.optional("priorRequest")?.element().sole("identifier")
    let supersedes = if let prior { try Self.serial(prior) } else { nil as Int? }
    let parameter = try order("parameter").element()
    let fitting = try FittingText(try parameter.sole("valueCodeableConcept").sole("text"))
    let name = try practitioner.place.members("resourceType", "name")("name").element().sole("text").text()
    let patient = try patient(person.place, of: clinic)
    return try bundle.making { [ears] in
      try Prescription(
        serial: serial, supersedes: supersedes, patient: patient,
        prescriber: Prescriber(name: name, clinic: clinic), environment: fitting.environment,
        audiograms: Binaural { try ears[$0] ?? Audiogram(points: []) }, plan: fitting.plan,
        adjustment: fitting.adjustment, issued: envelope.from, expires: envelope.until,
        trialEnds: fitting.trial.map { envelope.from + $0 }, wearerMayAccept: fitting.wearerMayAccept)
    }
  }

  /// - Parameter clinic: Name of the clinic whose key signed.
  static func patient(_ resource: JSONPlace, of clinic: String) throws(PrescriptionError) -> Patient {
    let members = try resource.members("resourceType", "identifier", "name", "birthDate")
    try members("resourceType").fixed("Patient")
    let reference = try members.optional("identifier")?.element().sole("value").text()
    if let reference, members.optional("name") == nil, members.optional("birthDate") == nil {
      return try resource.making { try Patient(reference: reference, of: clinic) }
    }
    let name = try members("name").element().members("family", "given")
    let birth = try members("birthDate")
    guard let date = CalendarDate(try birth.text()) else {
      throw birth.failure("expected a date, as 1950-02-28")
    }
    return try resource.making {
      try Patient(
        givenName: name("given").element().text(), familyName: name("family").text(), birthDate: date,
        reference: reference)
    }
  }

  private static func serial(_ place: JSONPlace) throws(PrescriptionError) -> Int {
    let value = try place.sole("value")
    let text = try value.text()
    guard let number = Int(text), Prescription.serials.contains(number), "\(number)" == text else {
      throw value.failure("expected a serial of 1 to 999999999")
    }
    return number
  }

  private static func audiogram(_ resource: JSONPlace) throws(PrescriptionError) -> (Ear, Audiogram) {
    let members = try resource.members("resourceType", "status", "code", "bodySite", "component")
    try members("status").fixed("final")
    let panel = try members("code").members("coding")
    guard try loincCode(panel) == ThresholdCode.panel else {
      throw panel.failure("expected LOINC \(ThresholdCode.panel), pure-tone threshold audiometry")
    }
    let site = try members("bodySite").sole("text")
    guard let ear = Ear(rawValue: try site.text()) else {
      throw site.failure("expected \"left\" or \"right\"")
    }
    let components = try members("component").elements(1...Prescription.greatestPointCount)
    let points = try components.map { component throws(PrescriptionError) in try point(component, ear) }
    return (ear, try resource.making { try Audiogram(points: points) })
  }

  private static func point(
    _ component: JSONPlace, _ ear: Ear
  ) throws(PrescriptionError) -> Audiogram.Point {
    let members = try component.members("code", "valueQuantity", "extension")
    let place = try members("code")
    let code = try threshold(place)
    guard code.ear == ear else {
      throw .earsSwapped(
        place: "\(place.path): the code is of the \(code.ear.rawValue) ear, bodySite of the"
          + " \(ear.rawValue) one")
    }
    let quantity = try members("valueQuantity").members("value", "unit", "comparator")
    try quantity("unit").fixed(ThresholdObservation.decibel)
    let comparator = quantity.optional("comparator")
    try comparator?.fixed(">")
    let mark = try members.optional("extension")?.element().members("url", "valueBoolean")
    if let mark {
      try mark("url").fixed(ThresholdObservation.masked)
      guard try mark("valueBoolean").value == true else {
        throw mark.failure("expected true, or no such extension")
      }
    }
    return Audiogram.Point(
      frequency: Double(code.frequency), threshold: HearingLevel(try quantity("value").number()),
      conduction: code.conduction, isMasked: mark != nil, hasResponse: comparator == nil)
  }

  private static func threshold(_ place: JSONPlace) throws(PrescriptionError) -> ThresholdCode {
    let concept = try place.members("coding", "text")
    let (words, hasCoding) = (try concept.optional("text")?.text(), concept.optional("coding") != nil)
    let name = if let words, !hasCoding { words } else { try loincCode(concept) }
    let code =
      hasCoding ? ThresholdCode(loincCode: name) : try place.making { try ThresholdCode(words: name) }
    guard let code, words == nil || !hasCoding else {
      throw place.failure(
        "found code \"\(PrintableText.short(name))\", which is of no hearing threshold known here")
    }
    return code
  }

  /// The one coding of a concept.
  private static func loincCode(_ concept: JSONPlace) throws(PrescriptionError) -> String {
    let coding = try concept("coding").element().members("system", "code")
    try coding("system").fixed(ThresholdCode.loincSystem)
    return try coding("code").text()
  }
}
