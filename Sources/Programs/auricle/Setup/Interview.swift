import Base
import Glibc

/// Questions to a person, and their answers.
protocol Interview {
  /// Says something, in lines that a screen reader reads in their order.
  func say(_ text: String)
  /// Asks, and waits for a line.
  ///
  /// - Returns: The line without blanks at its ends.
  /// - Throws: ``Failure`` when the input has ended.
  func ask(_ question: String) throws(Failure) -> String
  /// True when a line waits to be read: a person has pressed Enter.
  func hasAnswer() -> Bool
}

extension Interview {
  /// Asks until one of some words, or its first letter, is the answer.
  ///
  /// - Parameter usual: Meaning of Enter alone; nil: a word is needed.
  func choose(_ question: String, _ words: [String], usual: String? = nil) throws(Failure) -> String {
    while true {
      let answer = try ask(question).lowercased()
      if answer.isEmpty, let usual { return usual }
      if words.contains(answer) { return answer }
      let matches = words.filter { answer.count == 1 && $0.hasPrefix(answer) }
      if matches.count == 1 { return matches[0] }
      say("Found \"\(answer)\", expected \(English.list(words, "or")).")
    }
  }

  /// Asks for yes or no.
  func confirms(_ question: String, usual: Bool? = nil) throws(Failure) -> Bool {
    let hint =
      switch usual {
      case true: "[Y/n]"
      case false: "[y/N]"
      case nil: "[y/n]"
      }
    return try choose("\(question) \(hint)", ["yes", "no"], usual: usual.map { $0 ? "yes" : "no" }) == "yes"
  }
}

/// A person at a terminal, line by line: nothing moves on the screen, and each question is the last line.
struct TerminalInterview: Interview {
  func say(_ text: String) {
    print(Self.shown(text))
    fflush(nil)
  }

  /// A text as the terminal shows it.
  static func shown(_ text: String) -> String {
    // Names of devices are their makers'.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { LogLine.printable($0) }
    return English.wrapped(lines.joined(separator: "\n"), to: TextColumns.width)
  }

  func ask(_ question: String) throws(Failure) -> String {
    print(Self.shown(question), terminator: question.isEmpty ? "" : " ")
    fflush(nil)
    guard waitForLine(), let line = readLine() else {
      throw Failure(
        "setup", inWords: "It was left before the end", remedy: "Go on where it was left: auricle setup",
        exit: Interruption.hasCome ? Interruption.exitStatus : .no)
    }
    return String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  func hasAnswer() -> Bool { Interruption.hasCome || isReadable(within: 0) }

  /// Waits for a line that is typed, or for a signal where ``Interruption`` watches for one.
  ///
  /// - Returns: False when a signal came first.
  private func waitForLine() -> Bool {
    // Of a pipe several lines are read at once, and the next one may have been read already.
    guard isatty(STDIN_FILENO) == 1 else { return true }
    while !Interruption.hasCome {
      if isReadable(within: Self.look) { return true }
    }
    return false
  }

  /// Time between two looks for a signal, ms: one that comes before poll(2) begins waits for it.
  private static let look: Int32 = 200

  private func isReadable(within time: Int32) -> Bool {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, time) > 0
  }
}
