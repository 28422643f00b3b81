import Control
import Glibc

/// The file in which ``ProgramMemory`` lasts: whole or not at all, for its owner's eyes.
struct ProgramFile: Sendable {
  /// Greatest size read, bytes: a hundred times what is ever written.
  private static let limit = 1 << 16

  let path: String

  /// What is remembered.
  ///
  /// A file that cannot be understood is put aside, so that it can be looked at, and the first choice is worn.
  ///
  /// - Returns: The memory, and what is wrong with the file, one sentence without a full stop; nil when all is well.
  func read() -> (memory: ProgramMemory, problem: String?) {
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try FileContent.bytes(of: path, limit: Self.limit)
    } catch {
      guard error.exitStatus == .noInput else { return putAside(because: error.found) }
      return (ProgramMemory(), nil)
    }
    guard let memory = try? JSON.value(ProgramMemory.self, from: bytes) else {
      return putAside(because: "content that cannot be understood")
    }
    return (memory, nil)
  }

  /// - Throws: ``Failure``; the file is then as it was.
  func write(_ memory: ProgramMemory) throws(Failure) {
    guard let bytes = try? JSON.bytes(memory) else {
      throw Failure(path, found: "a number that JSON does not have", exit: .software)
    }
    try AtomicFile.write(bytes + [UInt8(ascii: "\n")], to: path)
  }

  private func putAside(because reason: String) -> (memory: ProgramMemory, problem: String?) {
    let aside = path + ".damaged"
    let kept = rename(path, aside) == 0 ? "; it is kept as \(aside)" : ""
    return (
      ProgramMemory(),
      "program, volume and tone are forgotten: \(path) has \(reason)\(kept)"
    )
  }
}
