import Base
import Glibc
import Synchronization

/// A line that a person types at the terminal, whatever standard input is.
struct TerminalLine {
  /// For failures: `passphrase`.
  let subject: String
  /// Advice where there is no terminal; nil: there is no other way.
  let remedy: String?

  init(of subject: String, remedy: String? = nil) { (self.subject, self.remedy) = (subject, remedy) }

  /// Asks.
  ///
  /// - Parameter isShown: False: without echo (termios(3)), by default.
  /// - Throws: ``Failure``: ``ExitStatus/usage`` where there is no terminal, or nothing was typed.
  func ask(_ prompt: String, isShown: Bool = false) throws(Failure) -> String {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else {
      throw Failure(
        subject, inWords: "There is no terminal to ask on", remedy: remedy, exit: .usage)
    }
    defer { close(terminal) }
    guard terminal < HeldSignals.descriptorLimit else {
      throw Failure(
        subject, found: "\(terminal) open files",
        expected: "fewer than \(HeldSignals.descriptorLimit)",
        remedy: remedy, exit: .system)
    }
    var usual = termios()
    guard tcgetattr(terminal, &usual) == 0 else {
      throw Failure(subject, inWords: "The terminal cannot hide what is typed", exit: .system)
    }
    var silent = usual
    if !isShown { silent.c_lflag &= ~tcflag_t(ECHO) }
    // A signal waits until the terminal shows again what is typed, and then ends or stops the process.
    var signals = HeldSignals()
    defer { signals.end() }
    var line: [UInt8]?
    repeat {
      tcsetattr(terminal, TCSAFLUSH, &silent)
      _ = prompt.withCString { write(terminal, $0, strlen($0)) }
      line = Self.line(from: terminal, signals)
      tcsetattr(terminal, TCSAFLUSH, &usual)
      if !isShown { _ = write(terminal, "\n", 1) }
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
  /// Their actions before. A signal that was ignored, such as by nohup(1), is not among them and stays so.
  private var former: [(number: Int32, action: sigaction)] = []

  init() {
    var held = sigset_t()
    sigemptyset(&held)
    for number in Self.numbers { sigaddset(&held, number) }
    pthread_sigmask(SIG_BLOCK, &held, &usual)
    catchAll()
  }

  /// Restores the actions of signals; one that came meanwhile acts now.
  func end() {
    restore()
    var usual = usual
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

  /// Lets the held signal act by default, whatever its action was before: the process ends, or stops until it is continued.
  mutating func deliver() {
    let number = Self.held.exchange(0, ordering: .relaxed)
    guard number != 0 else { return }
    end()
    signal(number, SIG_DFL)
    raise(number)
    restore()
    self = HeldSignals()
  }

  private mutating func catchAll() {
    for number in Self.numbers {
      var action = sigaction()
      sigaction(number, nil, &action)
      guard !action.isIgnoring else { continue }
      former.append((number, action))
      action = sigaction()
      action.__sigaction_handler.sa_handler = { HeldSignals.held.store($0, ordering: .relaxed) }
      sigaction(number, &action, nil)
    }
  }

  private func restore() {
    for (number, action) in former {
      var action = action
      sigaction(number, &action, nil)
    }
  }
}

extension sigaction {
  /// True of a signal that is ignored, such as by nohup(1).
  var isIgnoring: Bool {
    unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
