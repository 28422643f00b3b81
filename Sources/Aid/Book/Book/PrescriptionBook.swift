import AuditTrail
import Base
import Prescriptions
import Sealing

/// Everything that was ever loaded, tried, accepted and reverted on this device, and who did it.
///
/// The book is a list of events that only grows; what is in force is computed from it (``BookState``). Each
/// verb is one transaction that appends the event and its audit row, on the disk before the call returns.
/// The state is kept in memory as well: when the disk fails, what was in force stays in force. The events are not: they would grow
/// for as long as the process runs.
///
/// - Threads: one, which waits for the disk. Another thread is handed a ``snapshot``, which never does.
package final class PrescriptionBook {
  /// Longest time after which the latest moment seen is noted again, s.
  static let noteInterval = 300

  struct Memory {
    var state: BookState
    var head: AuditHead
    /// Moment of the last event.
    var lastMoment: Instant?
    var refusals: RecentRefusals
    /// As last written; nil when it must be written.
    var note: HeadNote?
    /// Found on opening and not in the audit trail yet.
    var unnoted: AuditDamage?
  }

  let folder: BookFolder
  let key: SealingKey
  let database: BookDatabase
  let vault: Vault
  private let lock: LockFile
  /// As the disk has it.
  private(set) var memory: Memory
  var time: BookTime

  /// Opens the book in a folder, or begins one.
  ///
  /// Every row is opened, the chain of hashes followed and every card verified again with the clinics that
  /// were trusted when it was loaded.
  ///
  /// - Throws: ``BookError``: the disk's, the keys', ``BookError/auditBroken(row:reason:)``, and
  ///   ``BookError/auditTruncated(found:expected:)`` when no row is left of a book that had some. Nothing
  ///   is changed then; ``lastGood(in:key:)`` tells what was in force.
  package init(at folder: String, key: SealingKey, clock: BookClock = .system) throws(BookError) {
    self.folder = BookFolder(folder)
    self.key = key
    try BookFile.makeFolder(self.folder.path)
    try self.folder.check()
    lock = try self.folder.locked()
    PrivateFile.removeLeftovers(of: self.folder.head)
    let note = try HeadNote(from: self.folder.head, key: key)
    let expected = note?.count ?? 0
    if expected > 0, self.folder.isDatabaseGone { throw .auditTruncated(found: 0, expected: expected) }
    try self.folder.makeDatabase()
    database = try BookDatabase(self.folder.database, expecting: expected)
    do throws(BookError) {
      vault = try Self.vault(of: database, key: key)
      let rows = try database.rows()
      let head = try vault.auditChain.verified(rows)
      var (state, refusals) = (BookState(moment: Instant(seconds: 0)), RecentRefusals())
      var lastMoment: Instant?
      for row in rows {
        let event = try Self.event(row, after: state, vault: vault)
        state.apply(event.change, at: event.moment)
        refusals.take(event)
        lastMoment = event.moment
      }
      let damage = AuditDamage(noted: note?.head, rows)
      // A note from before the last event says nothing about time: that event may have corrected the clock.
      let noted = note.flatMap { $0.count < rows.count ? nil : $0.latest } ?? 0
      let latest = max(lastMoment?.seconds ?? 0, noted)
      time = BookTime(clock: clock, latest: Instant(seconds: latest))
      // As of the last event: what has ended since is noted as any other end.
      memory = Memory(
        state: state, head: head, lastMoment: lastMoment, refusals: refusals, note: note, unnoted: damage)
    } catch {
      database.close()
      throw error
    }
    // Damage, and a trial that ended meanwhile, are noted before anything else is asked. A disk that is full
    // may not keep the person from hearing by what is in the book.
    _ = try? advance()
  }

  deinit {
    note(in: &memory, after: 0)
    database.close()
  }

  /// The book's present: the system's time, never behind what the book has seen.
  package var now: Instant { time.read() }

  /// The state at present.
  package var state: BookState {
    var state = memory.state
    if let damage = memory.unnoted { state.apply(.found(damage), at: now) }
    state.advance(to: now)
    return state
  }

  /// Number of events.
  package var count: Int { memory.head.count }

  /// All events, oldest first, from the disk.
  ///
  /// - Throws: ``BookError`` of the disk, and of rows that cannot be read.
  package func events() throws(BookError) -> [BookEvent] {
    var (events, state) = ([BookEvent](), BookState(moment: Instant(seconds: 0)))
    for row in try database.rows() {
      let event = try Self.event(row, after: state, vault: vault)
      state.apply(event.change, at: event.moment)
      events.append(event)
    }
    return events
  }

  /// Warnings about the book, its clock and the prescription in force.
  package var notices: [BookNotice] { snapshot.notices }

  /// A copy of the state for another thread.
  package var snapshot: BookSnapshot {
    BookSnapshot(state, time)
  }

  /// Lets time pass: notes that trials ended, and the latest moment seen. To be called every few seconds.
  ///
  /// - Returns: The state now.
  /// - Throws: ``BookError`` of the disk; ``state`` is right all the same.
  @discardableResult package func advance() throws(BookError) -> BookState {
    try transact { memory throws(BookError) in memory.state }
  }

  // MARK: - Transactions

  /// Runs a body after noting what time has ended.
  func transact<Value>(_ body: (inout Memory) throws(BookError) -> Value) throws(BookError) -> Value {
    var memory = self.memory
    // Also after a refusal: what was written before it stays written.
    defer { self.memory = memory }
    try noteDamage(in: &memory)
    try passTime(in: &memory)
    let value = try body(&memory)
    note(in: &memory, after: Self.noteInterval)
    return value
  }

  /// Before anything else is written: a new note of the head would hide that the former one was missing.
  private func noteDamage(in memory: inout Memory) throws(BookError) {
    guard let damage = memory.unnoted else { return }
    memory.unnoted = nil
    do throws(BookError) {
      try append(.found(damage), by: .clock, to: &memory)
    } catch {
      memory.unnoted = damage
      throw error
    }
  }

  private func passTime(in memory: inout Memory) throws(BookError) {
    let now = now
    var state = memory.state
    state.advance(to: now)
    let ended =
      state.trials.count != memory.state.trials.count
      || (state.developerModeEnds == nil) != (memory.state.developerModeEnds == nil)
    if ended { try append(.timePassed, by: .clock, to: &memory) }
    memory.state.advance(to: now)
  }

  /// One transaction: the event with its audit row. Memory follows when the disk has both.
  ///
  /// - Parameter decided: Moment for which the change was decided: a card that ends in the next second was still good then, and is
  ///   verified for this moment whenever the book is opened. Nil: now.
  func append(
    _ change: BookChange, by actor: Actor, at decided: Instant? = nil, to memory: inout Memory
  ) throws(BookError) {
    let moment = decided ?? now
    let event = BookEvent(number: memory.head.count + 1, moment: moment, actor: actor, change: change)
    let stored = StoredEvent(change)
    let sealed = try vault.seal(event: try stored.encoded(), number: event.number)
    var audit = AuditRow(event, stored.kind, in: memory.state)
    let link = vault.auditChain.link(audit.fields(sealed), after: memory.head)
    (audit.hash, audit.tag) = (link.hash, link.tag)
    try noteBeginning(in: &memory)
    try database.append(BookDatabase.Row(sealed: sealed, audit: audit))
    memory.state.apply(change, at: moment)
    memory.lastMoment = moment
    memory.refusals.take(event)
    memory.head = AuditHead(count: event.number, hash: audit.hash)
    note(in: &memory, after: 0)
  }

  /// Before the first row: one without any note would look like a book that lost it. Later rows may be ahead of their note.
  private func noteBeginning(in memory: inout Memory) throws(BookError) {
    guard memory.head.count == 0, memory.note == nil else { return }
    let note = HeadNote(head: .empty, state: memory.state, latest: now)
    try note.write(to: folder.head, key: key)
    memory.note = note
  }

  /// Notes the head when it changed, or when it is older than `seconds`. A disk that refuses is asked again
  /// at the next change; the book itself is complete without it.
  private func note(in memory: inout Memory, after seconds: Int) {
    guard memory.unnoted == nil else { return }
    let note = HeadNote(head: memory.head, state: memory.state, latest: now)
    if let written = memory.note, written.head == note.head, written.card == note.card,
      note.latest - written.latest <= seconds
    {
      return
    }
    do throws(BookError) {
      try note.write(to: folder.head, key: key)
      memory.note = note
    } catch { memory.note = nil }
  }

  // MARK: - Opening

  private static func vault(of database: BookDatabase, key: SealingKey) throws(BookError) -> Vault {
    if let kept = try database.wrappedKey() {
      do { return try Vault(kind, kept, key: key, path: database.path) } catch { throw .sealing(error) }
    }
    let vault = Vault.random(kind)
    try database.append(try vault.kept(by: key))
    return vault
  }

  /// - Parameter state: The state before the event.
  private static func event(
    _ row: BookDatabase.Row, after state: BookState, vault: Vault
  )
    throws(BookError) -> BookEvent
  {
    let number = row.audit.number
    let moment = Instant(seconds: row.audit.moment)
    // A restored backup says what whoever made it wanted; arithmetic on times stays far from an overflow.
    guard Instant.writable.contains(moment) else {
      throw .unreadableRow(number, reason: "its moment is not between 1970 and 9999.")
    }
    let actor = try row.audit.actor()
    let stored = try StoredEvent(decoding: try vault.event(row), row: number)
    let change = try stored.change(row: number, at: moment, in: state)
    return BookEvent(number: number, moment: moment, actor: actor, change: change)
  }
}

extension Actor {
  /// Nobody: time passed.
  static let clock = Actor(channel: .clock, userID: 0, processID: 0)
}
