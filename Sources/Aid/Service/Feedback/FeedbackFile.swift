import Base
import Control
import Glibc

/// The file in which measured feedback paths last: whole or not at all, for its owner's eyes.
package struct FeedbackFile: Sendable {
  private let file: StateFile<FeedbackRecord>

  /// Path of the file.
  package var path: String { file.path }

  /// - Parameter folder: The state folder; made when something is kept.
  package init(folder: String) { file = StateFile(folder + "/feedback.json", limit: 1 << 19) }

  /// Reads what is kept.
  ///
  /// A file that cannot be understood is put aside, so that it can be looked at.
  ///
  /// - Returns: The paths, and what is wrong with the file, one sentence; nil when all is well.
  package func read() -> (record: FeedbackRecord, problem: String?) {
    do throws(FeedbackFileFault) {
      return (try content() ?? FeedbackRecord(), nil)
    } catch { return (FeedbackRecord(), error.isDamage ? putAside(because: error) : error.unlimited) }
  }

  /// The measurements kept, as far as this user can read them; the file stays as it is, whatever it holds.
  package var measured: FeedbackRecord { ((try? content()) ?? nil) ?? FeedbackRecord() }

  /// Content of the file; nil: there is no file. It stays as it is, whatever it holds.
  func content() throws(FeedbackFileFault) -> FeedbackRecord? {
    let record: FeedbackRecord?
    do throws(Failure) {
      record = try file.read()
    } catch {
      throw error.exitStatus == .noPermission
        ? FeedbackFileFault.unreadable(path) : .damaged(path, because: error.found)
    }
    guard record?.isReadable ?? true else {
      throw .damaged(path, because: "content that cannot be understood")
    }
    return record
  }

  /// - Throws: ``Failure``; the file is then as it was.
  package func write(_ record: FeedbackRecord) throws(Failure) {
    try StateFolder.prepare(for: path)
    try file.write(record)
  }

  /// Forgets all; a file that is not there is none.
  ///
  /// - Throws: ``Failure`` when it cannot be removed.
  package func clear() throws(Failure) {
    guard unlink(path) != 0, errno != ENOENT else { return }
    throw Failure(
      path, found: "that it cannot be removed: \(SystemError.words(for: errno))", exit: .noPermission)
  }

  /// A gain that was limited is no longer limited: that is said until somebody measures again.
  private func putAside(because fault: FeedbackFileFault) -> String {
    "What was measured of feedback is lost: \(fault.words)\(file.putAside()). Gain is not limited by it; "
      + "measure again: auricle fit feedback"
  }
}

/// Why measured feedback paths cannot be taken from their file.
struct FeedbackFileFault: Error, Equatable {
  /// Fault, beginning with the path, without a full stop.
  let words: String
  /// True when the content is at fault, rather than the right to read it.
  let isDamage: Bool

  static func damaged(_ path: String, because reason: String) -> Self {
    Self(words: "\(path) has \(reason)", isDamage: true)
  }

  /// One that this user may not read. Whose it is says what helps.
  static func unreadable(_ path: String) -> Self {
    var status = stat()
    let isOwn = stat(path, &status) == 0 && status.st_uid == geteuid()
    return Self(
      words: "\(path) is " + (isOwn ? "not readable for its owner" : "another user's"), isDamage: false)
  }

  /// For where nothing else is known.
  var unlimited: String {
    "What was measured of feedback cannot be read, so it is not known here: \(words). Gain is not limited by it until "
      + "user \(geteuid()) can read it and the daemon reads it again (auricle reload), or somebody measures again: "
      + "auricle fit feedback"
  }

  /// For where a former measurement is in force.
  var stillLimited: String {
    "What was measured of feedback cannot be read again: \(words). The measurement that was in force goes on limiting "
      + "the gain until the file can be read (auricle reload), or somebody measures again (auricle fit feedback) or "
      + "clears it: auricle fit feedback --clear"
  }
}
