import Base
import Glibc
import Synchronization

/// A question to the person at the terminal, whose answer is a secret or not.
struct TerminalQuestion {
  /// Kind of the answer, for messages: `passphrase`.
  let subject: String
  /// Other ways to give it, sentences; nil: none.
  let remedy: String?

  /// Asks on the terminal (termios(3)).
  ///
  /// - Parameter isShown: False: what is typed is not seen.
  func ask(_ prompt: String, isShown: Bool = false) throws(Failure) -> String {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else {
      throw Failure(subject, inWords: "There is no terminal to ask on", remedy: remedy, exit: .usage)
    }
    defer { close(terminal) }
    guard terminal < HeldSignals.descriptorLimit else {
      throw Failure(
        subject, found: "\(terminal) open files", expected: "fewer than \(HeldSignals.descriptorLimit)",
        remedy: remedy, exit: .system)
    }
    var usual = termios()
    guard tcgetattr(terminal, &usual) == 0 else {
      throw Failure(subject, inWords: "The terminal cannot hide what is typed", exit: .system)
    }
    var asking = usual
    if !isShown { asking.c_lflag &= ~tcflag_t(ECHO) }
    // A signal waits until the terminal shows again what is typed, and then does what it always does.
    var signals = HeldSignals()
    defer { signals.end() }
    var line: [UInt8]?
    repeat {
      tcsetattr(terminal, TCSAFLUSH, &asking)
      _ = prompt.withCString { write(terminal, $0, strlen($0)) }
      line = Self.line(from: terminal, signals)
      tcsetattr(terminal, TCSAFLUSH, &usual)
      if !isShown || line == nil { _ = write(terminal, "\n", 1) }
      signals.deliver()
      // After Ctrl-Z and fg the question is asked again.
    } while line == nil
    if let line, !line.isEmpty, let text = String(validating: line, as: UTF8.self) { return text }
    let fault = line?.isEmpty == false ? "This is not UTF-8 text" : "None was typed"
    throw Failure(subject, inWords: fault, exit: .usage)
  }

  /// Bytes up to the end of a line or of the input; nil when a signal came first.
  private static func line(from terminal: Int32, _ signals: HeldSignals) -> [UInt8]? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < 1024 {
      guard signals.wait(for: terminal) else { return nil }
      if read(terminal, &byte, 1) <= 0 || byte == 0x0A { break }
      line.append(byte)
    }
    return line
  }
}

/// Signals of a terminal and of its end, held while the terminal is in a state that must not last.
///
/// They are blocked but for the wait for input, so that none is missed between the question and the wait.
private struct HeldSignals {
  private static let numbers = [SIGINT, SIGQUIT, SIGTSTP, SIGTERM, SIGHUP]
  private static let held = Atomic<Int32>(0)
  /// Descriptors that select(2) waits for are below it.
  static let descriptorLimit: Int32 = 1024

  /// Signals that were blocked before.
  private var usual = sigset_t()

  init() {
    var held = sigset_t()
    sigemptyset(&held)
    for number in Self.numbers { sigaddset(&held, number) }
    pthread_sigmask(SIG_BLOCK, &held, &usual)
    catchAll()
  }

  /// Restores what signals do; one that came meanwhile acts now.
  mutating func end() {
    for number in Self.numbers { signal(number, SIG_DFL) }
    pthread_sigmask(SIG_SETMASK, &usual, nil)
  }

  /// Waits until there is something to read.
  ///
  /// - Parameter descriptor: Below ``descriptorLimit``.
  /// - Returns: False when a signal came first.
  func wait(for descriptor: Int32) -> Bool {
    precondition(0..<Self.descriptorLimit ~= descriptor, "a descriptor beyond a set of them")
    var (awaited, usual) = (fd_set(), usual)
    withUnsafeMutableBytes(of: &awaited) { $0[Int(descriptor) / 8] |= 1 << UInt8(descriptor % 8) }
    return pselect(descriptor + 1, &awaited, nil, nil, nil, &usual) >= 0 || errno != EINTR
  }

  /// Lets the held signal act: the process ends, or stops until it is continued.
  mutating func deliver() {
    let number = Self.held.exchange(0, ordering: .relaxed)
    guard number != 0 else { return }
    end()
    raise(number)
    self = HeldSignals()
  }

  private func catchAll() {
    for number in Self.numbers {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { HeldSignals.held.store($0, ordering: .relaxed) }
      sigaction(number, &action, nil)
    }
  }
}
