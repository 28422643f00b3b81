import Acoustics
import Fitting

/// Reads the DeviceRequest of a prescription's bundle.
struct DeviceRequestReader {
  let subject: JSONPlace
  let requester: JSONPlace
  private let serial: Int
  private let supersedes: Int?
  private let issued: Instant
  private let expires: Instant?
  private let trialEnds: Instant?
  private let environment: ListeningEnvironment
  private let adjustment: PatientAdjustment
  private let plan: FittingPlan

  init(_ resource: JSONPlace) throws(CardError) {
    let members = try resource.members(
      "resourceType", "status", "intent", "codeCodeableConcept", "subject", "requester", "identifier",
      "priorRequest", "authoredOn", "occurrencePeriod", "extension", "parameter")
    try members("status").fixed("active")
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
    issued = try Self.instant(try members("authoredOn"))
    if let period = members.optional("occurrencePeriod") {
      expires = try Self.instant(try period.members("end")("end"))
    } else {
      expires = nil
    }
    if let list = members.optional("extension") {
      let end = try list.elements(1...1)[0].members("url", "valueDateTime")
      try end("url").fixed(BundleVocabulary.trialEnds)
      trialEnds = try Self.instant(try end("valueDateTime"))
    } else {
      trialEnds = nil
    }
    let parameters = try ParameterReader(try members("parameter"))
    environment = try parameters.environment()
    adjustment = try parameters.adjustment()
    plan = try parameters.plan()
  }

  /// The prescription of all that the bundle says.
  func prescription(
    _ patient: Patient, _ prescriber: (name: String, clinic: String), _ ears: Binaural<Audiogram>,
    place: JSONPlace
  ) throws(CardError) -> Prescription {
    do {
      return try Prescription(
        serial: serial, supersedes: supersedes, patient: patient,
        prescriber: try Prescriber(name: prescriber.name, clinic: prescriber.clinic),
        environment: environment, audiograms: ears, plan: plan, adjustment: adjustment, issued: issued,
        expires: expires, trialEnds: trialEnds)
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

  private static func instant(_ place: JSONPlace) throws(CardError) -> Instant {
    guard let instant = Instant(text: try place.text()) else {
      throw place.failure("expected a moment, as 2026-02-28T09:30:00Z")
    }
    return instant
  }
}
