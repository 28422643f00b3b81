import Glibc

/// Rights of a file or folder on which a secret or somebody's hearing depends.
///
/// Root counts as everybody's own: who is root can do anything anyway.
package struct FileTrust: Sendable, Equatable {
  let path: String
  package let owner: uid_t
  package let mode: mode_t

  /// Refuses what others may change or put in its place.
  ///
  /// - Throws: ``Failure`` (``ExitStatus/noPermission``) when another user owns it, or group or others may
  ///   write.
  package func refuseChangeable() throws(Failure) {
    guard owner == geteuid() || owner == 0 else {
      throw Failure(
        path, inWords: "It belongs to user \(owner), not to user \(geteuid())",
        remedy: "Find out who put it there, and run this as the user whom it belongs to\(ownersCommand)",
        exit: .noPermission)
    }
    guard mode & 0o022 == 0 else {
      throw Failure(
        path, inWords: "Others may change it (\(modeText)), which only its owner should",
        remedy: "Find out whether somebody did, then: chmod \(privateMode) \(path)", exit: .noPermission)
    }
  }

  /// A caution, a whole sentence, about what others may read; nil when they may not.
  package func cautionOfReaders(_ what: String) -> String? {
    guard mode & 0o077 != 0 else { return nil }
    return
      "\(path): others may use \(what) (\(modeText)). Keep it to yourself: chmod \(privateMode) \(path)"
  }

  /// `: sudo -u auricle auricle …`, this program as the owner runs it; a full stop where it does not lie in the owner's home.
  private var ownersCommand: String {
    guard let account = Accounts.user(owner), path == account.home || path.hasPrefix(account.home + "/")
    else { return "." }
    return ": sudo -u \(account.name) \(FilePath.name(of: CommandLine.arguments.first ?? "")) …"
  }

  private var modeText: String { "mode \(String(mode & 0o7777, radix: 8))" }

  private var privateMode: String { mode & S_IFMT == S_IFDIR ? "700" : "600" }
}

extension FileTrust {
  /// Rights of what is at a path now; nil when nothing is there or it cannot be looked at. A link is
  /// followed.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(path: path, owner: status.st_uid, mode: status.st_mode)
  }
}
