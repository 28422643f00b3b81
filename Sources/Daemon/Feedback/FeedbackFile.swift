public import Control
import Glibc

/// The file in which measured feedback paths last: whole or not at all, for its owner's eyes.
public struct FeedbackFile: Sendable {
  /// Greatest size read, bytes: ten times what is ever written.
  private static let limit = 1 << 19

  private let folder: String
  public let path: String

  /// - Parameter folder: The state folder; made when something is kept.
  public init(folder: String) {
    self.folder = folder
    path = folder + "/feedback.json"
  }

  /// What is kept.
  ///
  /// A file that cannot be understood is put aside, so that it can be looked at.
  ///
  /// - Returns: The paths, and what is wrong with the file, one sentence; nil when all is well.
  public func read() -> (record: FeedbackRecord, problem: String?) {
    do throws(FeedbackFileFault) {
      return (try content() ?? FeedbackRecord(), nil)
    } catch {
      return (FeedbackRecord(), error.isDamage ? putAside(because: error) : error.unlimited)
    }
  }

  /// What is kept; nil: there is no file. The file stays as it is, whatever it holds.
  func content() throws(FeedbackFileFault) -> FeedbackRecord? {
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try FileContent.bytes(of: path, limit: Self.limit)
    } catch {
      switch error.exitStatus {
      case .noInput: return nil
      case .noPermission: throw .unreadable(path)
      default: throw .damaged(path, because: error.found)
      }
    }
    guard let record = try? JSON.value(FeedbackRecord.self, from: bytes),
      record.schema / 100 == FeedbackRecord.schema / 100,
      [record.left, record.right].compactMap(\.self).allSatisfy(\.isSound)
    else { throw .damaged(path, because: "content that cannot be understood") }
    return record
  }

  /// - Throws: ``Failure``; the file is then as it was.
  public func write(_ record: FeedbackRecord) throws(Failure) {
    guard let bytes = try? JSON.bytes(record) else {
      throw Failure(path, found: "a number that JSON does not have", exit: .software)
    }
    if let problem = StateFolder.prepare(folder).problem {
      throw Failure("state folder", saying: problem, exit: .cannotCreate)
    }
    try AtomicFile.write(bytes + [UInt8(ascii: "\n")], to: path)
  }

  /// Forgets all; a file that is not there is none.
  ///
  /// - Throws: ``Failure`` when it cannot be removed.
  public func clear() throws(Failure) {
    guard unlink(path) != 0, errno != ENOENT else { return }
    throw Failure(
      path, found: "that it cannot be removed: \(Failure.words(for: errno))", exit: .noPermission)
  }

  /// A gain that was limited is limited no more: that is said until somebody measures again.
  private func putAside(because fault: FeedbackFileFault) -> String {
    let aside = path + ".damaged"
    let kept = rename(path, aside) == 0 ? "; it is kept as \(aside)" : ""
    return "What was measured of feedback is lost: \(fault.words)\(kept). Gain is not limited by it; "
      + "measure again: auricle fit feedback"
  }
}
