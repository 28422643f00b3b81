import Base
import Glibc
import Procedures

/// The record of the procedure under way.
///
/// - Threads: the procedure's.
final class ProcedureWriter {
  let identifier: String
  private let file: ProcedureFile

  init(_ file: ProcedureFile, identifier: String) { (self.file, self.identifier) = (file, identifier) }

  /// - Parameter isSafe: True: it is on the disk when this returns.
  /// - Throws: ``ProcedureFault/record(_:)``: what cannot be kept does not go on.
  func add(_ line: ProcedureLine, isSafe: Bool) throws(ProcedureFault) {
    do throws(SystemError) { try file.add(line, isSafe: isSafe) } catch {
      guard error.code == ESTALE else { throw .record(.writing(file.path, error)) }
      throw .record(
        Failure(
          file.path, found: "that somebody has moved, removed or changed it meanwhile",
          expected: "the record as it was written", remedy: "Begin anew.", exit: .inputOutput))
    }
  }
}
