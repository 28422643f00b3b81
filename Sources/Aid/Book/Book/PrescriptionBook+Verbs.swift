import Prescriptions
import Sealing

/// Actions of persons. Each is one transaction with its audit row; a refusal of a card is in the audit
/// trail too.
extension PrescriptionBook {
  /// Verifies a card with the clinics that are enrolled. What it returns is loaded or used without being
  /// verified again.
  ///
  /// - Parameter text: `shc:/…` or a bare JWS.
  /// - Throws: ``BookError/card(_:)``, which the audit trail notes; those of the disk.
  package func read(_ text: String, by actor: Actor) throws(BookError) -> VerifiedCard {
    try transact { memory throws(BookError) in
      do throws(PrescriptionError) {
        return try Card.read(text, trusting: memory.state.clinics, at: memory.state.moment)
      } catch {
        noteRefusal(.card(error), by: actor, in: &memory)
        throw .card(error)
      }
    }
  }

  /// Refuses a verified card that would be refused when it is taken in, and changes nothing else.
  ///
  /// - Returns: The confirmation with which it is taken in, once a person has seen what it is.
  /// - Throws: As ``load(_:by:)``, ``rebind(_:by:)`` or ``openDeveloperMode(_:by:)``.
  package func consider(_ card: VerifiedCard, by actor: Actor) throws(BookError) -> String {
    try transact { memory throws(BookError) in
      do throws(BookError) { _ = try memory.state.taking(card) } catch {
        noteRefusal(error, by: actor, in: &memory)
        throw error
      }
      return confirmation(of: card, in: memory.state)
    }
  }

  /// Refuses a card that nobody has confirmed as ``consider(_:by:)`` shows it now.
  ///
  /// - Throws: ``BookError/notConfirmed``, which the audit trail notes; as ``consider(_:by:)``; those of the
  ///   disk.
  package func check(
    _ confirmation: String, of card: VerifiedCard, by actor: Actor
  ) throws(BookError) {
    // A reason of the card's own says more than that it was not confirmed.
    let expected = try consider(card, by: actor)
    guard confirmation != expected else { return }
    try transact { memory throws(BookError) in
      noteRefusal(.notConfirmed, by: actor, in: &memory)
      throw .notConfirmed
    }
  }

  /// Digest of a card, of the person whose device this is and of what is in force, that only the book can
  /// make.
  private func confirmation(of card: VerifiedCard, in state: BookState) -> String {
    let text =
      switch card {
      case .prescription(let card): card.text
      case .bindingPass(let pass): pass.text
      case .developerPass(let pass): pass.text
      case .returnPass(let pass): pass.text
      case .clinic(let clinic): clinic.card
      }
    let wearer = state.boundPatient?.identity.bytes ?? []
    return vault.confirmation([Array(text.jws.utf8), wearer, (state.inForce?.number ?? 0).bytes])
  }

  /// Adds a prescription. It is in force at once and its environment is selected; a card that says so
  /// begins as a trial.
  ///
  /// - Throws: ``BookError/otherPatient``, ``BookError/referenceOfOtherKey(name:known:found:isDevices:)``,
  ///   ``BookError/alreadyInBook(entry:isInForce:)``,
  ///   ``BookError/serialReused(serial:entry:)``, ``BookError/superseded(serial:by:)``,
  ///   ``BookError/older(serial:than:)``, ``BookError/card(_:)`` when the card became invalid since it was
  ///   verified; those of the disk.
  @discardableResult package func load(
    _ card: Signed<Prescription>, by actor: Actor
  ) throws(BookError) -> BookEntry {
    try Self.known(
      try perform(by: actor) { state throws(BookError) in try state.loading(card) }.entries.last)
  }

  /// Notes that an entry leaves the device: before it does, so that none leaves without a note.
  ///
  /// - Throws: those of the disk.
  package func noteExport(of entry: BookEntry, by actor: Actor) throws(BookError) {
    try transact { memory throws(BookError) in
      try append(.exported(entry: entry.number), by: actor, to: &memory)
    }
  }

  /// Selects an environment, whose prescription is then in force. A clinic's trial there lasts until the end that its card states.
  ///
  /// - Throws: ``BookError/nothing(for:)``, and unless it is in force already ``BookError/otherPatient``,
  ///   ``BookError/expired(at:)``, ``BookError/clinicRevoked(name:at:)``; those of the disk.
  @discardableResult package func use(
    _ environment: ListeningEnvironment, by actor: Actor
  ) throws(BookError) -> BookEntry {
    try Self.known(
      try perform(by: actor) { state throws(BookError) in try state.selecting(environment) }.inForce)
  }

  /// Makes an entry final in its environment, which is selected; a signed trial begins anew until its own
  /// end.
  ///
  /// - Throws: ``BookError/noEntry(_:count:)``, ``BookError/otherPatient``, ``BookError/expired(at:)``,
  ///   ``BookError/clinicRevoked(name:at:)``, ``BookError/trialOver(at:)``; those of the disk.
  @discardableResult package func use(entry number: Int, by actor: Actor) throws(BookError) -> BookEntry {
    try Self.known(
      try perform(by: actor) { state throws(BookError) in try state.using(number) }.entry(number))
  }

  /// Puts an entry in force for a while.
  ///
  /// - Parameter seconds: Within ``BookTrial/durations``.
  /// - Throws: As ``use(entry:by:)``, and ``BookError/trialDuration(_:)``,
  ///   ``BookError/alreadyInForce(entry:)``, ``BookError/alreadyOnTrial(entry:until:isInForce:)``.
  @discardableResult package func beginTrial(
    of number: Int, for seconds: Int, by actor: Actor
  ) throws(BookError) -> BookTrial {
    let state = try perform(by: actor) { state throws(BookError) in try state.trying(number, for: seconds) }
    guard let environment = state.entry(number)?.environment, let trial = state.trials[environment] else {
      throw .nothingInForce
    }
    return trial
  }

  /// Makes an environment's trial final.
  ///
  /// - Parameter environment: nil: the selected one.
  /// - Throws: ``BookError/noTrial(_:)``, ``BookError/nothingInForce``, ``BookError/expired(at:)``,
  ///   ``BookError/clinicRevoked(name:at:)``, ``BookError/trialIsTheClinics(serial:until:)``; those of the disk.
  @discardableResult package func accept(
    _ environment: ListeningEnvironment? = nil, by actor: Actor
  ) throws(BookError) -> BookEntry {
    let isAudiologist = actor.authority?.role == Authority.audiologist
    let state = try perform(by: actor) { state throws(BookError) in
      try state.accepting(in: environment, asAudiologist: isAudiologist)
    }
    return try Self.known((environment ?? state.selected).flatMap(state.inForce(in:)))
  }

  /// Goes back to an environment's former prescription: drops its trial, or the final one in favour of the
  /// one before. The only one of the selected environment stays in the book, and the environment selected
  /// before it is selected again.
  ///
  /// - Parameter environment: nil: the selected one.
  /// - Returns: The entry in force afterwards; nil after a trial that had nothing before it.
  /// - Throws: ``BookError/nothingBefore(_:)``, ``BookError/nothing(for:)``, ``BookError/nothingInForce``;
  ///   unless it drops a trial, ``BookError/otherPatient``, ``BookError/expired(at:)``,
  ///   ``BookError/clinicRevoked(name:at:)`` about the former one; those of the disk.
  @discardableResult package func revert(
    _ environment: ListeningEnvironment? = nil, by actor: Actor
  ) throws(BookError) -> BookEntry? {
    try perform(by: actor) { state throws(BookError) in try state.reverting(in: environment) }.inForce
  }

  // MARK: - Trust

  /// Trusts a clinic's key from now on. A key that was revoked can be enrolled again; the trail says so.
  ///
  /// - Throws: ``BookError/alreadyEnrolled(name:)``; those of the disk.
  package func enrol(_ clinic: ClinicIdentity, by actor: Actor) throws(BookError) {
    try perform(by: actor) { state throws(BookError) in try state.enrolling(clinic) }
  }

  /// Trusts a clinic's key no longer. What is in force stays so, with a notice, a trial until its end; nothing of that
  /// clinic can be put in force or made final from then on.
  ///
  /// - Throws: ``BookError/unknownClinic(_:)``, ``BookError/alreadyRevoked(name:at:)``; those of the disk.
  package func revoke(_ fingerprint: KeyFingerprint, by actor: Actor) throws(BookError) {
    try perform(by: actor) { state throws(BookError) in try state.revoking(fingerprint) }
  }

  /// Binds the device to the person of a binding pass. When that is another person, nothing is in force any
  /// more: prescriptions of the former one stay in the book and cannot be used.
  ///
  /// - Throws: ``BookError/card(_:)``, ``BookError/passUsed``, ``BookError/referenceOfOtherKey(name:known:found:isDevices:)``; those of the
  ///   disk.
  package func rebind(_ pass: Signed<BindingPass>, by actor: Actor) throws(BookError) {
    try perform(by: actor) { state throws(BookError) in try state.rebinding(pass) }
  }

  // MARK: - Developer mode

  /// Opens developer mode for the time that a pass states.
  ///
  /// - Returns: Its end.
  /// - Throws: ``BookError/card(_:)``, ``BookError/passUsed``; those of the disk.
  @discardableResult package func openDeveloperMode(
    _ pass: Signed<DeveloperPass>, by actor: Actor
  ) throws(BookError) -> Instant {
    let state = try perform(by: actor) { state throws(BookError) in try state.openingDeveloperMode(pass) }
    guard let end = state.developerModeEnds else { throw .developerModeNotOpen }
    return end
  }

  // MARK: -

  /// Asks the state for a change and appends it; a refused card is noted.
  ///
  /// - Returns: The state afterwards.
  @discardableResult func perform(
    by actor: Actor, _ decision: (BookState) throws(BookError) -> BookChange
  ) throws(BookError) -> BookState {
    try transact { memory throws(BookError) in
      let change: BookChange
      do throws(BookError) {
        change = try decision(memory.state)
      } catch {
        noteRefusal(error, by: actor, in: &memory)
        throw error
      }
      try append(change, by: actor, at: memory.state.moment, to: &memory)
      return memory.state
    }
  }

  /// Notes a refused card, unless as many were refused lately as say enough: nobody shall be able to fill
  /// the disk with them. A disk that is full may not hide the reason of the refusal.
  private func noteRefusal(_ error: BookError, by actor: Actor, in memory: inout Memory) {
    guard let word = error.refusalWord, memory.refusals.hasRoom(at: now) else { return }
    try? append(.refused(reason: word), by: actor, to: &memory)
  }

  private static func known(_ entry: BookEntry?) throws(BookError) -> BookEntry {
    guard let entry else { throw .nothingInForce }
    return entry
  }
}
