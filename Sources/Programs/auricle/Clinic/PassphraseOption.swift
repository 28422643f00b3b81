import ArgumentParser
import Base
import Prescriptions

/// Source of a passphrase: a prompt that does not show it, or the first line of a file.
struct PassphraseOption: ParsableArguments {
  /// Fewest characters of a new passphrase, as for keys and backups.
  private static let shortest = ClinicKey.shortestPassphrase

  @Option(
    help: .file("File whose first line is the passphrase; - for standard input. Default: asked for."),
    completion: .file())
  var passphraseFile: String?

  /// A passphrase that exists, with the byte order mark of its file: whoever opens something with it tries it without as well.
  func known(for what: String) throws(Failure) -> String {
    if let given = try given() { return given }
    return try ask("Passphrase of \(what): ")
  }

  /// A passphrase that is chosen now, twice.
  func new(for what: String) throws(Failure) -> String {
    // Nobody would type the byte order mark of an editor.
    let given = try given().map { $0.withoutByteOrderMark ?? $0 }
    let passphrase = if let given { given } else { try ask("New passphrase for \(what): ") }
    if given == nil, try ask("The same again: ") != passphrase {
      throw Failure("passphrase", inWords: "The two that were typed differ", exit: .usage)
    }
    guard passphrase.count >= Self.shortest else {
      throw Failure(
        "passphrase", found: English.count(passphrase.count, "character"),
        expected: "at least \(Self.shortest)",
        remedy: "Several words are easy to remember.", exit: .usage)
    }
    return passphrase
  }

  private func given() throws(Failure) -> String? {
    guard let passphraseFile else { return nil }
    let bytes: [UInt8]
    if passphraseFile == "-" {
      bytes = try FileContent.bytesOfStandardInput(limit: 1 << 16)
    } else {
      bytes = try FileContent.bytes(of: passphraseFile, limit: 1 << 16)
      Self.caution(FileTrust(of: passphraseFile)?.cautionOfReaders("the passphrase"))
    }
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    if let text = String(validating: line, as: UTF8.self), !(text.withoutByteOrderMark ?? text).isEmpty {
      return text
    }
    throw Failure(passphraseFile, inWords: "The first line holds no passphrase", exit: .badData)
  }

  fileprivate static func caution(_ sentence: String?) {
    if let sentence { StandardError.write("auricle: \(sentence)\n") }
  }

  private func ask(_ prompt: String) throws(Failure) -> String {
    try TerminalLine(of: "passphrase", remedy: "Give --passphrase-file.").ask(prompt)
  }
}

extension ClinicFolder {
  /// The key, ready to sign, once its passphrase is known; at a terminal it is asked for three times. That others may read the key, and
  /// that serials may be in use elsewhere, is said.
  func unlock(asking passphrase: PassphraseOption) throws(Failure) -> ClinicKey {
    try checkKey()
    try checkEnd()
    PassphraseOption.caution(keyCaution)
    PassphraseOption.caution(try serialCaution())
    return try unlock(
      attempts: passphrase.passphraseFile == nil ? 3 : 1,
      wrong: { PassphraseOption.caution("\($0.message) Type it again.") },
      asking: { () throws(Failure) in try passphrase.known(for: "the clinic's key") })
  }
}
