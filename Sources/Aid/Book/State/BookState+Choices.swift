import Prescriptions

/// The change that each request makes to a state, or its refusal.
extension BookState {
  /// Adds a prescription to the entries.
  func loading(_ card: Signed<Prescription>) throws(BookError) -> BookChange {
    let prescription = card.content
    try checkTrust(in: card.clinic, issued: prescription.issued)
    if let boundPatient, prescription.patient.identity != boundPatient.identity { throw .otherPatient }
    try checkReference(of: prescription.patient, from: card.clinic)
    let sameClinic = entries.filter { $0.card.clinic.fingerprint == card.clinic.fingerprint }
    if let same = sameClinic.first(where: { $0.prescription.serial == prescription.serial }) {
      if same.prescription == prescription {
        throw .alreadyInBook(entry: same.number, isInForce: inForce?.number == same.number)
      }
      throw .serialReused(serial: prescription.serial, entry: same.number)
    }
    // The clinic's newer cards of a person to whom the device once belonged say nothing about this one's.
    let samePerson = sameClinic.filter { $0.prescription.patient.identity == prescription.patient.identity }
    if let newer = replacements(of: prescription, from: card.clinic).first {
      throw .superseded(serial: prescription.serial, by: newer.prescription.serial)
    }
    let highest = samePerson.filter { $0.environment == prescription.environment }
      .map(\.prescription.serial).max()
    if let highest, prescription.serial < highest {
      throw .older(serial: prescription.serial, than: highest)
    }
    try checkOrder(prescription, among: others(than: card.clinic))
    try checkNames(of: prescription.patient, prescriber: prescription.prescriber)
    try checkExpiry(of: prescription, entry: nil)
    _ = try trialEnd(of: prescription, entry: nil)
    return .loaded(card)
  }

  /// Entries of the same clinic's key, for the same person, that say they replace a prescription, in the order of loading.
  private func replacements(of prescription: Prescription, from clinic: ClinicIdentity) -> [BookEntry] {
    entries.filter {
      $0.prescription.supersedes == prescription.serial && $0.card.clinic.fingerprint == clinic.fingerprint
        && $0.prescription.patient.identity == prescription.patient.identity
    }
  }

  /// The latest entry for another environment that says it replaces this one, which goes on in its own; nil: none does.
  package func replacementElsewhere(of entry: BookEntry) -> BookEntry? {
    replacements(of: entry.prescription, from: entry.card.clinic)
      .last { $0.environment != entry.environment }
  }

  /// The entry in force in another environment than a prescription's that this one says it replaces; nil: there is none.
  package func replacedElsewhere(by card: Signed<Prescription>) -> BookEntry? {
    entries.first { entry in
      entry.prescription.serial == card.content.supersedes
        && entry.card.clinic.fingerprint == card.clinic.fingerprint
        && entry.prescription.patient.identity == card.content.patient.identity
        && entry.environment != card.content.environment
        && inForce(in: entry.environment)?.number == entry.number
    }
  }

  /// Refuses a reference that came from another key of the clinic's name while that one is trusted: it may be another clinic's. A
  /// key that takes the place of one that has ended, or that is trusted no longer, goes by the name.
  private func checkReference(of patient: Patient, from clinic: ClinicIdentity) throws(BookError) {
    let trusted = otherKeys(of: patient, than: clinic).first { other in
      other.revoked == nil && other.identity.validUntil.map { $0 > moment } ?? true
    }
    guard let trusted else { return }
    throw .referenceOfOtherKey(
      name: clinic.name, known: trusted.identity.fingerprint, found: clinic.fingerprint,
      isDevices: trusted.identity.fingerprint == handOver?.clinic.fingerprint)
  }

  /// True for a person known by a reference alone who came from other keys of the clinic's name, and from this one not yet.
  package func isNewKey(_ clinic: ClinicIdentity, of patient: Patient) -> Bool {
    !otherKeys(of: patient, than: clinic).isEmpty
  }

  /// Keys from which a person known by a reference alone came; none where the clinic's is among them.
  private func otherKeys(of patient: Patient, than clinic: ClinicIdentity) -> [TrustedClinic] {
    guard patient.givenName == nil, let keys = referenceKeys[patient.identity],
      !keys.contains(clinic.fingerprint)
    else { return [] }
    return clinics.filter { keys.contains($0.identity.fingerprint) }
  }

  /// Entries of other clinics that are trusted still.
  private func others(than clinic: ClinicIdentity) -> [BookEntry] {
    entries.filter { $0.card.clinic.fingerprint != clinic.fingerprint && revocation(of: $0) == nil }
  }

  /// Serials of different clinics say nothing about each other; their issues do, which no card can state
  /// ahead of this device's time.
  private func checkOrder(_ prescription: Prescription, among others: [BookEntry]) throws(BookError) {
    let same = others.filter {
      $0.environment == prescription.environment
        && $0.prescription.patient.identity == prescription.patient.identity
    }
    guard let latest = same.max(by: { $0.prescription.issued < $1.prescription.issued }),
      prescription.issued < latest.prescription.issued
    else { return }
    throw .issuedBefore(entry: latest.number, at: latest.prescription.issued)
  }

  /// Refuses names that nobody can see as they are.
  private func checkNames(of patient: Patient, prescriber: Prescriber? = nil) throws(BookError) {
    if let error = LookalikeName.refusal(of: patient, prescriber: prescriber) { throw .card(error) }
  }

  private func checkExpiry(of prescription: Prescription, entry: Int?) throws(BookError) {
    guard let expires = prescription.expires, end(expires, of: prescription, entry: entry) <= moment else {
      return
    }
    throw expires <= moment ? .expired(at: expires) : .overBeforeCorrection
  }

  /// End of the trial that a card states, which is still to come; nil: it states none.
  private func trialEnd(of prescription: Prescription, entry: Int?) throws(BookError) -> Instant? {
    guard let stated = prescription.trialEnds else { return nil }
    let ends = end(stated, of: prescription, entry: entry)
    guard ends <= moment else { return ends }
    throw stated <= moment ? .trialOver(at: stated) : .overBeforeCorrection
  }

  /// True while an entry is what a clinic has put on trial and nobody has made final.
  package func isClinicsTrial(_ entry: BookEntry) -> Bool {
    entry.prescription.trialEnds != nil && !accepted.contains(entry.number)
  }

  func selecting(_ environment: ListeningEnvironment) throws(BookError) -> BookChange {
    guard let entry = inForce(in: environment) else { throw .nothing(for: environment) }
    // The selected environment may stay so, expired or not.
    if environment != selected {
      // A switch leaves each trial its end.
      _ = try choosable(entry.number)
    } else if let trial = trials[environment], case .trialBegan(_, let ends)? = try? using(trial.entry),
      ends > trial.ends
    {
      // A clinic's trial that the wearer has begun for a shorter time lasts as long as its card says, as by its number.
      return .trialBegan(entry: trial.entry, ends: ends)
    }
    return .selected(environment)
  }

  /// Makes an entry final, or begins its signed trial anew.
  package func using(_ number: Int) throws(BookError) -> BookChange {
    let entry = try choosable(number)
    guard isClinicsTrial(entry), let ends = try trialEnd(of: entry.prescription, entry: number) else {
      return .used(entry: number)
    }
    return .trialBegan(entry: number, ends: ends)
  }

  func trying(_ number: Int, for seconds: Int) throws(BookError) -> BookChange {
    guard BookTrial.durations.contains(seconds) else { throw .trialDuration(seconds) }
    let entry = try choosable(number)
    // Of any environment: a trial runs also while another one is selected.
    let running = trials[entry.environment].flatMap { $0.entry == number ? $0 : nil }
    let isInForce = inForce?.number == number
    if isInForce, running == nil { throw .alreadyInForce(entry: number) }
    var ends = moment + seconds
    if isClinicsTrial(entry), let stated = try trialEnd(of: entry.prescription, entry: number) {
      // One that lasts as long as its card says could only be cut short; the wearer's own shorter one is begun anew.
      if let running, running.ends >= stated {
        throw .alreadyOnTrial(entry: number, until: running.ends, isInForce: isInForce)
      }
      ends = min(ends, stated)
    }
    return .trialBegan(entry: number, ends: ends)
  }

  /// An entry that may be put in force anew: this person's, not expired, of a clinic that is trusted.
  private func choosable(_ number: Int) throws(BookError) -> BookEntry {
    guard let entry = entry(number) else { throw .noEntry(number, count: entries.count) }
    guard entry.prescription.patient.identity == boundPatient?.identity else { throw .otherPatient }
    try checkExpiry(of: entry.prescription, entry: number)
    if let revoked = revocation(of: entry) {
      throw .clinicRevoked(name: entry.card.clinic.name, at: revoked)
    }
    return entry
  }

  /// - Parameter isAudiologist: True: the decision of an audiologist, who may end every trial. False by default.
  func accepting(
    in environment: ListeningEnvironment?, asAudiologist isAudiologist: Bool = false
  ) throws(BookError) -> BookChange {
    guard let environment = environment ?? selected else { throw .nothingInForce }
    guard let trial = trials[environment] else { throw .noTrial(environment) }
    // Whatever could not be put in force anew is not made final either.
    let entry = try choosable(trial.entry)
    // The clinic decides what becomes final, unless its card leaves that to the wearer.
    guard !isClinicsTrial(entry) || isAudiologist || entry.prescription.wearerMayAccept else {
      throw .trialIsTheClinics(serial: entry.prescription.serial, until: trial.ends)
    }
    return .accepted(entry: trial.entry)
  }

  func reverting(in environment: ListeningEnvironment?) throws(BookError) -> BookChange {
    guard let environment = environment ?? selected else { throw .nothingInForce }
    // Without its trial an environment is what it was, expired or not.
    if trials[environment] == nil { _ = try choosable(try former(in: environment)) }
    return .reverted(environment)
  }

  /// Entry to which reverting goes back where there is no trial: the one before the last, or that of the
  /// environment selected before this one.
  private func former(in environment: ListeningEnvironment) throws(BookError) -> Int {
    let line = lines[environment, default: []]
    if line.isEmpty { throw .nothing(for: environment) }
    if line.count > 1 { return line[line.count - 2] }
    guard selected == environment, let formerlySelected, formerlySelected != environment,
      let entry = inForce(in: formerlySelected)
    else { throw .nothingBefore(environment) }
    return entry.number
  }

  func enrolling(_ identity: ClinicIdentity) throws(BookError) -> BookChange {
    if clinics.contains(where: { $0.identity == identity && $0.revoked == nil }) {
      throw .alreadyEnrolled(name: identity.name)
    }
    if let error = LookalikeName.refusal(of: identity.name, field: "clinic's name") { throw .card(error) }
    return .enrolled(identity)
  }

  func revoking(_ fingerprint: KeyFingerprint) throws(BookError) -> BookChange {
    guard let known = clinics.first(where: { $0.identity.fingerprint == fingerprint }) else {
      throw .unknownClinic(fingerprint)
    }
    if let revoked = known.revoked { throw .alreadyRevoked(name: known.identity.name, at: revoked) }
    // Nobody could sign the pass that ends it.
    if handOver?.clinic.fingerprint == fingerprint { throw .handedOver(name: known.identity.name) }
    return .revoked(fingerprint)
  }

  /// Makes the device a clinic's.
  ///
  /// - Returns: Nil: it is so already.
  func handingOver(_ wanted: HandOver) throws(BookError) -> BookChange? {
    if let error = LookalikeName.refusal(of: wanted.clinic.name, field: "clinic's name") {
      throw .card(error)
    }
    guard let handOver else { return .handedOver(wanted) }
    guard handOver.device != wanted.device else { return nil }
    guard handOver.clinic.fingerprint == wanted.clinic.fingerprint else {
      let isNamesake = wanted.clinic.name == handOver.clinic.name
      throw .handedOver(
        name: handOver.clinic.name, found: isNamesake ? wanted.clinic.fingerprint : nil,
        expected: isNamesake ? handOver.clinic.fingerprint : nil)
    }
    // The mark of the machine was made anew.
    return .handedOver(wanted)
  }

  /// Makes a clinic's device its owner's again.
  func returning(_ pass: Signed<ReturnPass>) throws(BookError) -> BookChange {
    guard let handOver else { throw .notHandedOver }
    guard pass.clinic.fingerprint == handOver.clinic.fingerprint else {
      let isNamesake = pass.clinic.name == handOver.clinic.name
      throw .otherClinicsPass(
        name: pass.clinic.name, owner: handOver.clinic.name,
        found: isNamesake ? pass.clinic.fingerprint : nil,
        expected: isNamesake ? handOver.clinic.fingerprint : nil)
    }
    guard pass.content.device == handOver.device else {
      throw .otherDevice(found: pass.content.device, expected: handOver.device)
    }
    try check(pass.content.serial, pass.content.issued, pass.content.expires, of: pass.clinic)
    return .returned(pass)
  }

  func rebinding(_ pass: Signed<BindingPass>) throws(BookError) -> BookChange {
    try check(pass.content.serial, pass.content.issued, pass.content.expires, of: pass.clinic)
    try checkNames(of: pass.content.patient)
    try checkReference(of: pass.content.patient, from: pass.clinic)
    return .rebound(pass)
  }

  func openingDeveloperMode(_ pass: Signed<DeveloperPass>) throws(BookError) -> BookChange {
    try check(pass.content.serial, pass.content.issued, pass.content.expires, of: pass.clinic)
    return .developerModeOpened(pass)
  }

  /// Refuses a pass that was used, or became invalid since it was verified.
  private func check(
    _ serial: Int, _ issued: Instant, _ expires: Instant, of clinic: ClinicIdentity
  ) throws(BookError) {
    try checkTrust(in: clinic, issued: issued)
    if expires <= moment { throw .card(.expired(at: expires)) }
    if end(expires, issued: issued, entry: nil) <= moment { throw .overBeforeCorrection }
    guard !usedPasses.contains(UsedPass(clinic: clinic.fingerprint, serial: serial)) else {
      throw .passUsed
    }
  }

  /// The note of the head was missing, and somebody takes the trail as it is.
  func acceptingDamage() throws(BookError) -> BookChange {
    guard damage.contains(.headMissing) else { throw .nothingToAccept }
    return .damageAccepted
  }

  /// The change that a card would make; nil for a clinic's own.
  func taking(_ card: VerifiedCard) throws(BookError) -> BookChange? {
    switch card {
    case .prescription(let card): try loading(card)
    case .bindingPass(let pass): try rebinding(pass)
    case .developerPass(let pass): try openingDeveloperMode(pass)
    case .returnPass(let pass): try returning(pass)
    case .clinic: nil
    }
  }

  /// Refuses a card whose clinic lost its trust, or whose clinic's key ended, since the card was verified, or before the book's clock was
  /// set back.
  private func checkTrust(in clinic: ClinicIdentity, issued: Instant) throws(BookError) {
    guard let known = clinics.first(where: { $0.identity.fingerprint == clinic.fingerprint }) else {
      throw .card(.unknownKey(clinic.fingerprint))
    }
    if let revoked = known.revoked { throw .card(.revokedKey(name: known.identity.name, at: revoked)) }
    guard let validUntil = known.identity.validUntil else { return }
    if validUntil <= moment { throw .card(.expiredKey(name: known.identity.name, at: validUntil)) }
    if end(validUntil, issued: issued, entry: nil) <= moment { throw .overBeforeCorrection }
  }
}
