import Base
import Control
import Glibc

/// Way to repair a finding without asking, or the reason for which there is none.
///
/// Repaired is only what belongs to the user who asks, can be done again, and changes nothing of what is heard: no level, no gain,
/// no mute, nothing of the book. Each step looks again before it changes anything: the finding is some seconds old.
package enum Repair: Sendable, Hashable {
  case none(Reason)
  case step(Step)

  /// Reason for which a person has to do it.
  package enum Reason: Sendable, Hashable {
    /// It takes root's rights.
    case administrator
    /// It depends on what the person wants, or on their things.
    case choice
    /// It changes what is heard.
    case hearing
    /// Others could have changed it, so somebody has to look at it first.
    case trust
    /// It belongs to another user.
    case owner(UInt32)
    /// It goes by itself.
    case waiting

    var words: String {
      switch self {
      case .administrator: "an administrator has to do it"
      case .choice: "it is yours to decide"
      case .hearing: "it changes what is heard, which doctor never does"
      case .trust: "others could have changed it, so look at it first"
      case .owner(let user): "it belongs to user \(user)"
      case .waiting: "it goes by itself"
      }
    }
  }

  /// A change that repairs one finding.
  package enum Step: Sendable, Hashable {
    /// The socket and the lock beside it of a daemon that is gone.
    case removeSocket(String)
    /// The lock file of a program that is gone.
    case removeLock(String)
    /// A file that a killed process was writing.
    case removeDraft(String)
    /// Permissions of a file or folder of one's own, less those in excess.
    case tighten(String, excess: UInt32)
    /// A key of a configuration file.
    case set(key: String, value: String, file: String)
  }
}

extension Repair.Step {
  /// Age from which a draft is nobody's any more, s: own choice; a file is written within seconds.
  static let draftAge = 600.0

  /// Carries the change out.
  ///
  /// - Returns: The change in words, without a full stop.
  /// - Throws: ``Failure``; then nothing was changed.
  /// - Threads: control.
  func carryOut() throws(Failure) -> String {
    switch self {
    case .removeSocket(let path):
      if let guardian = DaemonGuardian(ofSocket: path) {
        throw Self.inUse(path, "process \(guardian.processID), which starts the daemon again")
      }
      try ListeningSocket.clear(path)
      return "removed \(path)"
    case .removeLock(let path):
      try SocketLock(path: path) { owner in
        Failure(path, inWords: "A program holds it\(owner)", exit: .temporary)
      }.release()
      return "removed \(path)"
    case .removeDraft(let path):
      let status = try Self.own(path, kind: S_IFREG)
      guard Double(time(nil)) - Double(status.st_mtim.tv_sec) >= Self.draftAge else {
        throw Self.inUse(path, "a process that wrote it just now")
      }
      guard unlink(path) == 0 else { throw Self.refused(path, "remove it") }
      return "removed \(path)"
    case .tighten(let path, let excess): return try Self.tighten(path, excess)
    case .set(let key, let value, let file):
      do throws(ConfigurationFailures) {
        var changed = try ConfigurationFile(ConfigurationSearch(explicit: file))
        // A file of another user would be copied into this one's folder.
        guard changed.path == file else {
          throw ConfigurationFailures(failures: [
            Failure(file, inWords: "User \(geteuid()) may not write there", exit: .noPermission)
          ])
        }
        do throws(Failure) { try changed.set(key, to: value, from: nil, subject: key) } catch {
          throw ConfigurationFailures(failures: [error])
        }
        try changed.save()
      } catch { throw error.joined }
      return "set \(key) = \"\(value)\" in \(file); a running aid follows after: auricle reload"
    }
  }

  /// Takes permissions from what lies at a path itself, not from where a link leads.
  private static func tighten(_ path: String, _ excess: UInt32) throws(Failure) -> String {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw refused(path, "open it") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw refused(path, "look at it") }
    try check(status, path)
    let mode = status.st_mode & 0o777 & ~excess
    // A second name may lie where others are meant to read it.
    guard status.st_mode & S_IFMT == S_IFDIR || status.st_nlink == 1 else {
      throw Failure(
        path, inWords: "It has other names, whose permissions would change too", exit: .noPermission)
    }
    guard fchmod(descriptor, mode) == 0 else { throw refused(path, "change its permissions") }
    return "set mode \(String(mode, radix: 8)) on \(path)"
  }

  /// - Returns: Status of what lies at a path, of a kind, and this user's.
  private static func own(_ path: String, kind: mode_t) throws(Failure) -> stat {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw refused(path, "look at it") }
    guard status.st_mode & S_IFMT == kind else {
      throw Failure(path, inWords: "It is something different now", exit: .temporary)
    }
    try check(status, path)
    return status
  }

  private static func check(_ status: stat, _ path: String) throws(Failure) {
    guard status.st_uid == geteuid() else {
      throw Failure(path, inWords: "It belongs to user \(status.st_uid)", exit: .noPermission)
    }
  }

  private static func inUse(_ path: String, _ who: String) -> Failure {
    Failure(path, inWords: "It is in use by \(who)", exit: .temporary)
  }

  private static func refused(_ path: String, _ what: String) -> Failure {
    Failure(
      path, inWords: "The system refuses to \(what): \(SystemError.words(for: errno))", exit: .noPermission)
  }
}
