import Acoustics
import Base
import Fitting
import PrescriptionsTesting
import Testing

@testable import Prescriptions

@Suite("Card round trip") struct CardRoundTripTests {
  let key: ClinicKey
  let now = Instant(seconds: 1_800_000_000)

  init() throws {
    key = try ClinicKey(
      new: "Hörhaus", url: "https://example.org", created: Instant(seconds: 1_500_000_000))
  }

  var trusted: [TrustedClinic] { [TrustedClinic(identity: key.identity, enrolled: now)] }

  @Test("prescriptions of every kind come back equal, value by value")
  func prescriptions() throws {
    var random = RandomPrescription(seed: 1)
    for number in 0..<RoundTripTests.count(7) {
      let prescription = try random.next()
      // As small as can be every twentieth.
      let text = try number % 20 == 0 ? key.sign(prescription) : key.quickCard(prescription)
      let card = try Card.read(text.text, trusting: trusted, at: prescription.issued)
      guard case .prescription(let signed) = card else {
        Issue.record("not read as a prescription")
        return
      }
      #expect(signed.content == prescription)
      #expect(signed.clinic == key.identity)
    }
  }

  @Test(
    "the clinic's own words come back, whatever mark an accent follows",
    arguments: ["\u{301}work", "a;\u{301}b", "50 %\u{301}", "%3B\u{301}", "%25\u{301};", "quiet\u{301}"])
  func accents(words: String) throws {
    let forge = try Forge()
    let plain = try forge.prescription()
    let table = try TargetTable(
      points: [
        TargetTable.Point(
          frequency: 1000, gains: SpeechLevels(soft: 12, ordinary: 10, loud: 8), maximumOutput: nil)
      ])
    let prescription = try Prescription(
      serial: plain.serial, patient: plain.patient, prescriber: plain.prescriber,
      environment: ListeningEnvironment(word: words), audiograms: plain.audiograms,
      plan: FittingPlan(target: .tables(Binaural(both: table), source: words)), issued: plain.issued)
    let text = try forge.clinic.sign(prescription).text
    guard case .prescription(let read) = try Card.read(text, trusting: forge.trusted, at: Forge.issued)
    else {
      Issue.record("not read as a prescription")
      return
    }
    #expect(read.content == prescription)
    #expect(read.content.environment.word.unicodeScalars.elementsEqual(words.unicodeScalars))
  }

  @Test("a card that a device would read as another decision is not signed")
  func otherDecision() throws {
    let forge = try Forge()
    // A reference is one person within a clinic: read from this clinic's card it is another one.
    let pass = try BindingPass(
      serial: 3, patient: Patient(reference: "P-17", of: "Clinic South"), issued: Forge.issued,
      expires: Forge.issued + 3600)
    let error = try #require(throws: PrescriptionError.self) { try forge.clinic.sign(pass) }
    guard case .signingFailed(let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(reason.contains("a device would read something else than was given"))
  }

  @Test(
    "a trial on a card that says no more is the clinic's to make final; one that says so is the wearer's too"
  )
  func acceptance() throws {
    let forge = try Forge()
    for (field, isWearers) in [("trial 60", false), ("trial 60;acceptance wearer", true)] {
      let text = try forge.payload().replacing("ceiling 111", with: "ceiling 111;" + field)
      let card = try Card.read(forge.jws(text), trusting: forge.trusted, at: Forge.issued)
      guard case .prescription(let signed) = card else {
        Issue.record("not read as a prescription")
        return
      }
      #expect(signed.content.trialEnds == Forge.issued + 60)
      #expect(signed.content.wearerMayAccept == isWearers)
    }
  }

  @Test("a bundle for other programs comes back from a card as it was, and states clinic, issue and expiry")
  func bundles() throws {
    var random = RandomPrescription(seed: 2)
    for _ in 0..<100 {
      let prescription = try random.next()
      #expect(ExportedBundle.fault(prescription, by: key) == nil)
      guard case .array(let entries) = try JSONValue(Array(prescription.fhirBundle.utf8))["entry"]?.content
      else {
        Issue.record("not a bundle")
        return
      }
      let resources = entries.compactMap { $0["resource"] }
      let request = try #require(resources.first { $0["resourceType"] == "DeviceRequest" })
      #expect(request["status"] == "active")
      #expect(request["performer"]?["display"] == .text(key.identity.name))
      #expect(request["authoredOn"] == .text(prescription.issued.text))
      #expect(request["occurrencePeriod"]?["end"] == prescription.expires.map { .text($0.text) })
      #expect(request["parameter"]?.minified.contains("\"code\":{\"text\":\"fitting\"}") == true)
      for observation in resources where observation["resourceType"] == "Observation" {
        #expect(observation["subject"]?["reference"] == "resource:2")
        // A card does not say when the ears were tested.
        #expect(observation["effectiveDateTime"] == nil && observation["status"] == "final")
        #expect(
          observation["component"]?.minified.contains(
            "\"system\":\"http://unitsofmeasure.org\",\"code\":\"dB\"") == true)
      }
    }
  }

  @Test(
    "a bundle of what nobody known has signed calls neither the request active nor the thresholds final; one of an expired card has the thresholds as they were"
  )
  func bundlesOfRefusedCards() throws {
    let prescription = try Forge().prescription()
    // The status of each resource, by FHIR's value sets request-status and observation-status.
    func statuses(_ standing: CardStanding) throws -> [JSONValue] {
      let bundle = try JSONValue(Array(prescription.fhirBundle(standing: standing).utf8))
      guard case .array(let entries) = bundle["entry"]?.content else { return [] }
      return entries.compactMap { $0["resource"] }
        .filter { $0["resourceType"] == "DeviceRequest" || $0["resourceType"] == "Observation" }
        .compactMap { $0["status"] }
    }
    #expect(try statuses(.good) == ["active", "final", "final"])
    #expect(try statuses(.lapsed(.expired(at: now))) == ["unknown", "final", "final"])
    #expect(try statuses(.unsigned(.notACard)) == ["unknown", "unknown", "unknown"])
    #expect(throws: PrescriptionError.self) {
      try FHIRAudiogram(parsing: prescription.fhirBundle(standing: .unsigned(.notACard)))
    }
  }

  @Test("a card stands as its signature and its time do")
  func standing() throws {
    let forge = try Forge()
    let end = Forge.issued + 60
    let card = try forge.clinic.sign(forge.prescription(expires: end))
    func found(_ clinics: [TrustedClinic], at moment: Instant = Forge.issued) -> CardStanding {
      Card.inspect(card.text, trusting: clinics, at: moment).standing
    }
    let identity = forge.clinic.identity
    #expect(found(forge.trusted) == .good)
    #expect(found(forge.trusted, at: end) == .lapsed(.expired(at: end)))
    #expect(found([]) == .unsigned(.unknownKey(identity.fingerprint)))
    let revoked = TrustedClinic(identity: identity, enrolled: Forge.issued, revoked: Forge.issued)
    // Whoever has a lost key signs in the clinic's name.
    #expect(found([revoked]) == .unsigned(.revokedKey(name: identity.name, at: Forge.issued)))
    // A stranger's signature under the clinic's key.
    let forged = try forge.jws(packed: card.parts[1], key: forge.stranger)
    #expect(
      Card.inspect(forged, trusting: forge.trusted, at: Forge.issued).standing
        == .unsigned(.badSignature(name: identity.name)))
  }

  @Test("a clinic's card is read by a device that knows nobody, and gives back the clinic")
  func clinic() throws {
    let read = try Card.read(key.identity.cardText, trusting: [], at: now)
    #expect(read == .clinic(key.identity))
  }

  @Test("passes come back as what they are")
  func passes() throws {
    let developer = try DeveloperPass(
      serial: 4, holder: "Zoë", issued: now, expires: now + 3600, duration: 600)
    var random = RandomPrescription(seed: 3)
    let binding = try BindingPass(
      serial: 5, patient: random.patient(), issued: now, expires: now + 3600)
    guard
      case .developerPass(let one) = try Card.read(
        key.sign(developer).text, trusting: trusted, at: now),
      case .bindingPass(let other) = try Card.read(
        key.sign(binding).text, trusting: trusted, at: now)
    else {
      Issue.record("not read as passes")
      return
    }
    #expect(one.content == developer)
    #expect(other.content == binding)
  }

  @Test("a sealed key opens with its passphrase and signs on; with another it is a wrong passphrase")
  func sealing() throws {
    let sealed = try key.sealed(with: "correct horse")
    let opened = try ClinicKey(opening: sealed, with: "correct horse")
    #expect(opened.identity == key.identity)
    var random = RandomPrescription(seed: 4)
    let prescription = try random.next()
    let text = try opened.sign(prescription).jws
    _ = try Card.read(text, trusting: trusted, at: prescription.issued)
    #expect(throws: PrescriptionError.wrongPassphrase) {
      try ClinicKey(opening: sealed, with: "correct house")
    }
    #expect(throws: PrescriptionError.passphraseTooShort(limit: 8)) { try key.sealed(with: "short") }
  }

  @Test("a prescription without lowering and tinnitus sound says nothing of them, as cards always did")
  func withoutAdditions() throws {
    let forge = try Forge()
    let payload = try forge.payload()
    #expect(payload.contains("\"quiet;NAL-RP 2;ceiling 111\""))
    let text = try forge.clinic.sign(forge.prescription()).text
    guard case .prescription(let read) = try Card.read(text, trusting: forge.trusted, at: Forge.issued)
    else {
      Issue.record("not a prescription")
      return
    }
    #expect(read.content.plan.lowering == Binaural(both: nil))
    #expect(read.content.plan.tinnitusSound == Binaural(both: nil))
  }

  @Test("lowering and tinnitus sound are one field for each ear, and come back")
  func additions() throws {
    let forge = try Forge()
    let plan = try FittingPlan(
      target: .rule(.nalRP),
      lowering: Binaural(left: nil, right: FrequencyLowering(cutoff: 2000, ratio: 1.75)),
      tinnitusSound: Binaural(
        left: TinnitusSound(shape: .notched(pitch: 6000, width: 0.5), level: SoundPressureLevel(45.5)),
        right: TinnitusSound(shape: .broadband, level: SoundPressureLevel(40))))
    let plain = try forge.prescription()
    let prescription = try Prescription(
      serial: plain.serial, patient: plain.patient, prescriber: plain.prescriber,
      environment: plain.environment, audiograms: plain.audiograms, plan: plan, issued: plain.issued)
    #expect(
      prescription.fhirBundle.contains(
        "\"quiet;NAL-RP 2;ceiling 111;lowering-right 2000 1.75;tinnitus-left notched 6000 0.5 45.5;"
          + "tinnitus-right broadband 40\""))
    #expect(ExportedBundle.fault(prescription, by: forge.clinic) == nil)
  }

  @Test(
    "numbers with more decimals than a card carries are refused, named",
    arguments: [
      ("right frequency lowering frequency", 2000.5, 2.0, 6000.0, 0.5, 45.0),
      ("right frequency lowering ratio", 2000, 2.005, 6000, 0.5, 45),
      ("left tinnitus sound frequency", 2000, 2, 6000.5, 0.5, 45),
      ("left tinnitus sound width", 2000, 2, 6000, 0.333, 45),
      ("left tinnitus sound", 2000, 2, 6000, 0.5, 45.05),
    ])
  func precision(
    field: String, cutoff: Double, ratio: Double, pitch: Double, width: Double, level: Double
  ) throws {
    let plain = try Forge().prescription()
    let plan = try FittingPlan(
      target: .rule(.nalRP),
      lowering: Binaural(left: nil, right: FrequencyLowering(cutoff: cutoff, ratio: ratio)),
      tinnitusSound: Binaural(
        left: TinnitusSound(
          shape: .band(pitch: pitch, width: width), level: SoundPressureLevel(level)), right: nil))
    let error = try #require(throws: PrescriptionError.self) {
      try Prescription(
        serial: plain.serial, patient: plain.patient, prescriber: plain.prescriber,
        environment: plain.environment, audiograms: plain.audiograms, plan: plan, issued: plain.issued)
    }
    guard case .unusable(let found, let reason) = error, reason.contains("a multiple of") else {
      Issue.record("\(error)")
      return
    }
    #expect(found == field)
  }
}
