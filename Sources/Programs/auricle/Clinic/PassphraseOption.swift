import ArgumentParser
import Base
import Clinic
import Control
import Glibc
import Prescriptions

/// Source of a passphrase: a prompt that does not show it, or the first line of a file.
struct PassphraseOption: ParsableArguments {
  /// Fewest bytes of a new passphrase (NIST SP 800-63B: at least 8 characters).
  private static let shortest = 8

  @Option(
    help: ArgumentHelp(
      "File whose first line is the passphrase; - for standard input. Default: asked for.",
      valueName: "file"), completion: .file())
  var passphraseFile: String?

  /// A passphrase that exists.
  func known(for what: String) throws(Failure) -> String {
    if let given = try given() { return given }
    return try ask("Passphrase of \(what): ")
  }

  /// A passphrase that is chosen now, twice.
  func new(for what: String) throws(Failure) -> String {
    var passphrase = try given()
    if passphrase == nil {
      let first = try ask("New passphrase for \(what): ")
      guard first == (try ask("The same again: ")) else {
        throw Failure("passphrase", found: "two different ones", expected: "the same twice", exit: .usage)
      }
      passphrase = first
    }
    guard let passphrase, passphrase.utf8.count >= Self.shortest else {
      throw Failure(
        "passphrase", found: "\(passphrase?.utf8.count ?? 0) bytes", expected: "at least \(Self.shortest)",
        remedy: "Several words are easier to remember than signs.", exit: .usage)
    }
    return passphrase
  }

  private func given() throws(Failure) -> String? {
    guard let passphraseFile else { return nil }
    let bytes =
      if passphraseFile == "-" {
        try FileContent.bytesOfStandardInput(limit: 1 << 16)
      } else {
        try FileContent.bytes(of: passphraseFile, limit: 1 << 16)
      }
    if passphraseFile != "-",
      let caution = FileTrust(of: passphraseFile)?.cautionOfReaders("the passphrase")
    {
      StandardError.write("auricle: \(caution)\n")
    }
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    guard let text = String(validating: line, as: UTF8.self), !text.isEmpty else {
      throw Failure(
        passphraseFile, found: "no passphrase in its first line", expected: "one", exit: .badData)
    }
    return text
  }

  /// Asks on the terminal, without echo (termios(3)).
  private func ask(_ prompt: String) throws(Failure) -> String {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else {
      throw Failure(
        "passphrase", found: "no terminal to ask at", expected: "a terminal, or --passphrase-file",
        exit: .usage)
    }
    defer { close(terminal) }
    var usual = termios()
    guard tcgetattr(terminal, &usual) == 0 else {
      throw Failure("passphrase", found: "a terminal that shows what is typed", exit: .system)
    }
    var silent = usual
    // Ctrl-C comes as a byte, so that nobody is left with a terminal that shows nothing.
    silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
    tcsetattr(terminal, TCSAFLUSH, &silent)
    defer { tcsetattr(terminal, TCSAFLUSH, &usual) }
    _ = prompt.withCString { write(terminal, $0, strlen($0)) }
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(terminal, &byte, 1) == 1, byte != 0x0A, line.count < 1024 {
      guard ![0x03, 0x1A, 0x1C].contains(byte) else {
        _ = write(terminal, "\n", 1)
        throw Failure("passphrase", found: "Ctrl-C", expected: "a passphrase", exit: .interrupted)
      }
      line.append(byte)
    }
    _ = write(terminal, "\n", 1)
    guard let text = String(validating: line, as: UTF8.self) else {
      throw Failure("passphrase", found: "bytes that are not text", exit: .usage)
    }
    return text
  }
}

extension ClinicFolder {
  /// The key, ready to sign, once its passphrase is known. That others may read it is said.
  func unlock(asking passphrase: PassphraseOption) throws(Failure) -> ClinicKey {
    if let keyCaution { StandardError.write("auricle: \(keyCaution)\n") }
    return try unlock(with: try passphrase.known(for: "the clinic's key"))
  }
}
