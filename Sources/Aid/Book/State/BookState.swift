import AuditTrail
import Prescriptions

/// Everything that follows from the book's events at a moment. A pure value: no clock, no disk.
///
/// Each environment has its own line of final prescriptions, the last of which is in force there, and at
/// most one trial, which covers it until it ends. The prescription of the selected environment is in force.
package struct BookState: Sendable, Hashable {
  /// The moment it describes.
  package internal(set) var moment: Instant
  /// In the order of loading; `entries[n - 1]` has number n.
  package internal(set) var entries: [BookEntry] = []
  /// All that were ever enrolled, revoked ones too.
  package internal(set) var clinics: [TrustedClinic] = []
  /// The only person whose cards are taken; nil: the first card decides.
  package internal(set) var boundPatient: Patient?
  /// Keys from which each person came who is known by a reference alone: clinics of one name have numbers of their own.
  private(set) var referenceKeys: [PatientIdentity: Set<KeyFingerprint>] = [:]
  /// The environment whose prescription is in force.
  package internal(set) var selected: ListeningEnvironment?
  /// The selection before a card or a choice changed it; reverting goes back to it when the present
  /// environment has no former prescription.
  var formerlySelected: ListeningEnvironment?
  /// Running trials.
  package internal(set) var trials: [ListeningEnvironment: BookTrial] = [:]
  /// Entries that were final in an environment, oldest first; the last is in force when no trial covers it.
  package internal(set) var lines: [ListeningEnvironment: [Int]] = [:]
  /// Entries that came as a trial and were accepted.
  var accepted: Set<Int> = []
  /// Passes that were taken, each once.
  var usedPasses: Set<UsedPass> = []
  /// Damage found in the book, which only a backup repairs.
  package internal(set) var damage: [AuditDamage] = []
  /// End of the developer mode; nil while it is not open.
  package internal(set) var developerModeEnds: Instant?
  /// The clinic whose device this is; nil: its owner's.
  package internal(set) var handOver: HandOver?
  /// Hand-overs that a pass has ended.
  package internal(set) var returned: Set<DeviceNumber> = []
  /// Corrections of the clock, in their order.
  private var corrections: [ClockCorrection] = []

  /// A moment that the book had seen, and the earlier one to which its clock was set.
  private struct ClockCorrection: Hashable {
    let former: Instant
    let corrected: Instant
    /// Entries that were there.
    let entryCount: Int
  }

  struct UsedPass: Hashable {
    let clinic: KeyFingerprint
    let serial: Int
  }

  init(moment: Instant) { self.moment = moment }

  /// The entry with this number.
  package func entry(_ number: Int) -> BookEntry? {
    number >= 1 && number <= entries.count ? entries[number - 1] : nil
  }

  /// Final prescription of each environment, by number; trials do not count.
  package var active: [ListeningEnvironment: Int] { lines.compactMapValues(\.last) }

  /// Prescription in force in an environment: its trial, or its final one.
  package func inForce(in environment: ListeningEnvironment) -> BookEntry? {
    (trials[environment]?.entry ?? lines[environment]?.last).flatMap(entry)
  }

  /// Prescription in force now; nil before the first card, and after a trial that had nothing before it.
  package var inForce: BookEntry? { selected.flatMap(inForce(in:)) }

  /// True when a prescription is in force at a moment to come if nothing is changed until then.
  package func isInForce(at instant: Instant) -> Bool {
    var later = self
    later.advance(to: instant)
    return later.inForce != nil
  }

  /// Warnings about the book and the entry in force.
  package var notices: [BookNotice] {
    var notices = damage.map(BookNotice.damage)
    guard let current = inForce else { return notices }
    let isTrial = trials[current.environment] != nil
    if let stated = current.prescription.expires, isExpired(current) {
      notices.append(
        stated <= moment
          ? .expiredInForce(entry: current.number, at: stated, isTrial: isTrial)
          : .overInForce(entry: current.number, isTrial: isTrial))
    }
    if let revoked = revocation(of: current) {
      notices.append(.clinicRevoked(entry: current.number, at: revoked, isTrial: isTrial))
    }
    return notices
  }

  /// Moment at which trust in an entry's clinic was withdrawn; nil: trusted.
  func revocation(of entry: BookEntry) -> Instant? {
    clinics.first { $0.identity.fingerprint == entry.card.clinic.fingerprint }?.revoked
  }

  /// The state after `events`, at `moment`, or at the last event when that is later.
  package init(folding events: some Sequence<BookEvent>, at moment: Instant) {
    self.init(moment: Instant(seconds: 0))
    for event in events { apply(event.change, at: event.moment) }
    advance(to: moment)
  }

  /// Lets time pass: ends what has its end by then, in the order of the ends.
  mutating func advance(to instant: Instant) {
    while let next = trials.min(by: { ($0.value.ends, $0.key.word) < ($1.value.ends, $1.key.word) }),
      next.value.ends <= instant
    { endTrial(in: next.key) }
    if let end = developerModeEnds, end <= instant { developerModeEnds = nil }
    moment = max(moment, instant)
  }

  /// Applies one event. Never fails: what was in the book stays, whatever a later version would refuse.
  mutating func apply(_ change: BookChange, at instant: Instant) {
    if change == .clockCorrected { return correctClock(to: instant) }
    advance(to: instant)
    switch change {
    case .loaded(let card): load(card)
    case .selected(let environment): choose(environment)
    case .used(let number):
      guard let entry = entry(number) else { return }
      trials[entry.environment] = nil
      finish(entry)
      choose(entry.environment)
    case .trialBegan(let number, let ends):
      if let entry = entry(number) { beginTrial(of: entry, until: ends) }
    case .accepted(let number):
      guard let entry = entry(number) else { return }
      let former = trials.removeValue(forKey: entry.environment)?.formerSelection
      accepted.insert(number)
      finish(entry)
      if selected == entry.environment, let former { formerlySelected = former }
    case .reverted(let environment): revert(environment)
    case .enrolled(let identity): enrol(identity)
    case .revoked(let fingerprint): revoke(fingerprint)
    case .rebound(let pass):
      usedPasses.insert(UsedPass(clinic: pass.clinic.fingerprint, serial: pass.content.serial))
      note(pass.clinic.fingerprint, of: pass.content.patient)
      rebind(to: pass.content.patient)
    case .developerModeOpened(let pass):
      usedPasses.insert(UsedPass(clinic: pass.clinic.fingerprint, serial: pass.content.serial))
      developerModeEnds = instant + pass.content.duration
    case .developerModeClosed: developerModeEnds = nil
    case .handedOver(let handOver): take(handOver)
    case .returned(let pass):
      usedPasses.insert(UsedPass(clinic: pass.clinic.fingerprint, serial: pass.content.serial))
      returned.insert(pass.content.device)
      handOver = nil
    case .found(let found): if !damage.contains(found) { damage.append(found) }
    // A new note of the head can stand for the lost one; nothing stands for lost rows.
    case .damageAccepted: damage.removeAll { $0 == .headMissing }
    case .timePassed, .clockCorrected, .backedUp, .restored, .exported, .refused, .noted: break
    }
  }

  private mutating func load(_ card: Signed<Prescription>) {
    let entry = BookEntry(number: entries.count + 1, loaded: moment, card: card)
    entries.append(entry)
    if boundPatient == nil { boundPatient = card.content.patient }
    note(card.clinic.fingerprint, of: card.content.patient)
    if let ends = card.content.trialEnds {
      beginTrial(of: entry, until: end(ends, of: card.content, entry: entry.number))
    } else {
      trials[entry.environment] = nil
      finish(entry)
      choose(entry.environment)
    }
  }

  private mutating func finish(_ entry: BookEntry) {
    if lines[entry.environment]?.last != entry.number {
      lines[entry.environment, default: []].append(entry.number)
    }
  }

  /// The person's own choice: no trial brings back what was selected before it.
  private mutating func choose(_ environment: ListeningEnvironment) {
    if selected != environment { formerlySelected = selected }
    selected = environment
    for key in trials.keys { trials[key]?.formerSelection = nil }
  }

  private mutating func revert(_ environment: ListeningEnvironment) {
    if trials[environment] != nil { return endTrial(in: environment) }
    if lines[environment, default: []].count > 1 {
      lines[environment]?.removeLast()
    } else if selected == environment, let former = formerlySelected, former != environment,
      inForce(in: former) != nil
    {
      choose(former)
      // Reverting again goes no further.
      formerlySelected = nil
    }
  }

  private mutating func beginTrial(of entry: BookEntry, until ends: Instant) {
    let environment = entry.environment
    // A trial in place of another one still goes back to what was before both.
    let former = selected == environment ? trials[environment]?.formerSelection : selected
    trials[environment] = BookTrial(entry: entry.number, began: moment, ends: ends, formerSelection: former)
    selected = environment
  }

  private mutating func endTrial(in environment: ListeningEnvironment) {
    let former = trials.removeValue(forKey: environment)?.formerSelection
    guard selected == environment else { return }
    // Rather an older prescription than none: the last resort is the latest entry that is final anywhere.
    let latest = lines.values.compactMap(\.last).max().flatMap(entry)?.environment
    selected =
      [former, environment, latest].compactMap(\.self).first { inForce(in: $0) != nil } ?? environment
  }

  private mutating func enrol(_ identity: ClinicIdentity) {
    clinics.removeAll { $0.identity.fingerprint == identity.fingerprint }
    clinics.append(TrustedClinic(identity: identity, enrolled: moment, revoked: nil))
  }

  private mutating func revoke(_ fingerprint: KeyFingerprint) {
    guard let index = clinics.firstIndex(where: { $0.identity.fingerprint == fingerprint }) else { return }
    let clinic = clinics[index]
    clinics[index] = TrustedClinic(identity: clinic.identity, enrolled: clinic.enrolled, revoked: moment)
  }

  /// Notes the key from which a person came who is known by a reference alone.
  private mutating func note(_ key: KeyFingerprint, of patient: Patient) {
    guard patient.givenName == nil else { return }
    referenceKeys[patient.identity, default: []].insert(key)
  }

  private mutating func rebind(to patient: Patient) {
    if patient.identity == boundPatient?.identity { return }
    boundPatient = patient
    lines = [:]
    trials = [:]
    selected = nil
    formerlySelected = nil
    // The developer was let in by the former person's side.
    developerModeEnds = nil
  }

  /// A trial keeps the rest of its time, one that a card states too.
  private mutating func correctClock(to instant: Instant) {
    let shift = instant - moment
    corrections.append(
      ClockCorrection(former: moment, corrected: instant, entryCount: entries.count))
    moment = instant
    for (environment, trial) in trials { trials[environment]?.ends = trial.ends + shift }
    developerModeEnds = nil
    advance(to: instant)
  }

  /// End that a card states, as the book counts time: of a card that existed when the clock was set back, as
  /// much earlier as the clock went back. So no card gains time by it, and one that was over stays over.
  ///
  /// - Parameters:
  ///   - issued: The card's issue.
  ///   - entry: Its number in the book; nil: it is not there.
  func end(_ stated: Instant, issued: Instant, entry: Int?) -> Instant {
    corrections.reduce(stated) { end, correction in
      let wasThere =
        issued <= correction.corrected || entry.map { $0 <= correction.entryCount } ?? false
      return wasThere ? end + min(0, correction.corrected - correction.former) : end
    }
  }

  /// The same of a prescription's card.
  package func end(_ stated: Instant, of prescription: Prescription, entry: Int?) -> Instant {
    end(stated, issued: prescription.issued, entry: entry)
  }

  /// True for an entry whose expiry has passed.
  package func isExpired(_ entry: BookEntry) -> Bool {
    entry.prescription.expires.map { end($0, of: entry.prescription, entry: entry.number) <= moment }
      ?? false
  }
}
