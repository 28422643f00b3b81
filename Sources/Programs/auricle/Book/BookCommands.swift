import ArgumentParser
import Base
import Control
import Engine
import Glibc
import Service

/// `auricle book`: the prescription book as a whole.
struct BookCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "book", abstract: "Back up and restore the prescription book, and correct its clock.",
    subcommands: [BookBackup.self, BookRestore.self, BookClockCorrection.self])
}

/// `auricle book backup`.
struct BookBackup: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Write book, programs, feedback and configuration into one file, sealed with a passphrase.",
    discussion: """
      The file holds the prescriptions and clinics of the book, program, volume, tone and stream, measured feedback, and \
      the configuration with the files that it names in its own folder. It opens on any machine with the \
      passphrase, and on none without it. It is read back before the command reports success. A daemon that has the book open writes the file itself, as its own user.
      """)

  @Argument(help: .file("The file to make; an existing one is not replaced."), completion: .file())
  var file: String

  @OptionGroup var passphrase: PassphraseOption
  @OptionGroup var options: ClientOptions

  func call() throws(Failure) -> BookMethods.BackUp {
    let path = try AbsolutePath.of(file)
    // Before a passphrase is asked for. What this user may not look into the daemon may, and it makes the folder for backups.
    let folder = FilePath.folder(of: path)
    let code = access(folder, F_OK) == 0 ? 0 : errno
    if code == ENOENT || code == ENOTDIR, !folder.hasSuffix("/" + StateFolder.backups) {
      throw .writing(file, SystemError(code: code))
    }
    return BookMethods.BackUp(path: path, passphrase: try passphrase.new(for: "the backup"))
  }

  func confirm(through access: BookAccess) throws(Failure) {
    let path = try AbsolutePath.of(file)
    var status = stat()
    // Where this user may not look, nothing is known.
    guard access.client != nil, lstat(path, &status) != 0, errno == ENOENT else { return }
    throw Failure(
      file, inWords: "The daemon wrote it where its service alone sees it (PrivateTmp=)",
      remedy: "The system's daemon can write to \(StandardPaths.systemsState)/\(StateFolder.backups).",
      exit: .cannotCreate)
  }
}

/// `auricle book restore`.
struct BookRestore: Verb {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Replace book, programs, feedback and configuration by a backup.",
    discussion: """
      Stop the daemon first. The backup is checked whole before anything is changed. Everything in it takes its \
      place, or nothing does; what was there is kept aside.
      """)

  @Argument(help: .file("The backup."), completion: .file()) var file: String

  @OptionGroup var passphrase: PassphraseOption
  @OptionGroup var form: JSONOption

  func answer() throws -> ExitStatus {
    // Before a passphrase is asked for.
    do throws(Failure) { try FileContent.check(file) } catch {
      guard error.exitStatus == .noInput else { throw error }
      throw Failure(file, inWords: "There is no such file", exit: .noInput)
    }
    try DeviceGuard().refuse(.book)
    let store = PrescriptionStore(.current)
    try refuseBesideAid(of: store)
    let words = try passphrase.known(for: "the backup")
    // Once more at the end: where there is no book, nothing else tells of an aid that was started meanwhile.
    let message = try store.restore(
      from: file, passphrase: words, byUser: geteuid(), process: getpid(),
      checking: { () throws(Failure) in try refuseAid(of: store) })
    return try show(DoneReport(message: message, file: file))
  }

  /// Refuses beside an aid of the same profile, with a book or without, and beside another process that has the book.
  private func refuseBesideAid(of store: PrescriptionStore) throws(Failure) {
    try refuseAid(of: store)
    try store.checkClosed()
  }

  /// Refuses beside an aid: it would play on by what is replaced, and write over what is restored. The system's has a profile of its own.
  private func refuseAid(of store: PrescriptionStore) throws(Failure) {
    let socket = SocketOption.parseOrExit([])
    if store.isSystems || socket.path != DeviceGuard.socket {
      try RunningAid(socket).refuse(for: "book restore")
    }
  }
}

/// `auricle book correct-clock`.
struct BookClockCorrection: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "correct-clock", abstract: "Set the book's clock to the system's clock.",
    discussion: """
      The book never goes back in time, so that no clock set back can revive a trial. When the system's clock was \
      wrong, years ahead for instance, and is right now, this corrects the book. What was over by then stays over. \
      The audit trail records it.
      """)

  @OptionGroup var options: ClientOptions

  func call() -> BookMethods.CorrectClock { BookMethods.CorrectClock() }
}

/// A command that shows a part of the book.
protocol BookReportVerb: Verb {
  associatedtype Method: BookMethod

  var options: ClientOptions { get }

  /// The request to the book.
  func call() -> Method
  /// The answer in words, with its line breaks.
  func text(_ report: Method.Reply, _ style: Style) -> String
}

extension BookReportVerb {
  func answer() throws -> ExitStatus {
    let report = try BookAccess(options.socket).ask(call())
    return try show(report, text(report, options.form.style))
  }
}

/// A command that changes which prescription is heard.
protocol BookVerb: Verb {
  associatedtype Method: BookMethod where Method.Reply == BookAnswer

  var options: ClientOptions { get }

  /// The request to the book.
  func call() throws(Failure) -> Method

  /// Fails where the book's answer is not the whole truth.
  func confirm(through access: BookAccess) throws(Failure)
}

extension BookVerb {
  func confirm(through access: BookAccess) throws(Failure) {}

  func answer() throws -> ExitStatus { try answer(to: call()) }

  /// Makes a request, and tells what came of it.
  func answer(to call: Method) throws -> ExitStatus {
    let access = try BookAccess(options.socket)
    // Without a daemon nothing is heard yet: whoever starts one hears another prescription only where this changes.
    let former = access.client == nil ? (try? access.ask(PrescriptionMethods.List()))?.inForce : nil
    let change = try access.ask(call)
    try confirm(through: access)
    var lines = [change.message] + change.book.notes
    // Those of trust and of the whole book change no sound.
    let changesSound = Method.name.hasPrefix("prescription.") && change.book.inForce != nil
    if changesSound, access.client == nil, change.book.inForce?.number != former?.number {
      let start = StartAdvice.current(asking: options.socket.path)
      lines.append("No daemon runs; the change is heard after: \(start.command)")
    }
    if changesSound, let words = heldBack(by: access) { lines.append(words) }
    return try show(Versioned(report: change), lines.joined(separator: "\n"))
  }

  /// Sentence on the prescribed gain that is not heard for want of a calibration; nil: all is, or nobody can tell.
  private func heldBack(by access: BookAccess) -> String? {
    if let client = access.client {
      return (try? client.ask(ReportMethods.Status()))?.fitting.heldBackWords
    }
    guard let loaded = try? ConfigurationSearch(explicit: nil).load().get(),
      var hearing = try? AidSettings(loaded).hearing.calibrated(for: loaded),
      (try? hearing.followPrescription(by: access)) != nil
    else { return nil }
    return StatusReport.Fitting(hearing).heldBackWords
  }
}

/// `auricle audit`: the record of all actions on prescriptions of this device.
struct Audit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Show or verify the record of all actions on prescriptions.",
    subcommands: [AuditShow.self, AuditVerify.self, AuditShowHead.self, AuditAccept.self])
}

/// `auricle audit show`.
struct AuditShow: BookReportVerb {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the newest lines of the audit trail, oldest first.")

  @Option(name: .customLong("last"), help: .init("Lines, 1 to 1000.", valueName: "count")) var count = 50

  @OptionGroup var options: ClientOptions

  func validate() throws {
    guard BookMethods.ShowAudit.counts.contains(count) else {
      throw ValidationError("--last: found \(count), expected 1 to 1000.")
    }
  }

  func call() -> BookMethods.ShowAudit { BookMethods.ShowAudit(count: count) }
  func text(_ report: AuditReport, _ style: Style) -> String {
    AuditText(report: report, style: style).text
  }
}

/// `auricle audit verify`.
struct AuditVerify: Verb {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check that no line of the audit trail was changed or removed.",
    discussion: "Exits with 1 when it was, or when that cannot be told.")

  @Option(
    help: .init(
      "Also compare with what auricle audit head printed once and was kept elsewhere.", valueName: "head"))
  var head: String?

  @OptionGroup var options: ClientOptions

  func validate() throws {
    guard let head, head.wholeMatch(of: /[0-9]{1,15}:[0-9A-Fa-f]{64}/) == nil else { return }
    throw ValidationError("--head: found \"\(head)\", expected what auricle audit head prints.")
  }

  func answer() throws -> ExitStatus {
    var verdict = try BookAccess(options.socket).ask(BookMethods.VerifyAudit(head: head))
    // A book begins with its first line.
    if verdict.count == 0, head != nil {
      verdict.problem = "There is no prescription book here, and the head that was kept is of one."
    }
    let whole =
      verdict.count == 0
      ? "There is no prescription book yet, so there is no audit trail to verify."
      : "The audit trail is whole: \(English.count(verdict.count, "line"))."
    return try show(verdict, verdict.problem ?? whole, exit: verdict.isWhole ? .done : .no)
  }
}

/// `auricle audit head`.
struct AuditShowHead: Verb {
  static let configuration = CommandConfiguration(
    commandName: "head", abstract: "Print the end of the audit trail, to be kept elsewhere.",
    discussion: """
      An older copy of the whole state folder that is put back shows no trace of it. A head that was kept on paper \
      or another machine shows it: auricle audit verify --head.
      """)

  @OptionGroup var options: ClientOptions

  func answer() throws -> ExitStatus {
    let verdict = try BookAccess(options.socket).ask(BookMethods.VerifyAudit())
    let words = verdict.problem ?? verdict.head ?? "There is no prescription book yet, so it has no head."
    return try show(verdict, words, exit: verdict.head == nil ? .no : .done)
  }
}

/// `auricle audit accept`.
struct AuditAccept: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "accept",
    abstract: "Accept the audit trail although the note of its length was missing.",
    discussion: """
      A book without its note, book.head, may be an older one that was put back, with other clinics trusted and \
      another prescription in force. Look at it before: auricle rx list, auricle trust list, auricle audit show. \
      The audit trail records that it was accepted.
      """)

  @Flag(name: .shortAndLong, help: "Accept without asking.") var yes = false

  @OptionGroup var options: ClientOptions

  func call() throws(Failure) -> BookMethods.AcceptDamage {
    if !yes {
      try Confirmation.ask(
        "Are prescriptions, clinics and the audit trail as you know them?", for: "audit trail",
        instead: "Look at auricle rx list, trust list and audit show, then give --yes.",
        refused: "Nothing was changed.")
    }
    return BookMethods.AcceptDamage()
  }
}
