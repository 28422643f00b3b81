import Acoustics
import Fitting

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
