import Base
import Glibc

/// The folder for what is kept between runs, for its owner's eyes only.
package enum StateFolder {
  /// Name of the folder in it in which a backup may lie.
  package static let backups = "backups"

  /// Makes the folder and what is missing above it.
  ///
  /// - Returns: The folder to read from, nil when others could have put there what is in it; and what is
  ///   wrong with it, one sentence without a full stop, nil when all is well. One that cannot be written is
  ///   read all the same: what was turned down stays turned down.
  package static func prepare(_ path: String) -> (folder: String?, problem: String?) {
    let reason = make(path)
    do throws(Failure) { try check(path) } catch { return (nil, error.logMessage) }
    guard let reason else { return (path, nil) }
    return (access(path, R_OK | X_OK) == 0 ? path : nil, reason)
  }

  /// Makes the folder of a file that is about to be written.
  ///
  /// - Throws: ``Failure`` (``ExitStatus/cannotCreate``) where it cannot be made or written, or others could
  ///   replace what is in it.
  package static func prepare(for file: String) throws(Failure) {
    guard let problem = prepare(FilePath.folder(of: file)).problem else { return }
    throw Failure("state folder", saying: problem, exit: .cannotCreate)
  }

  /// - Returns: Why it cannot be written; nil when it can.
  private static func make(_ path: String) -> String? {
    do throws(SystemError) { try Folder.make(path) } catch {
      return "\(path) cannot be made: \(error.words)"
    }
    guard access(path, W_OK | X_OK) == 0 else {
      return "\(path) cannot be written: \(SystemError.words(for: errno))"
    }
    return nil
  }

  /// Refuses a folder in which others could replace what is kept; one that is missing is not refused.
  ///
  /// - Throws: ``Failure`` (``ExitStatus/noPermission``).
  static func check(_ path: String) throws(Failure) { try FileTrust(of: path)?.refuseChangeable() }
}
