import Base
import Glibc

/// Folder of a clinic's key: `key.jwe`, sealed with a passphrase; `clinic.txt`, its public card;
/// `serial`, the last serial given out; and `issued.jsonl`, a line for each card signed. Readable by its
/// owner alone.
///
/// - Threads: control.
package struct ClinicFolder: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// The standard folder of this user: `$XDG_DATA_HOME/auricle/clinic`, otherwise
  /// `~/.local/share/auricle/clinic`, otherwise `/var/lib/auricle/clinic`.
  package init(environment: [String: String]) {
    let data =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.local/share" : nil }
    path = (data ?? "/var/lib") + "/auricle/clinic"
  }

  private var keyFile: String { path + "/key.jwe" }
  private var cardFile: String { path + "/clinic.txt" }
  private var serialFile: String { path + "/serial" }
  private var listFile: String { path + "/issued.jsonl" }

  /// True once a key was made.
  ///
  /// - Throws: ``Failure`` of a place that cannot be looked at: a key may be there.
  package var exists: Bool { get throws(Failure) { try Self.isThere(keyFile) } }

  private static func isThere(_ file: String) throws(Failure) -> Bool {
    var status = stat()
    if lstat(file, &status) == 0 { return true }
    guard errno == ENOENT || errno == ENOTDIR else {
      throw Failure(
        file, found: "that it cannot be looked at: \(SystemError.words(for: errno))",
        exit: errno == EACCES ? .noPermission : .inputOutput)
    }
    return false
  }

  /// True once a card was signed with the folder's key, also where that is not here any more.
  private func hasSigned() throws(Failure) -> Bool {
    if try Self.isThere(listFile) { return true }
    guard try Self.isThere(serialFile) else { return false }
    // One that cannot be read is not the 0 with which a folder begins.
    return (try? lastSerial()) != 0
  }

  /// Refuses a folder in which a clinic's key is, or from which the key of signed cards was lost: a new one would replace the card
  /// that patients trust, and give its serials again. What an init has left that was killed before its key was written is no hindrance.
  ///
  /// - Throws: ``Failure`` (``ExitStatus/cannotCreate``); those of ``exists``.
  package func checkUnused() throws(Failure) {
    guard try !exists else {
      throw Failure(
        path, inWords: "A clinic's key is here already",
        remedy: "It is never replaced: cards signed with it could not be followed up. Use another folder"
          + " with --clinic, or move this one away.", exit: .cannotCreate)
    }
    guard try !hasSigned() else {
      throw Failure(
        path, inWords: "Cards were signed here, with a key that is missing",
        remedy: "Put key.jwe back from a copy of the folder. Without a copy make the new key in another"
          + " folder: give --clinic with one that is not there yet.", exit: .cannotCreate)
    }
  }

  /// Refuses a folder without its key: patients would trust a card whose key nobody has.
  ///
  /// - Throws: ``Failure`` (``ExitStatus/noInput``) where `clinic init` was killed, or the key was moved away; those of ``exists``.
  package func checkKey() throws(Failure) {
    guard try !exists else { return }
    let hasSigned = try hasSigned()
    // Where nothing was, nothing can be put back.
    if !hasSigned, try !Self.isThere(cardFile) { throw Self.noClinic(keyFile, found: "no such file") }
    let place = hasSigned ? " in another folder" : ""
    let option = hasSigned ? " --clinic FOLDER" : ""
    throw Failure(
      keyFile, found: "no such file", expected: "the clinic's key, without which its card is of no use",
      remedy: "Put it back from a copy; without one make a new key\(place):"
        + " auricle clinic init\(option) --name \"Your clinic\"",
      exit: .noInput)
  }

  /// Refuses a key whose time is over: devices refuse what it signs.
  ///
  /// - Throws: ``Failure`` (``ExitStatus/badData``).
  package func checkEnd(at moment: Instant = .now) throws(Failure) {
    // Whatever is wrong with the card is said by whoever needs it.
    guard let text = try? card(), let clinic = try? ClinicIdentity(reading: text, from: cardFile),
      let end = clinic.validUntil, end <= moment
    else { return }
    throw Failure(
      path,
      inWords: "The key of \(clinic.name) ended on \(end.localText), and devices refuse what it signs",
      remedy: "Make a new key in another folder, whose card patients trust then: auricle clinic init"
        + " --clinic FOLDER --name \(clinic.name.shellWord)",
      exit: .badData)
  }

  /// Refuses a clinic whose name has characters that show nothing: no device trusts it.
  package static func checkName(of clinic: ClinicIdentity) throws(Failure) {
    guard let error = LookalikeName.refusal(of: clinic.name, field: "clinic's name") else { return }
    throw Failure("clinic", inWords: "\(error)", exit: .usage)
  }

  /// Makes the clinic's key pair.
  ///
  /// - Throws: ``Failure`` of ``checkUnused()`` and ``checkName(of:)``, or when the folder cannot be written.
  package func create(_ key: ClinicKey, passphrase: String) throws(Failure) {
    try Self.checkName(of: key.identity)
    try checkUnused()
    try makeFolder()
    let sealed = try Failure.saying("clinic's key", exit: .usage) { try key.sealed(with: passphrase) }
    try WholeFile.save([UInt8](key.identity.cardText.utf8) + [0x0A], to: cardFile)
    try WholeFile.save([UInt8]("0\n".utf8), to: serialFile)
    // The key last: it is what makes the folder a clinic's.
    try WholeFile.save(sealed, to: keyFile)
  }

  /// The clinic's public card, as text.
  package func card() throws(Failure) -> String {
    let bytes = try content(cardFile)
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
      ?? ""
  }

  /// A caution, a whole sentence, when others may read the key; nil otherwise. It is sealed, but only as
  /// well as its passphrase is good.
  package var keyCaution: String? { FileTrust(of: keyFile)?.cautionOfReaders("the clinic's key") }

  /// The key, ready to sign.
  ///
  /// - Throws: ``Failure``: ``ExitStatus/noPermission`` for another passphrase, and for a key that others
  ///   could have put there; ``ExitStatus/badData`` for one that is not that of the folder's card.
  package func unlock(with passphrase: String) throws(Failure) -> ClinicKey {
    try unlock(attempts: 1, asking: { () throws(Failure) in passphrase })
  }

  /// The key, by a passphrase that is asked for again where it is wrong; throws as ``unlock(with:)``, and what `ask` throws.
  ///
  /// - Parameters:
  ///   - attempts: Questions at most.
  ///   - tell: Takes the refusal of a passphrase after which another one is asked for.
  ///   - ask: Asked once nothing but the passphrase can be wrong.
  package func unlock(
    attempts: Int, wrong tell: (Failure) -> Void = { _ in }, asking ask: () throws(Failure) -> String
  ) throws(Failure) -> ClinicKey {
    try FileTrust(of: path)?.refuseChangeable()
    try FileTrust(of: keyFile)?.refuseChangeable()
    let sealed = try content(keyFile)
    let refusal = Failure(keyFile, found: "that \(PrescriptionError.wrongPassphrase)", exit: .noPermission)
    for attempt in 1...attempts {
      if let key = try opened(sealed, by: try ask()) {
        try checkCard(isOf: key.identity)
        return key
      }
      if attempt < attempts { tell(refusal) }
    }
    throw refusal
  }

  /// The key by a passphrase. One that begins with a byte order mark counts without it too: files of passphrases have it, and keys were
  /// sealed with it.
  ///
  /// - Returns: Nil for another passphrase.
  private func opened(_ sealed: [UInt8], by passphrase: String) throws(Failure) -> ClinicKey? {
    do throws(PrescriptionError) {
      return try ClinicKey(opening: sealed, with: passphrase)
    } catch .wrongPassphrase {
      guard let plain = passphrase.withoutByteOrderMark else { return nil }
      return try opened(sealed, by: plain)
    } catch {
      throw Failure(keyFile, found: "\(error)", exit: .badData)
    }
  }

  /// Refuses a folder whose card is of another key than the one that signs: devices that trust the card would not know what is signed.
  private func checkCard(isOf signer: ClinicIdentity) throws(Failure) {
    guard let text = try? card(), let shown = try? ClinicIdentity(reading: text, from: cardFile),
      shown.fingerprint != signer.fingerprint
    else { return }
    throw Failure(
      cardFile, found: "the card of key \(shown.fingerprint.grouped)",
      expected: "that of \(signer.fingerprint.grouped), which is in key.jwe",
      remedy: "Put back from a copy whichever of the two is not the one that patients trust.",
      exit: .badData)
  }

  // MARK: - Serials

  /// The last serial given out; 0 before the first. An older copy of one of the two files does not count: the next card's serial is
  /// beyond those of both.
  package func lastSerial() throws(Failure) -> Int {
    max(try notedSerial(), try listedSerial())
  }

  /// A caution, a whole sentence or more, when the list of cards goes beyond the last serial; nil otherwise.
  package func serialCaution() throws(Failure) -> String? {
    // The list first, which a card that is signed meanwhile comes into last: otherwise it would be ahead of a whole folder's file.
    let listed = try listedSerial()
    let noted = try notedSerial()
    guard listed > noted else { return nil }
    return "\(serialFile) says \(noted), and \(listFile) has serial \(listed):"
      + " the next one is \(listed + 1). One of them is an older copy, or the key is used in two places; then what was signed elsewhere may"
      + " have that serial too."
  }

  /// A caution, a whole sentence or more, when the list has the prescription that another one is to replace for another person or
  /// environment, where devices keep it; nil otherwise. Lines that cannot be read count for nothing: ``issuedCards()`` names them.
  package func replacementCaution(of prescription: Prescription) throws(Failure) -> String? {
    guard let serial = prescription.supersedes else { return nil }
    let card = try listed().split(separator: 0x0A).lazy.compactMap { try? IssuedCard(Array($0)) }
      .first { $0.serial == serial && $0.kind == IssuedCard.prescriptionKind }
    guard let card else { return nil }
    guard card.isFor(prescription.patient) else {
      return "Prescription \(serial), which this one is to replace, was signed for another person."
    }
    let word = prescription.environment.word
    guard let former = card.environment, former != word else { return nil }
    return
      "Prescription \(serial), which this one is to replace, is for \(former), and this one for \(word): a device keeps that"
      + " one for \(former), and says so. Where nobody is to use it any more, sign one for \(former) too."
  }

  /// The highest serial in the list of cards; 0 without one. Lines that cannot be read have none: ``issuedCards()`` names them.
  private func listedSerial() throws(Failure) -> Int {
    try listed().split(separator: 0x0A).reduce(0) { highest, line in
      max(highest, (try? IssuedCard(Array(line)))?.serial ?? 0)
    }
  }

  /// The number in the file of the last serial.
  private func notedSerial() throws(Failure) -> Int {
    let remedy =
      "Write the highest serial of this clinic's cards into it: a serial that is given twice is refused."
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try FileContent.bytes(of: serialFile, limit: 1 << 10)
    } catch {
      guard error.exitStatus == .noInput, try exists else { throw error }
      throw Failure(
        serialFile, found: error.found, expected: "the last serial given out", remedy: remedy,
        exit: .noInput)
    }
    let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline }
    guard let number = Int(text), (0...Prescription.serials.upperBound).contains(number) else {
      throw Failure(
        serialFile, found: "\"\(text.prefix(20))\"", expected: "the last serial given out", remedy: remedy,
        exit: .badData)
    }
    return number
  }

  /// Begins to give out the next serial; waits while another program does.
  package func issue() throws(Failure) -> SerialIssue {
    let lock = try lock()
    let last = try lastSerial()
    guard last < Prescription.serials.upperBound else {
      throw Failure(serialFile, found: "the last serial there is", exit: .badData)
    }
    return SerialIssue(last + 1, in: self, lock: lock)
  }

  /// Writes the serial of a card, then the card into the list.
  ///
  /// - Parameter last: The serial before it, which is written again when the list cannot be.
  func note(_ card: IssuedCard, last: Int) throws(Failure) {
    var former = try listed()
    // An editor may have saved it without its last line break: the next card's line would be joined to the last one.
    if let end = former.last, end != 0x0A { former.append(0x0A) }
    try WholeFile.save([UInt8]("\(card.serial)\n".utf8), to: serialFile)
    do throws(Failure) {
      try WholeFile.save(former + Array(card.json.minified.utf8) + [0x0A], to: listFile)
    } catch {
      try? WholeFile.save([UInt8]("\(last)\n".utf8), to: serialFile)
      throw error
    }
  }

  /// Cards signed since the list is kept, by serial.
  ///
  /// - Throws: ``Failure`` naming a line that cannot be read.
  package func issuedCards() throws(Failure) -> [IssuedCard] {
    // Without a key there is no clinic.
    _ = try card()
    var cards: [IssuedCard] = []
    for (index, line) in try listed().split(separator: 0x0A).enumerated() {
      do throws(PrescriptionError) { cards.append(try IssuedCard(Array(line))) } catch {
        throw Failure("\(listFile):\(index + 1)", inWords: "\(error)", exit: .badData)
      }
    }
    return cards
  }

  /// Content of the list; nothing before the first card.
  private func listed() throws(Failure) -> [UInt8] {
    do throws(Failure) { return try FileContent.bytes(of: listFile, limit: 1 << 28) } catch {
      // One that cannot be read is not taken for empty: it would be written anew.
      guard error.exitStatus == .noInput else { throw error }
      return []
    }
  }

  /// Keeps two programs from giving out the same serial; waits until no other program does.
  private func lock() throws(Failure) -> LockFile {
    let file = path + "/lock"
    do throws(LockFile.Refusal) { return try LockFile(file, waits: true) } catch {
      guard case .system(let problem) = error else {
        throw Failure(file, found: "that another program keeps it", exit: .temporary)
      }
      throw Failure(file, found: "that it cannot be locked: \(problem.words)", exit: .cannotCreate)
    }
  }

  // MARK: - Files

  private func makeFolder() throws(Failure) {
    // A folder that cannot be made is told as one that cannot be written.
    try? Folder.make(path)
    guard access(path, W_OK | X_OK) == 0 else {
      throw Failure(
        path, found: "that it cannot be written: \(SystemError.words(for: errno))",
        expected: "a folder for the clinic's key", exit: .cannotCreate)
    }
  }

  private func content(_ file: String) throws(Failure) -> [UInt8] {
    do throws(Failure) {
      return try FileContent.bytes(of: file, limit: 1 << 16)
    } catch {
      guard error.exitStatus == .noInput else { throw error }
      // Advice to make a key would be refused where one is, or was.
      var isUsed = try exists
      if !isUsed { isUsed = try hasSigned() }
      guard isUsed else { throw Self.noClinic(file, found: error.found) }
      throw Failure(
        file, found: error.found, expected: file == cardFile ? "the clinic's card" : "a clinic's key",
        remedy: "Put it back from a copy of the folder.", exit: .noInput)
    }
  }

  /// Refusal of a folder in which no clinic was made.
  private static func noClinic(_ file: String, found: String) -> Failure {
    Failure(
      file, found: found, expected: "a clinic's key",
      remedy: "Make one with: auricle clinic init --name \"Your clinic\"", exit: .noInput)
  }
}

extension ClinicIdentity {
  /// Reads a clinic's own card.
  ///
  /// - Parameter place: Place where the text was found, for messages.
  /// - Throws: ``Failure`` (``ExitStatus/badData``) when it is no clinic's card, or an altered one.
  package init(reading text: String, from place: String) throws(Failure) {
    do throws(PrescriptionError) {
      try self.init(reading: try CardText(reading: text))
    } catch {
      throw Failure(
        place, found: "\(error)", expected: "a clinic's card, as auricle clinic card makes it",
        exit: .badData)
    }
  }
}
