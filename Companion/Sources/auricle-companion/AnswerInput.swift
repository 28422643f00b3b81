import Base
import Glibc
import Questionnaires

/// An answer on standard input, where no other user of the machine reads it: the words of a command line
/// are in the list of processes.
enum AnswerInput {
  /// Most bytes: the longest text that a question takes, and room for the line break behind it and for a
  /// text that is refused with the question's own limit (own choice).
  private static let mostBytes = Item.mostBytes + 4096

  /// The text to its end, without the line break there; nil for none, and where a person is at the terminal.
  static func text() throws(Failure) -> String? {
    guard isatty(STDIN_FILENO) == 0 else { return nil }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= mostBytes {
      let count = read(STDIN_FILENO, &chunk, 65_536)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        let reason = String(cString: strerror(errno))
        throw Failure(
          "answer", inWords: "Standard input cannot be read to its end: \(reason)", exit: .inputOutput)
      }
      guard count > 0 else { break }
      bytes += chunk.prefix(count)
    }
    guard bytes.count <= mostBytes else {
      throw Failure(
        "answer", found: "more than \(mostBytes) bytes", expected: "a shorter one", exit: .badData)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure("answer", found: "bytes that are no UTF-8", expected: "a text in UTF-8", exit: .badData)
    }
    guard let last = text.last else { return nil }
    // A line break of two characters is one here.
    let answer = last.isNewline ? String(text.dropLast()) : text
    return answer.isEmpty ? nil : answer
  }
}
