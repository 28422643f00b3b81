import Base
import Book
import Control
import Glibc
import Prescriptions
import Sealing

/// The prescription book on the disk, opened when it can be, and the calls on it.
///
/// The daemon has one, on the thread of its disk, and a command has one while no daemon runs. A book that
/// cannot be opened is tried again at every call; until then ``known`` has the last prescription that was
/// read.
///
/// - Threads: one, which waits for the disk.
package final class PrescriptionStore {
  /// The book's folder.
  package let folder: String
  private let credentials: String?
  private let clock: BookClock
  private let profile: Profile
  private var book: PrescriptionBook?
  /// Owner of the machine, by its mark, which the book follows.
  private var standing = DeviceStanding.own
  /// Everything but the book's own content.
  private var problems = KnownPrescription()
  /// True while the failure is ``loss``, and no other came before: another may keep a prescription from being known.
  private var isLost = false

  /// - Parameters:
  ///   - folder: The book's folder; made with the first card.
  ///   - credentials: systemd's folder of credentials; nil: the key lies beside the book.
  ///   - configuration: Finds the configuration that is backed up and restored along with the book; nil: none is.
  package init(
    folder: String, credentials: String? = nil, configuration: ConfigurationSearch? = nil,
    clock: BookClock = .system
  ) {
    self.folder = folder
    self.credentials = credentials
    self.clock = clock
    profile = Profile(folder: FilePath.folder(of: folder), configuration: configuration)
  }

  /// The book of this user's programs.
  package convenience init(
    _ paths: StandardPaths, configuration: ConfigurationSearch = ConfigurationSearch(explicit: nil)
  ) {
    self.init(
      folder: paths.stateDirectory + "/book",
      credentials: ProcessEnvironment.variables["CREDENTIALS_DIRECTORY"], configuration: configuration)
  }

  /// The prescription in force, for a thread that does not wait for the disk.
  var known: KnownPrescription {
    var known = problems
    known.book = book?.snapshot
    known.device = standing
    return known
  }

  // MARK: - The book

  /// True when anything was ever kept here. A folder that cannot be looked at, a link that leads nowhere and
  /// a key without its book count as a book, one that cannot be read: what the configuration says may be
  /// meant for somebody else.
  var hasBook: Bool { isThere(SealingKey.standardFile(for: folder)) || isThere(folder) && !isUnbegun }

  /// True of a folder in which a book was to be begun, when the process ended or the disk was full.
  private var isUnbegun: Bool {
    var status = stat()
    return lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && PrescriptionBook.isUnbegun(in: folder)
  }

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
  private func opened() throws(Failure) -> PrescriptionBook {
    if let book { return book }
    try checkPlace()
    if let loss {
      isLost = isLost || problems.failure == nil
      problems.failure = loss
      throw loss
    }
    let isNew = !hasBook
    do throws(BookError) {
      if isNew { try PrescriptionBook.makeFiles(in: folder) }
      let opened = try PrescriptionBook(at: folder, key: try key(), clock: clock)
      book = opened
      problems.failure = nil
      isLost = false
      followMark(opened)
      return opened
    } catch {
      let failure = Failure(error)
      // A book that could not be begun changes nothing in what is heard, also where an earlier attempt has left its key: no prescription
      // can be in it.
      if !isNew, !PrescriptionBook.isWithoutRows(in: folder) {
        problems.failure = failure
        isLost = false
      }
      throw failure
    }
  }

  /// Follows the machine's mark: the book is that clinic's from now on, one that is begun or opened later too.
  ///
  /// - Parameter isBeginning: True: a book is begun where there is none, so that its trail has the hand-over.
  /// - Returns: Why the book cannot follow now; what it says otherwise is then not in force.
  func follow(_ standing: DeviceStanding, beginning isBeginning: Bool = false) -> Failure? {
    self.standing = standing
    guard case .clinics = standing, book != nil || isBeginning else { return nil }
    do throws(Failure) { return followMark(try opened()) } catch { return error }
  }

  @discardableResult private func followMark(_ book: PrescriptionBook) -> Failure? {
    guard let mark = standing.mark, !book.state.follows(mark.handOver) else { return nil }
    do throws(BookError) {
      try book.handOver(mark.handOver, by: Actor(channel: .command, userID: mark.by, processID: 0))
      return nil
    } catch { return Failure(error) }
  }

  /// Finishes a restoration that was ended in the middle, before any file of the profile is read. A fault is
  /// said when the book is opened.
  func finishRestoration() { try? checkPlace() }

  /// Refuses a folder in which others could put another book, or take this one away, and one of which a part
  /// was not restored: then its content, or its absence, says nothing about the prescription.
  private func checkPlace() throws(Failure) {
    do throws(Failure) {
      try StateFolder.check(FilePath.folder(of: folder))
      do throws(BookError) { try PrescriptionBook.finishRestoration(of: folder) } catch {
        throw Failure(error)
      }
      problems.danger = nil
    } catch {
      problems.danger = error
      throw error
    }
  }

  /// Closes the book; it is opened again when it is needed.
  func close() { book = nil }

  /// The book's key; a new one where it is lost or damaged, because what is restored is sealed anew.
  ///
  /// - Returns: The key, and where the damaged one is kept; nil: there was none.
  private func restorationKey() throws(BookError) -> (key: SealingKey, keptAside: String?) {
    let file = SealingKey.standardFile(for: folder)
    do throws(BookError) { return (try key(), nil) } catch {
      switch error {
      case .sealing(.keyLost): return (try key(of: folder + ".restored"), nil)
      // A credential is the service manager's to replace.
      case .sealing(.keySize(file: file, found: _)):
        let aside = try Replacement.unusedName(beside: file)
        guard rename(file, aside) == 0 else { throw .sealing(SealingError(errno: errno, at: aside)) }
        do throws(BookError) { return (try key(of: folder + ".restored"), aside) } catch {
          rename(aside, file)
          throw error
        }
      default: throw error
      }
    }
  }

  /// Takes back the key that was made for a backup that could not be restored: it would only hide that the old one is lost or
  /// damaged. Of a restoration that the next opening finishes it stays, for it alone opens what is put in place.
  ///
  /// - Parameters:
  ///   - aside: Place of the damaged one; nil: there was none.
  ///   - hadKey: False: no key was there before.
  func takeBackKey(keptAside aside: String?, hadKey: Bool) {
    guard !PrescriptionBook.isRestorationLeft(of: folder) else { return }
    let file = SealingKey.standardFile(for: folder)
    if let aside { rename(aside, file) } else if !hadKey { unlink(file) }
  }

  private func key(of book: String? = nil) throws(BookError) -> SealingKey {
    try SealingKey(
      credentialsFolder: credentials, file: SealingKey.standardFile(for: folder), bookFolder: book ?? folder
    )
  }

  /// Opens the book if there is one.
  ///
  /// - Parameter patience: Longest time that another process may hold the book before that counts as wrong,
  ///   s: a daemon that was just stopped, or a command, holds it for a moment. 0 by default.
  /// - Returns: The fault of the book; nil when all is well.
  func open(patience: Double = 0) -> Failure? {
    let due = SystemTime.monotonic + patience
    while true {
      // "Temporary" is a lock that another process holds, and nothing else.
      guard let failure = openOnce() else { return nil }
      guard failure.exitStatus == .temporary, SystemTime.monotonic < due else { return failure }
      // Nothing tells of the end of a lock.
      poll(nil, 0, 10)
    }
  }

  private func openOnce() -> Failure? {
    do throws(Failure) {
      try checkPlace()
      guard hasBook else {
        // Nothing is left of the book. What is heard, its last prescription or nothing, stays so until the daemon ends, for the configuration
        // may be louder, or somebody else's; where a key without a book was all there was, the configuration decides, as before any book.
        if isLost, problems.lastGood == nil {
          problems.failure = nil
          isLost = false
        }
        return problems.failure
      }
      _ = try opened()
      return nil
    } catch {
      if loss == nil, problems.danger == nil {
        problems.lastGood = (try? key()).flatMap { PrescriptionBook.lastGood(in: folder, key: $0)?.card }
      }
      return error
    }
  }

  /// Lets time pass in the book: a trial that is over ends. A book that could not be opened, because a
  /// command held it for a moment or it was damaged, is tried again.
  ///
  /// - Returns: The fault; what is heard does not depend on it.
  func advance() -> Failure? {
    guard let book else { return problems.failure != nil || problems.danger != nil ? open() : nil }
    do throws(BookError) { _ = try book.advance() } catch { return Failure(error) }
    return nil
  }

  /// True for the book of the system's aid.
  package var isSystems: Bool { profile.isSystems }

  /// Refuses to restore a book that another process has open, before a passphrase is asked for.
  package func checkClosed() throws(Failure) {
    do throws(BookError) { try PrescriptionBook.checkClosed(in: folder) } catch { throw Failure(error) }
  }

  /// Puts a backup in the place of the book.
  ///
  /// - Parameter check: Refuses to go on, once all is ready and before anything is replaced. Nothing by default.
  /// - Returns: The outcome, whole sentences.
  /// - Throws: ``Failure``, and what `check` throws; the book is then as it was. ``ExitStatus/temporary`` while a daemon has it
  ///   open.
  package func restore(
    from path: String, passphrase: String, byUser user: UInt32, process: Int32,
    checking check: () throws(Failure) -> Void = {}
  ) throws(Failure) -> String {
    try checkPlace()
    do throws(BookError) {
      let (hadKey, isNew) = (isThere(SealingKey.standardFile(for: folder)), !hasBook)
      // Before the key: a key alone, which a process that is killed now would leave, is that of a lost book.
      if isNew { try PrescriptionBook.makeFiles(in: folder) }
      var isRestored = false
      var damagedKey: String?
      func takeBack() {
        let takeBackKey = { self.takeBackKey(keptAside: damagedKey, hadKey: hadKey) }
        if isNew { PrescriptionBook.takeBackFiles(in: folder, takeBackKey) } else { takeBackKey() }
      }
      defer { if !isRestored { takeBack() } }
      let key = try restorationKey()
      damagedKey = key.keptAside
      var note: String?
      let restored = try PrescriptionBook.restore(
        from: path, passphrase: passphrase, into: folder, key: key.key,
        by: Actor(channel: .command, userID: user, processID: process)
      ) { [profile] (parts) throws(BookError) in
        note = profile.placeNote(restoring: parts)
        return try profile.places(of: parts, in: path)
      } checking: { () throws(BookError) in
        do throws(Failure) { try check() } catch { throw BookError.callersRefusal(error) }
      }
      isRestored = true
      let kept = restored.keptAside.map { " The book that was there is kept in \($0)." } ?? ""
      let others = restored.othersKeptAside + [damagedKey].compactMap(\.self)
      let files = others.isEmpty ? "" : " Other files that gave way: \(English.list(others, "and"))."
      let place = note.map { " " + $0 } ?? ""
      // A service that has its key as a credential would not open what is sealed with this one.
      let keyFile = SealingKey.standardFile(for: folder)
      let newKey =
        hadKey || !isThere(keyFile) || isNew && !isSystems
        ? ""
        : " \(isNew ? "\(keyFile)" : "The former book's key was not here, so that \(keyFile)") is new: where the service has"
          + " the key as a credential, encrypt this one in its place, then remove the file, before it starts (see"
          + " auricled(8))."
      return
        "Restored \(restored.head.count) actions; the audit trail is whole.\(place)\(kept)\(files)\(newKey)"
    } catch { throw Failure(error) }
  }

  // MARK: - Methods

  /// Carries out a method for a command, while no daemon runs.
  ///
  /// - Throws: ``Failure`` with its reason; the book is then as it was.
  package func answer<Method: BookMethod>(
    _ method: Method, fromUser user: UInt32, process: Int32
  ) throws(Failure) -> Method.Reply {
    try answer(method, from: Actor(channel: .command, userID: user, processID: process))
  }

  /// Puts an event of the daemon into the audit trail. The first one begins the book.
  ///
  /// - Returns: The fault of the book or the disk.
  func note(_ note: BookChange.Note, _ detail: String, by actor: Actor) -> Failure? {
    do throws(Failure) {
      let book = try opened()
      do throws(BookError) { try book.note(note, detail, by: actor) } catch { throw Failure(error) }
      return nil
    } catch { return error }
  }

  /// Carries out a method.
  ///
  /// - Parameter check: Refuses a verified prescription that this device cannot play, before it is in the book.
  /// - Throws: ``Failure`` with its reason; the book is then as it was.
  func answer<Method: BookMethod>(
    _ method: Method, from actor: Actor,
    admitting check: @escaping (Signed<Prescription>) throws(Failure) -> Void = { _ in }
  ) throws(Failure) -> Method.Reply {
    if !hasBook, !Method.beginsBook, book == nil {
      guard let answer = Method.answerWithoutBook else {
        throw Failure(
          "prescription book", found: "none yet", expected: "a card that was scanned",
          remedy: "Trust the clinic with auricle trust add, then scan its card with auricle rx scan.",
          exit: .noInput)
      }
      return answer
    }
    return try method.answer(
      in: BookSession(book: try opened(), actor: actor, profile: profile, check: check))
  }
}
