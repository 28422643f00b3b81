import Acoustics
import Base
import Control
import Glibc
import Procedures
import Service

/// A procedure as a person at a terminal carries it out: what the daemon tells is shown, keys are handed on.
///
/// The terminal is the one that controls the process, whatever standard input and output are: a result can go to a file or a pipe.
struct ProcedureDialogue {
  private let client: ControlClient
  private var screen: ProcedureScreen
  private var last: ProcedureNotice?
  /// A key was refused. Where the procedure had just ended its last news are here already, and tell how.
  private var refused: Failure?
  /// Digits of a rating that is being typed.
  private var typed = ""

  /// Time between two looks at keys and news, s: a key is handed on within it.
  private static let interval = 0.01
  /// Longest that the last news of a procedure that was ended are waited for, s: they come once its sound has faded. Own choice.
  private static let longestEnd = 1.0

  init(_ client: ControlClient, title: String) {
    self.client = client
    screen = ProcedureScreen(title: title)
  }

  /// Begins, and stays until there is a result.
  ///
  /// - Returns: The last news, with the result.
  /// - Throws: ``Failure``: of the daemon; and that it was ended, with the way to go on.
  mutating func carryOut(_ start: ProcedureMethods.Start) throws(Failure) -> ProcedureNotice {
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(
        "terminal", found: "none", expected: "one with keys",
        remedy:
          "Without one a program runs a procedure over the control socket by procedure.start: see auricle-protocol(7).",
        exit: .usage)
    }
    defer { close(descriptor) }
    // In the background it would be stopped when it takes the terminal, and what it had begun play on to nobody.
    guard tcgetpgrp(descriptor) == getpgrp() else {
      throw Failure(
        "terminal", found: "that this command runs in the background, where no key reaches it",
        remedy: "Begin it in the foreground: without & behind it, or behind a script that it stands in.",
        exit: .usage)
    }
    signal(SIGPIPE, SIG_IGN)
    Interruption.watch()
    let terminal = RawTerminal(input: descriptor, output: descriptor)
    defer { terminal.restore() }
    try client.ask(start)
    var heardOf = SystemTime.monotonic
    while true {
      let news = try next()
      if let news, news.topic == ProcedureNotice.topic {
        heardOf = SystemTime.monotonic
        if let notice = try? JSON.value(ProcedureNotice.self, from: news.content) {
          if let end = try take(notice, on: terminal) { return end }
        }
      } else if news == nil, let refused {
        throw withWay(refused)
      } else if SystemTime.monotonic - heardOf > client.timeout {
        // Fails for a daemon that hangs.
        try client.ask(ReportMethods.Status())
        heardOf = SystemTime.monotonic
      }
      var isLeft = Interruption.hasCome
      while !isLeft, refused == nil, let key = terminal.key() { isLeft = try press(key, on: terminal) }
      if isLeft { return try end() }
    }
  }

  /// The next news, if any. A daemon that is gone has kept what was answered.
  private func next() throws(Failure) -> ControlNotification? {
    do throws(Failure) { return try client.nextNotification(timeout: Self.interval) } catch {
      throw withWay(error)
    }
  }

  /// - Returns: The notice, where it is the last one.
  private mutating func take(
    _ notice: ProcedureNotice, on terminal: RawTerminal
  ) throws(Failure) -> ProcedureNotice? {
    if notice.question != last?.question { typed = "" }
    last = notice
    screen.begin(at: notice.share)
    switch notice.phase {
    case .finished: return notice
    case .broken:
      guard let error = notice.error else { throw left("ended") }
      throw withWay(error)
    case .waitingForQuiet, .sounding, .asking, .paused: draw(notice, on: terminal)
    }
    return nil
  }

  private func draw(_ notice: ProcedureNotice, on terminal: RawTerminal) {
    terminal.draw(screen.drawing(notice, typed: typed, size: terminal.size))
  }

  /// - Returns: True where the key ends the procedure.
  private mutating func press(_ key: UInt8, on terminal: RawTerminal) throws(Failure) -> Bool {
    if key == UInt8(ascii: "q") || key == Self.controlC { return true }
    if let last { try answer(key, last, on: terminal) }
    return false
  }

  /// Hands a key on.
  private mutating func answer(
    _ key: UInt8, _ notice: ProcedureNotice, on terminal: RawTerminal
  ) throws(Failure) {
    switch key {
    case UInt8(ascii: "p"): try send(notice.phase == .paused ? .resume : .pause)
    case _ where notice.phase == .paused: try send(.resume)
    case _ where notice.question == .rating || notice.question == .likeness:
      try type(key, notice)
      draw(notice, on: terminal)
    default:
      guard let (name, value) = Self.key(key, notice.question) else {
        screen.say(ProcedureScreen.keys(notice))
        return draw(notice, on: terminal)
      }
      try send(name, value)
    }
  }

  private static let controlC: UInt8 = 3

  /// Meaning of a key to a question.
  private static func key(
    _ key: UInt8, _ question: ProcedureStep.Question?
  ) -> (ProcedureKey.Name, Double?)? {
    switch (question, key) {
    case (.detection, UInt8(ascii: " ")): (.heard, nil)
    case (.adjustment, RawTerminal.up), (.adjustment, UInt8(ascii: "+")): (.turn, 1)
    case (.adjustment, RawTerminal.down), (.adjustment, UInt8(ascii: "-")): (.turn, -1)
    case (.adjustment, RawTerminal.pageUp), (.adjustment, UInt8(ascii: "*")): (.turn, 5)
    case (.adjustment, RawTerminal.pageDown), (.adjustment, UInt8(ascii: "/")): (.turn, -5)
    case (.adjustment, UInt8(ascii: "\n")), (.adjustment, UInt8(ascii: "\r")): (.accept, nil)
    case (.comparison, UInt8(ascii: "1")): (.first, nil)
    case (.comparison, UInt8(ascii: "2")): (.second, nil)
    case (.comparison, UInt8(ascii: " ")), (.balance, UInt8(ascii: " ")): (.again, nil)
    case (.balance, UInt8(ascii: "s")), (.balance, RawTerminal.down): (.softer, nil)
    case (.balance, UInt8(ascii: "l")), (.balance, RawTerminal.up): (.louder, nil)
    case (.balance, UInt8(ascii: "\n")), (.balance, UInt8(ascii: "\r")): (.equal, nil)
    case (.presence, UInt8(ascii: "y")): (.present, nil)
    case (.presence, UInt8(ascii: "n")): (.absent, nil)
    default: nil
    }
  }

  /// Takes a digit of a rating, or the end of the number.
  private mutating func type(_ key: UInt8, _ notice: ProcedureNotice) throws(Failure) {
    switch key {
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      if typed.count < 3 { typed.append(Character(UnicodeScalar(key))) }
    case UInt8(ascii: " ") where notice.question == .likeness: try send(.again)
    case 8, 127: typed = String(typed.dropLast())
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      let most = notice.question == .likeness ? 100.0 : 200
      guard let value = Double(typed), (0...most).contains(value) else {
        screen.say("Found \(typed.isEmpty ? "nothing" : typed); expected 0 to \(most.shortText).")
        typed = ""
        return
      }
      typed = ""
      try send(.rate, value)
    default: screen.say(ProcedureScreen.keys(notice))
    }
  }

  private mutating func send(_ name: ProcedureKey.Name, _ value: Double? = nil) throws(Failure) {
    do throws(Failure) { try client.ask(ProcedureMethods.Answer(name, value)) } catch { refused = error }
  }

  /// Ends it; what was answered is kept. One that had just ended by itself has its result on the way, which a late key does not lose.
  ///
  /// - Returns: The last news, with the result.
  /// - Throws: ``Failure``, with the way to go on, where there is no result.
  private func end() throws(Failure) -> ProcedureNotice {
    try client.ask(ProcedureMethods.Stop())
    let due = SystemTime.monotonic + Self.longestEnd
    repeat {
      guard let news = try next(), news.topic == ProcedureNotice.topic,
        let notice = try? JSON.value(ProcedureNotice.self, from: news.content)
      else { continue }
      if notice.phase == .finished { return notice }
      if notice.phase == .broken { break }
    } while SystemTime.monotonic < due
    throw left("ended before there was a result")
  }

  private func left(_ words: String) -> Failure {
    Failure(
      "procedure", saying: words, remedy: way,
      exit: Interruption.hasCome ? Interruption.exitStatus : .interrupted)
  }

  /// The same failure, with the way to go on.
  private func withWay(_ failure: Failure) -> Failure {
    guard let way else { return failure }
    return failure.withRemedy(failure.remedy, way)
  }

  /// Nil where there is no record yet.
  private var way: String? {
    guard let record = last?.record, !record.isEmpty else { return nil }
    return "What was answered is kept; go on with: --resume \(record)"
  }
}
