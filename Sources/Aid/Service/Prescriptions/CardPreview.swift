import Base
import Book
import Prescriptions

/// A card as a person confirms it before it is taken in. Health data.
package struct CardPreview: Sendable, Codable, Equatable {
  static let words =
    "'kind' of the card; 'person' whom it is for and 'wearer' whose device this is, each with 'given_name',"
    + " 'family_name' and 'birth_date', or the clinic's 'reference' alone; 'clinic', its 'key', 'serial',"
    + " 'environment'; 'effects', whole sentences; 'question' to the wearer; 'confirmation' for prescription.load"

  /// A patient.
  package struct Person: Sendable, Codable, Hashable {
    /// Nil, as are family name and date of birth, for a person who is known by a reference alone.
    package let givenName: String?
    package let familyName: String?
    /// `1950-02-28`.
    package let birthDate: String?
    /// The clinic's number for a person without a name.
    package let reference: String?

    /// `Ada Example, born 1950-02-28`, or `Reference 4711`.
    package var words: String {
      guard let givenName, let familyName, let birthDate else { return "Reference " + (reference ?? "") }
      return "\(givenName) \(familyName), born \(birthDate)"
    }
  }

  package private(set) var schema = 100
  /// `prescription`, `binding-pass`, `developer-pass` or `return-pass`.
  package let kind: String
  /// Nil: the card is for no patient.
  package let person: Person?
  /// Nil: the device is nobody's yet.
  package let wearer: Person?
  package let clinic: String
  /// Fingerprint of the clinic's key, in groups.
  package let key: String
  package let serial: Int
  /// Of a prescription.
  package let environment: String?
  /// Consequences of taking it in.
  package let effects: [String]
  /// To be answered with yes or no.
  package let question: String
  /// Proof for ``PrescriptionMethods/Load`` that somebody looked.
  package let confirmation: String
}

extension CardPreview.Person {
  init(_ patient: Patient) {
    self.init(
      givenName: patient.givenName, familyName: patient.familyName,
      birthDate: patient.birthDate.map { "\($0)" },
      reference: patient.givenName == nil ? patient.reference : nil)
  }
}

extension CardPreview {
  init(_ card: VerifiedCard, in state: BookState, confirmation: String) {
    let wearer = state.boundPatient.map(Person.init)
    func preview(
      _ kind: String, _ serial: Int, from clinic: ClinicIdentity, for person: Person?,
      _ effects: [String], _ question: String, environment: String? = nil
    ) -> Self {
      Self(
        kind: kind, person: person, wearer: wearer, clinic: clinic.name, key: clinic.fingerprint.grouped,
        serial: serial, environment: environment, effects: effects, question: question,
        confirmation: confirmation)
    }
    switch card {
    case .prescription(let card):
      let (prescription, person) = (card.content, Person(card.content.patient))
      self = preview(
        "prescription", prescription.serial, from: card.clinic, for: person,
        Self.caution(on: prescription.patient, from: card.clinic, in: state)
          + Self.effects(of: card, in: state), "Is this the hearing aid of \(person.words)?",
        environment: prescription.environment.word)
    case .bindingPass(let pass):
      let person = Person(pass.content.patient)
      let isSame = pass.content.patient.identity == state.boundPatient?.identity
      let caution = Self.caution(on: pass.content.patient, from: pass.clinic, in: state)
      let change = wearer.map { "from \($0.words), to \(person.words)" } ?? "to \(person.words)"
      self = preview(
        "binding-pass", pass.content.serial, from: pass.clinic, for: person,
        caution
          + (isSame ? ["It is this person's already, and stays so."] : Self.effectsOfRebinding(state)),
        isSame ? "Is this the hearing aid of \(person.words)?" : "Hand this hearing aid over \(change)?")
    case .developerPass(let pass):
      self = preview(
        "developer-pass", pass.content.serial, from: pass.clinic, for: nil,
        ["Developer mode lasts \(pass.content.durationWords)."],
        "Open developer mode for \(pass.content.holder)?")
    case .returnPass(let pass):
      self = preview(
        "return-pass", pass.content.serial, from: pass.clinic, for: nil,
        ["Device \(pass.content.device) belongs to no clinic from then on."],
        "Take device \(pass.content.device) back from \(pass.clinic.name)?")
    case .clinic(let clinic): self = preview("clinic", 0, from: clinic, for: nil, [], "")
    }
  }

  /// A sentence on a clinic's number that stands for a person and came from a former key of that name; nothing otherwise.
  private static func caution(
    on patient: Patient, from clinic: ClinicIdentity, in state: BookState
  ) -> [String] {
    guard state.isNewKey(clinic, of: patient) else { return [] }
    return [
      "The number came from another key of \(clinic.name), which is trusted no longer: be sure that both keys"
        + " are one clinic's."
    ]
  }

  private static func effects(of card: Signed<Prescription>, in state: BookState) -> [String] {
    let prescription = card.content
    let environment = prescription.environment
    let running = state.trials[environment].flatMap { state.entry($0.entry) }
    var effects: [String] = []
    if state.boundPatient == nil {
      effects.append("From then on this device takes this person's cards only.")
    }
    if let stated = prescription.trialEnds {
      // As the book begins it, which counts time otherwise once its clock was set back.
      let end = state.end(stated, of: prescription, entry: nil)
      let who =
        prescription.wearerMayAccept
        ? "auricle rx accept keeps it" : "the clinic makes it final with a new card"
      // A prescription whose trial it ends does not return.
      let returning = running != nil && state.active[environment] != nil ? "final" : "former"
      let former =
        isInForce(after: end, besides: environment, in: state)
        ? "the \(returning) prescription returns"
        : "nothing is amplified, for there is no \(running == nil ? "former" : "final") prescription"
      effects.append("It is a trial until \(end.localText); \(who). After that \(former).")
    }
    if prescription.trialEnds != nil, let running {
      effects.append(
        "It ends the trial of number \(running.number) for \(environment.word), which stays in the book.")
    } else if let former = state.inForce(in: environment) {
      effects.append(
        "It takes the place of number \(former.number) for \(environment.word), which stays in the book.")
    }
    if let replaced = state.replacedElsewhere(by: card) {
      let word = replaced.environment.word
      let end = state.trials[replaced.environment] == nil ? "" : " its trial ends or"
      effects.append(
        "The clinic replaces number \(replaced.number), for \(word), by it. That one stays in force for \(word) until"
          + "\(end) a card for \(word) takes its place: ask the clinic for one.")
    }
    return effects
  }

  /// True when a prescription is in force once a trial for an environment has ended: a final one, or another trial
  /// that lasts longer.
  private static func isInForce(
    after end: Instant, besides environment: ListeningEnvironment, in state: BookState
  ) -> Bool {
    !state.active.isEmpty || state.trials.contains { $0.key != environment && $0.value.ends > end }
  }

  private static func effectsOfRebinding(_ state: BookState) -> [String] {
    let loss = "Nothing is amplified from then on until a card of the new person is scanned."
    guard state.boundPatient != nil else {
      return [
        "From then on this device takes this person's cards only.",
        "Nothing is amplified from then on until one is scanned.",
      ]
    }
    guard !state.entries.isEmpty else { return [loss] }
    return [loss, "The former person's prescriptions cannot be used again without another pass."]
  }
}
