import Base
import Book
import Control
import Glibc
import Prescriptions
import Realtime
import Synchronization

/// Where prescriptions are handed in and asked for: the book, opened when it can be, behind the calls that
/// people make.
///
/// The daemon has one, and a command has one for itself while no daemon runs. A book that cannot be opened is
/// tried again at every call; until then the last prescription that is known goes on being heard.
///
/// - Threads: control. Calls, ``open(patience:)``, ``advance()`` and ``close()`` wait for the disk; what is to be
///   heard and what is reported never does.
package final class PrescriptionDesk: Sendable {
  private struct Memory: Sendable {
    var book: PrescriptionBook?
    /// Why there is no book.
    var failure: Failure?
    /// What was heard when the book was last readable.
    var lastGood: Signed<Prescription>?
    /// Why the folder of the book is not to be trusted, whatever is or is not in it.
    var danger: Failure?
  }

  /// The book's folder.
  package let folder: String
  private let credentials: String?
  /// Never held while the disk works.
  private let memory = Mutex(Memory())
  /// Held while the book is opened.
  private let opening = Mutex(())

  /// - Parameters:
  ///   - folder: The book's folder; made with the first card.
  ///   - credentials: systemd's folder of credentials; nil: the key lies beside the book.
  package init(folder: String, credentials: String? = nil) {
    self.folder = folder
    self.credentials = credentials
  }

  /// The desk where programs of this user keep their book.
  package convenience init(_ paths: StandardPaths) {
    self.init(
      folder: paths.stateDirectory + "/book",
      credentials: ProcessEnvironment.variables["CREDENTIALS_DIRECTORY"])
  }

  // MARK: - The book

  /// Whether anything was ever kept here. A folder that cannot be looked at, a link that leads nowhere and a
  /// key without its book count as a book, one that cannot be read: what the configuration says may be meant
  /// for somebody else.
  var hasBook: Bool { isThere(folder) || isThere(SealingKey.standardFile(for: folder)) }

  private func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)
  }

  /// The refusal for a key without its book: whatever opened it now would begin a new one, in
  /// which nobody's prescription was ever in force.
  private var loss: Failure? {
    let key = SealingKey.standardFile(for: folder)
    guard isThere(key), !PrescriptionBook.files(in: folder).contains(where: isThere) else { return nil }
    return Failure(
      "prescription book", found: "its key and no book", expected: "both",
      remedy: "Restore a backup with auricle book restore; or, to begin anew, remove \(key).",
      exit: .noInput)
  }

  /// The book, opened now if it is not yet.
  ///
  /// - Throws: ``Failure`` that says what is wrong with it.
  func book() throws(Failure) -> PrescriptionBook {
    try opening.withLock { (_) throws(Failure) in
      if let book = memory.withLock({ $0.book }) { return book }
      try checkPlace()
      if let loss {
        memory.withLock { $0.failure = loss }
        throw loss
      }
      let isNew = !hasBook
      do throws(BookError) {
        let book = try PrescriptionBook(at: folder, key: try key())
        memory.withLock {
          $0.book = book
          $0.failure = nil
        }
        return book
      } catch {
        let failure = Failure(error)
        // A book that could not be begun changes nothing in what is heard.
        if !isNew { memory.withLock { $0.failure = failure } }
        throw failure
      }
    }
  }

  /// Refuses a folder in which others could put another book, or take this one away: then nothing that is there, or
  /// is not, says what is prescribed.
  private func checkPlace() throws(Failure) {
    do throws(Failure) {
      try StateFolder.check(FilePath.folder(of: folder))
      memory.withLock { $0.danger = nil }
    } catch {
      memory.withLock { $0.danger = error }
      throw error
    }
  }

  /// Gives the book back; it is opened again when it is needed.
  func close() {
    // Its last act is one of the disk, after the lock.
    let book = memory.withLock { memory in
      defer { memory.book = nil }
      return memory.book
    }
    withExtendedLifetime(book) {}
  }

  /// The book's key; a new one where it is lost, because what is restored is sealed anew.
  private func restorationKey() throws(BookError) -> SealingKey {
    do throws(BookError) {
      return try key()
    } catch {
      guard case .keyLost = error else { throw error }
      return try SealingKey(
        credentialsFolder: credentials, file: SealingKey.standardFile(for: folder),
        bookFolder: folder + ".restored")
    }
  }

  private func key() throws(BookError) -> SealingKey {
    try SealingKey(
      credentialsFolder: credentials, file: SealingKey.standardFile(for: folder), bookFolder: folder)
  }

  /// Opens the book if there is one, and finds what is to be heard.
  ///
  /// - Parameter patience: Longest time that another process may hold the book before that counts as wrong, s:
  ///   a daemon that was just stopped, or a command, holds it for a moment.
  /// - Returns: What is wrong with the book; nil when all is well.
  func open(patience: Double = 0) -> Failure? {
    let due = SystemTime.monotonic + patience
    while true {
      // "Temporary" is a lock that another process holds, and nothing else.
      guard let failure = openOnce() else { return nil }
      guard failure.exitStatus == .temporary, SystemTime.monotonic < due else { return failure }
      usleep(10_000)
    }
  }

  private func openOnce() -> Failure? {
    do throws(Failure) { try checkPlace() } catch { return error }
    guard hasBook else { return nil }
    if let loss {
      memory.withLock { $0.failure = loss }
      return loss
    }
    do throws(Failure) {
      _ = try book()
      return nil
    } catch {
      let known = (try? key()).flatMap { PrescriptionBook.lastGood(in: folder, key: $0)?.card }
      memory.withLock { $0.lastGood = known }
      return error
    }
  }

  /// What is to be heard.
  var prescribed: Prescribed {
    memory.withLock { memory in
      if let book = memory.book {
        let state = book.state
        if let entry = state.inForce { return .card(entry.card) }
        return state.entries.isEmpty && state.boundPatient == nil ? .byConfiguration : .nothing
      }
      guard memory.danger == nil else { return .nothing }
      if let known = memory.lastGood { return .card(known) }
      return memory.failure == nil ? .byConfiguration : .nothing
    }
  }

  /// What the status report tells of it.
  var standing: StatusReport.Prescription? {
    let (book, failure, known) = memory.withLock { memory in
      memory.danger.map { (memory.book, $0, nil) } ?? (memory.book, memory.failure, memory.lastGood)
    }
    guard let book else { return failure.map { StatusReport.Prescription(known, problem: $0.message) } }
    return StatusReport.Prescription(book.state, notes: book.notices.map { "\($0)" })
  }

  /// Whether there is a prescription for an environment, by its word, other than the one that is heard.
  func hasUnwornCard(for word: String) -> Bool {
    memory.withLock { memory in
      guard let state = memory.book?.state, let environment = try? ListeningEnvironment(word: word) else {
        return false
      }
      return state.selected != environment && state.inForce(in: environment) != nil
    }
  }

  /// Whether a developer's pass is open.
  var isDeveloperModeOpen: Bool {
    memory.withLock { memory in
      guard let book = memory.book, let until = book.state.developerModeEnds else { return false }
      return book.now < until
    }
  }

  /// Lets time pass: a trial that is over ends.
  ///
  /// - Returns: What went wrong, once; what is heard does not depend on it.
  func advance() -> Failure? {
    guard let book = memory.withLock({ $0.book }) else {
      // Held by a command for a moment, or mended since: a trial's end must not wait for the next call.
      guard memory.withLock({ $0.failure != nil || $0.danger != nil }) else { return nil }
      return open()
    }
    do throws(BookError) {
      _ = try book.advance()
      return nil
    } catch {
      return Failure(error)
    }
  }

  /// Puts a backup in the place of the book.
  ///
  /// - Returns: What was done, whole sentences.
  /// - Throws: ``Failure``; the book is then as it was. ``ExitStatus/temporary`` while a daemon has it open.
  package func restore(
    from path: String, passphrase: String, byUser user: UInt32, process: Int32
  ) throws(Failure) -> String {
    try checkPlace()
    do throws(BookError) {
      let file = SealingKey.standardFile(for: folder)
      let hadKey = isThere(file)
      var isRestored = false
      // A key that was made for a backup that does not open would only hide that the old one is lost.
      defer { if !hadKey, !isRestored { unlink(file) } }
      let restored = try PrescriptionBook.restore(
        from: path, passphrase: passphrase, into: folder, key: try restorationKey(),
        by: Actor(channel: .command, userID: user, processID: process))
      isRestored = true
      let kept = restored.keptAside.map { " The book that was there is kept in \($0)." } ?? ""
      return "Restored \(restored.head.count) actions; the audit trail is whole.\(kept)"
    } catch {
      throw Failure(error)
    }
  }

  // MARK: - Calls

  /// Carries out a method for a command, because no daemon runs.
  ///
  /// - Throws: ``Failure`` with its reason; the book is then as it was.
  package func answer<Method: BookMethod>(
    _ method: Method, fromUser user: UInt32, process: Int32
  ) throws(Failure) -> Method.Reply {
    try answer(method, from: Actor(channel: .command, userID: user, processID: process))
  }

  /// Carries out a method.
  ///
  /// - Parameter check: Refuses a verified prescription that this device cannot play, before it is in the book.
  /// - Throws: ``Failure`` with its reason; the book is then as it was.
  func answer<Method: BookMethod>(
    _ method: Method, from actor: Actor,
    admitting check: @escaping (Prescription) throws(Failure) -> Void = { _ in }
  ) throws(Failure) -> Method.Reply {
    if !hasBook, !Method.beginsBook, memory.withLock({ $0.book == nil }) {
      guard let answer = Method.answerWithoutBook else {
        throw Failure(
          "prescription book", found: "none yet", expected: "a card that was scanned",
          remedy: "Trust the clinic with auricle trust add, then scan its card with auricle rx scan.",
          exit: .noInput)
      }
      return answer
    }
    let counter = BookCounter(book: try book(), actor: actor, check: check)
    do throws(BookRefusal) {
      return try method.answer(by: counter)
    } catch {
      throw Failure(error)
    }
  }
}
