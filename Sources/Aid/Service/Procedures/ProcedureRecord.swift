import Base
import Control
import Procedures

/// A record that was read.
package struct ProcedureRecord: Sendable {
  package let beginning: ProcedureBeginning
  /// All lines after the first.
  package let lines: [ProcedureLine]
  /// Bytes up to the end of the last whole line.
  let length: Int

  /// - Throws: ``Failure`` of a file that cannot be read, or is no record.
  init(at path: String) throws(Failure) {
    let bytes = try FileContent.bytes(of: path, limit: ProcedureFile.greatestSize)
    try self.init(bytes, named: path)
  }

  /// - Parameter name: For messages.
  init(_ bytes: [UInt8], named name: String) throws(Failure) {
    var rest = bytes[...]
    var all: [ProcedureLine] = []
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let number = all.count + 1
      do { all.append(try JSON.value(ProcedureLine.self, from: Array(rest[..<end]))) } catch {
        throw Failure(
          "\(name):\(number)", found: "a line that is no part of a record",
          expected: "a record as it was written",
          exit: .badData)
      }
      rest = rest[(end + 1)...]
    }
    guard case .begin(let beginning)? = all.first else {
      throw Failure(name, found: "no beginning", expected: "the record of a procedure", exit: .badData)
    }
    try beginning.check(named: name)
    for case .end(_, let at) in all where !ProcedureBeginning.times.contains(at) {
      throw Failure(
        name, found: "an end at no time", expected: "a record as it was written", exit: .badData)
    }
    (self.beginning, lines, length) = (beginning, Array(all.dropFirst()), bytes.count - rest.count)
  }

  /// Answers that count.
  package var answers: [ProcedureAnswer] {
    var answers: [ProcedureAnswer] = []
    for line in lines {
      switch line {
      case .answer(_, let answer, _): answers.append(answer)
      case .restarted: answers = []
      case .begin, .presented, .key, .room, .bands, .interrupted, .resumed, .end: break
      }
    }
    return answers
  }

  /// Nil: it was not finished.
  package var result: ProcedureResult? {
    lines.lazy.compactMap { if case .end(let result, _) = $0 { result } else { nil } }.first
  }

  /// Its end, s since 1970-01-01 UTC; nil: it was not finished.
  package var ended: Double? {
    lines.lazy.compactMap { if case .end(_, let at) = $0 { at } else { nil } }.first
  }

  /// The procedure as it was left.
  ///
  /// - Throws: ``Failure`` of answers that do not belong to the plan.
  package func procedure() throws(Failure) -> any Procedure {
    guard let procedure = beginning.plan.resume(seed: beginning.seed, answers) else {
      throw Failure(
        beginning.identifier, found: "answers that do not belong to its plan",
        expected: "a record as it was written", exit: .badData)
    }
    return procedure
  }

  /// Refuses to go on with sounds that are others than this program makes of the answers before them: what was heard would count for levels
  /// that never sounded.
  ///
  /// - Throws: ``Failure``.
  func checkSounds() throws(Failure) {
    var procedure = beginning.plan.begin(seed: beginning.seed)
    for line in lines {
      switch line {
      case .presented(let sound):
        if let step = procedure.nextStep, sound.isAsked(by: step) { continue }
        throw Failure(
          beginning.identifier, found: "another sound at step \(sound.step) than its answers lead to",
          expected: "those of the version of the program by which it was begun",
          remedy: "Begin anew.", exit: .unavailable)
      case .answer(_, let answer, _): _ = procedure.take(answer)
      case .restarted: procedure = beginning.plan.begin(seed: beginning.seed)
      case .begin, .key, .room, .bands, .interrupted, .resumed, .end: break
      }
    }
  }
}
