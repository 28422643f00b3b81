import Base
import CFFTW
import Glibc
import Synchronization

/// FFTW's planner, which is one per process and not thread-safe.
///
/// - Threads: `control`. Planning measures for some 0.1 s without wisdom and takes about 1 ms with it; it
///   overwrites the buffers it is given.
public enum FFTPlanning {
  private static let planner = Mutex(())

  /// Result of reading kept wisdom.
  public enum Recall: Sendable, Equatable {
    case recalled
    /// No readable file, or one of another version of FFTW or of an earlier form.
    case nothing
    /// The file's checksum is wrong. FFTW was not given its text.
    case damaged
  }

  /// Runs `body` while no other thread plans.
  static func exclusively(_ body: () -> Void) { planner.withLock { _ in body() } }

  /// Reads wisdom that an earlier run kept. FFTW ends the process on some damaged texts, so it is given a
  /// text with a right checksum or none.
  ///
  /// - Parameter path: File written by ``keepWisdom(at:)``.
  /// - Returns: Outcome; any but ``Recall/recalled`` costs planning time alone.
  @discardableResult public static func recallWisdom(from path: String) -> Recall {
    guard let file = WisdomFile.bytes(of: path) else { return .nothing }
    switch WisdomFile.content(of: file, version: version) {
    case .foreign: return .nothing
    case .damaged: return .damaged
    case .whole(let text):
      var isUnderstood = false
      let terminated = text.map(CChar.init(bitPattern:)) + [0]
      exclusively { isUnderstood = unsafe fftwf_import_wisdom_from_string(terminated) != 0 }
      return isUnderstood ? .recalled : .nothing
    }
  }

  /// Writes the planner's wisdom to a file, whole or not at all, unless the file holds it already.
  ///
  /// - Returns: False when the file cannot be written; the next start then plans anew.
  @discardableResult public static func keepWisdom(at path: String) -> Bool {
    guard let learnt = wisdom() else { return false }
    if let file = WisdomFile.bytes(of: path),
      case .whole(let kept) = WisdomFile.content(of: file, version: version),
      lines(of: kept) == lines(of: learnt)
    {
      return true
    }
    do throws(SystemError) {
      let draft = try FileDraft(of: path, mode: 0o600)
      try draft.write(WisdomFile.file(learnt, version: version))
      try draft.publish()
      return true
    } catch { return false }
  }

  /// FFTW's version and the instruction sets that it was built for.
  private static let version = unsafe String(cString: cfftw_version())

  /// The planner's wisdom; nil without memory for it.
  private static func wisdom() -> [UInt8]? {
    var wisdom: [UInt8]?
    exclusively {
      guard let text = unsafe fftwf_export_wisdom_to_string() else { return }
      wisdom = unsafe Array(String(cString: text).utf8)
      unsafe free(text)
    }
    return wisdom
  }

  /// Lines of wisdom as a set: FFTW writes them in the order of a hash table.
  private static func lines(of wisdom: [UInt8]) -> Set<ArraySlice<UInt8>> {
    Set(wisdom.split(separator: UInt8(ascii: "\n")))
  }
}
