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

  /// - Parameter facts: What the card around the bundle says; nil for a bundle that stands by itself.
  init(_ resource: JSONPlace, _ facts: SignedFacts?) throws(CardError) {
    let allowed = ["resourceType", "intent", "identifier", "codeCodeableConcept"]
    let links = ["subject", "requester", "priorRequest", "parameter"]
    let more = facts == nil ? ["status", "performer", "authoredOn", "occurrencePeriod"] : []
    let members = try resource.members(allowed + links + more)
    try members("intent").fixed("order")
    try members("codeCodeableConcept").members("text")("text").fixed(BundleVocabulary.device)
    subject = try members("subject")
    requester = try members("requester")
    serial = try Self.serial(try members("identifier").elements(1...1)[0])
    if let prior = members.optional("priorRequest") {
      let request = try prior.elements(1...1)[0].members("identifier")
      supersedes = try Self.serial(try request("identifier"))
    } else {
      supersedes = nil
    }
    if let facts { self.facts = facts } else { self.facts = try Self.facts(members) }
    let parameter = try members("parameter").elements(1...1)[0].members(
      ["valueCodeableConcept"] + (facts == nil ? ["code"] : []))
    if facts == nil { try parameter("code").members("text")("text").fixed(BundleVocabulary.fitting) }
    fitting = try FittingText(try parameter("valueCodeableConcept").members("text")("text"))
  }

  /// The prescription of all that the bundle says.
  func prescription(
    _ patient: Patient, _ prescriber: String, _ ears: Binaural<Audiogram>, place: JSONPlace
  ) throws(CardError) -> Prescription {
    do {
      return try Prescription(
        serial: serial, supersedes: supersedes, patient: patient,
        prescriber: try Prescriber(name: prescriber, clinic: facts.clinic),
        environment: fitting.environment, audiograms: ears, plan: fitting.plan,
        adjustment: fitting.adjustment, issued: facts.issued, expires: facts.expires,
        trialEnds: fitting.trial.map { facts.issued + $0 })
    } catch { throw place.failure("\(error)") }
  }

  private static func serial(_ place: JSONPlace) throws(CardError) -> Int {
    let value = try place.members("value")("value")
    let text = try value.text()
    guard let number = Int(text), Prescription.serials.contains(number), "\(number)" == text else {
      throw value.failure("expected a serial of 1 to 999999999")
    }
    return number
  }

  /// What a bundle that stands by itself says of clinic, issue and expiry.
  private static func facts(_ members: JSONMembers) throws(CardError) -> SignedFacts {
    try members("status").fixed("active")
    let expires: Instant?
    if let period = members.optional("occurrencePeriod") {
      expires = try instant(try period.members("end")("end"))
    } else {
      expires = nil
    }
    return SignedFacts(
      clinic: try members("performer").members("display")("display").text(),
      issued: try instant(try members("authoredOn")), expires: expires)
  }

  static func instant(_ place: JSONPlace) throws(CardError) -> Instant {
    guard let instant = Instant(text: try place.text()) else {
      throw place.failure("expected a moment, as 2026-02-28T09:30:00Z")
    }
    return instant
  }
}
