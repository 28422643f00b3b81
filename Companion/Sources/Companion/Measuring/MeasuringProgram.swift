import Base
import Studies

/// The aid's own program, or a stand-in: it plays, under the aid's limits, and is answered at the terminal.
public protocol MeasuringProgram: Sendable {
  /// Runs a command to its end.
  ///
  /// - Parameter arguments: Behind the program's name.
  /// - Throws: ``Failure`` where it cannot be started.
  func run(_ arguments: [String]) throws(Failure) -> ProgramEnd
}

/// End of a command with everything that it wrote to its standard streams.
public struct ProgramEnd: Sendable, Hashable {
  /// Exit status; nil: a signal ended it.
  public let status: Int?
  public let output: [UInt8]

  public init(status: Int?, output: [UInt8]) { (self.status, self.output) = (status, output) }

  /// The last line that is an object of JSON, and its text; nil where there is none.
  public var report: (json: JSONValue, text: String)? {
    for line in output.split(separator: UInt8(ascii: "\n")).reversed()
    where line.first == UInt8(ascii: "{") {
      if let json = try? JSONValue(Array(line)) { return (json, String(decoding: line, as: UTF8.self)) }
    }
    return nil
  }

  /// Kind of the reason why there is no result: subject of the first failure and exit status, without words.
  var kind: String {
    let first: JSONValue? =
      if case .array(let errors)? = report?.json["errors"]?.content { errors.first } else { nil }
    let subject = first?.text("subject") ?? first?.text("message").flatMap(AbsenceReason.subject(of:))
    return AbsenceReason.failed(subject, status: status ?? -1)
  }

  /// Reason why there is no result, for the person alone: the failures that the report tells, or the last line.
  public var reason: String {
    if let report, case .array(let errors)? = report.json["errors"]?.content {
      let words = errors.compactMap { error -> String? in
        if case .text(let text)? = error["message"]?.content { text } else { nil }
      }
      if !words.isEmpty { return words.joined(separator: " ") }
    }
    let last = output.split(separator: UInt8(ascii: "\n")).last.map { String(decoding: $0, as: UTF8.self) }
    return last
      ?? (status.map { "the aid's program ended with \($0)" } ?? "a signal ended the aid's program")
  }
}
