import Base
import Control
import Glibc
import Procedures

/// A record on the disk, to which a line is added as soon as something has happened.
///
/// A line is whole or not there: one that was cut off by a kill is taken away when the record is opened again. Answers are on the disk
/// before the next sound.
///
/// - Threads: the procedure's.
final class ProcedureFile {
  let path: String
  private let descriptor: Int32
  private var length: off_t

  /// Longest record read, bytes: a hearing test of both ears has a tenth of it.
  static let greatestSize = 16 << 20

  /// Makes a record of its owner's alone.
  ///
  /// - Throws: ``SystemError``; of a record of that name it is `EEXIST`.
  convenience init(making path: String) throws(SystemError) {
    try self.init(path, flags: O_WRONLY | O_CREAT | O_EXCL, length: 0)
    WholeFile.synchronize(folder: FilePath.folder(of: path))
  }

  /// Opens a record behind its last whole line.
  ///
  /// - Parameter length: Bytes of the whole lines.
  convenience init(continuing path: String, length: Int) throws(SystemError) {
    try self.init(path, flags: O_WRONLY, length: off_t(length))
    guard ftruncate(descriptor, self.length) == 0 else { throw .last }
  }

  private init(_ path: String, flags: Int32, length: off_t) throws(SystemError) {
    descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError(call: "open", code: errno) }
    (self.path, self.length) = (path, length)
  }

  deinit { close(descriptor) }

  /// Adds a line.
  ///
  /// - Parameter isSafe: True: it is on the disk when this returns.
  /// - Throws: ``SystemError``; then nothing was added.
  func add(_ line: ProcedureLine, isSafe: Bool) throws(SystemError) {
    guard let text = try? JSON.bytes(line) else { throw SystemError(call: "write", code: EINVAL) }
    let bytes = text + [UInt8(ascii: "\n")]
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { memory in
        pwrite(descriptor, memory.baseAddress! + written, bytes.count - written, length + off_t(written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let code = count == 0 ? ENOSPC : errno
        ftruncate(descriptor, length)
        throw SystemError(call: "write", code: code)
      }
      written += count
    }
    length += off_t(bytes.count)
    if isSafe, fdatasync(descriptor) != 0 { throw .last }
  }
}

/// Beginning and end of a record, by which it is listed: of a file only the first and the last line are read as JSON.
package struct ProcedureSummary: Sendable {
  package let beginning: ProcedureBeginning
  /// Nil: it was not finished.
  package let result: ProcedureResult?
  /// s since 1970-01-01 UTC; nil: it was not finished.
  package let ended: Double?

  /// - Throws: ``Failure`` of a file that cannot be read, or is no record.
  init(at path: String) throws(Failure) {
    let bytes = try FileContent.bytes(of: path, limit: ProcedureFile.greatestSize)
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    guard let first = lines.first,
      case .begin(let beginning)? = try? JSON.value(ProcedureLine.self, from: Array(first))
    else {
      throw Failure(path, found: "no beginning", expected: "the record of a procedure", exit: .badData)
    }
    self.beginning = beginning
    try beginning.check(named: path)
    // A line that was cut off is no end.
    if bytes.last == UInt8(ascii: "\n"), lines.count > 1, let last = lines.last,
      case .end(let result, let at)? = try? JSON.value(ProcedureLine.self, from: Array(last)),
      ProcedureBeginning.times.contains(at)
    {
      (self.result, ended) = (result, at)
    } else {
      (result, ended) = (nil, nil)
    }
  }
}

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
}
