import ArgumentParser
import Base
import Control
import Glibc
import Service

/// `auricle debug`: settings changed for a while, stages left out, both settings compared.
struct Debug: Verb {
  static let configuration = CommandConfiguration(
    commandName: "debug",
    abstract: "Change settings for a while, leave stages out, and compare with the prescription.",
    discussion: """
      For audiologist and developer, by --as or an open pass. Nothing that is changed is kept, and nothing makes the aid louder than the \
      prescription's output limits, the configured one, the caution without calibration and the limit below feedback \
      allow. Debug mode ends with this command, at the end of --for, by auricle debug --end, by stop, mute and reload, at a \
      fault and when the prescription changes; auricle status and auricle spectrum show it.
      Lines are typed, or read from a file:

      \(DebugLine.all)

      EXAMPLE: printf 'stage noise-reduction off\\nwait 5s\\ncompare\\nwait 5s\\n' | auricle debug --run -
      """)

  @Option(
    name: .customLong("for"),
    help: .init("Longest time of debug mode, such as 20m or 90s; 10m unless given.", valueName: "time"))
  var time: String?

  @Option(
    help: .file("Carry out the lines of a file, - for standard input; the first that fails ends it."),
    completion: .file())
  var run: String?

  @Flag(help: "End the debug mode that another process began.") var end = false

  @OptionGroup var options: ClientOptions

  func validate() throws {
    if end, time != nil || run != nil { throw ValidationError("--end excludes --for and --run.") }
  }

  func answer() throws -> ExitStatus {
    let seconds = try seconds()
    let client = try options.socket.client()
    if end { return try tell(try client.ask(DebugMethods.End())) }
    var lines = try DebugInput(run)
    try takeRole(on: client)
    try tell(try client.ask(DebugMethods.Begin(seconds: seconds)))
    if lines.isTyped, !isForPrograms { print("Lines are: \n\(DebugLine.all)") }
    while let line = try lines.next() {
      do throws(Failure) {
        guard let line = try DebugLine(line) else { continue }
        guard let answer = try carryOut(line, by: client) else { break }
        try tell(answer)
      } catch {
        // A person types the next line; a daemon that has gone does not come back to this connection.
        guard lines.isTyped, error.exitStatus != .unavailable else { throw error }
        StandardError.write("\(error.message)\n")
      }
    }
    return try tell(try client.ask(DebugMethods.End()))
  }

  /// Takes the developer's role while a clinic's pass is open, unless `--as` has proved one.
  private func takeRole(on client: ControlClient) throws(Failure) {
    guard options.socket.role == nil else { return }
    let status = try client.ask(ReportMethods.Status())
    guard status.prescription?.developerModeUntilUnixSeconds != nil else { return }
    try client.ask(RoleMethods.Begin(.developer))
  }

  /// - Returns: Nil at the end.
  private func carryOut(_ line: DebugLine, by client: ControlClient) throws(Failure) -> DebugAnswer? {
    switch line {
    case .set(let method): return try client.ask(method)
    case .stage(let method): return try client.ask(method)
    case .compare(let method): return try client.ask(method)
    case .show: return try client.ask(DebugMethods.Show())
    case .wait(let time):
      usleep(UInt32(time * 1_000_000))
      return try client.ask(DebugMethods.Show())
    case .help:
      StandardError.write(DebugLine.all + "\n")
      return try client.ask(DebugMethods.Show())
    case .end: return nil
    }
  }

  /// Prints an answer at once, for a program one a line.
  @discardableResult private func tell(_ answer: DebugAnswer) throws(Failure) -> ExitStatus {
    print(isForPrograms ? try Versioned(report: answer).line() : text(answer), terminator: "")
    fflush(nil)
    return .done
  }

  private func text(_ answer: DebugAnswer) -> String {
    answer.message + "\n" + (answer.debug.map { "  heard \($0.heardWords)\n" } ?? "")
  }

  private func seconds() throws(Failure) -> Double? {
    guard let time else { return nil }
    // 20m: minutes are no unit of the configuration.
    let minutes = time.hasSuffix("m") ? NumberText.value(of: time.dropLast()) : nil
    let range = DebugMethods.times
    guard let value = minutes.map({ $0 * 60 }) ?? Quantity.time.value(of: time), range.contains(value)
    else {
      throw Failure("--for", found: time, expected: "1 s to 60 min, such as 90s or 20m", exit: .usage)
    }
    return value
  }
}

/// Lines that are typed or read from a file.
struct DebugInput {
  /// True where a person types them.
  let isTyped: Bool
  private var lines: ArraySlice<String>?

  /// - Parameter path: Nil: standard input, which is a terminal; `-`: standard input.
  init(_ path: String?) throws(Failure) {
    isTyped = path == nil
    switch path {
    case nil:
      guard isatty(STDIN_FILENO) == 1 else {
        throw Failure(
          "auricle debug", inWords: "There is no terminal to type on",
          remedy: "Read lines from standard input with: auricle debug --run -", exit: .usage)
      }
    case "-": break
    case .some(let path):
      let text = String(decoding: try FileContent.bytes(of: path, limit: 1 << 20), as: UTF8.self)
      // "\r\n" is one character.
      lines = text.split(whereSeparator: \.isNewline).map(String.init)[...]
    }
  }

  mutating func next() throws(Failure) -> String? {
    if lines != nil { return lines?.popFirst() }
    if isTyped {
      StandardError.write("debug> ")
    }
    return readLine()
  }
}
