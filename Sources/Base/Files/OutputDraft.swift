import Glibc

/// A file that a person named, written whole and not yet under its name: several can be written before the
/// first of them appears.
///
/// A link is kept and its target replaced. What is not an ordinary file, such as a pipe or `/dev/stdout`, is
/// written to when it is published.
///
/// - Threads: control.
package struct OutputDraft: ~Copyable {
  private let draft: FileDraft
  /// Content of what is no ordinary file; nil: it is in the draft.
  private let direct: [UInt8]?
  private let isReplacing: Bool

  /// Writes the bytes to the disk.
  ///
  /// - Parameters:
  ///   - mode: Permissions of a new file, of which the user's umask takes its part.
  ///   - exactly: True: whatever the umask is, such as those of the file that is replaced, whose owner and group stay too, where this
  ///     user may give it to them.
  ///   - isReplacing: False: an ordinary file of that name stays, and ``publish()`` fails with `EEXIST`.
  /// - Throws: ``SystemError``, such as `ENOSPC`; then nothing is left of it.
  package init(
    _ bytes: [UInt8], to path: String, mode: UInt32, exactly: Bool = false,
    replacing isReplacing: Bool = true
  ) throws(SystemError) {
    var status = stat()
    self.isReplacing = isReplacing
    let isThere = stat(path, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      guard status.st_mode & S_IFMT != S_IFDIR else { throw SystemError(code: EISDIR) }
      // A pipe without a reader would keep the program for ever.
      let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw .last }
      _ = fcntl(descriptor, F_SETFL, 0)
      draft = FileDraft(of: path, descriptor: descriptor)
      direct = bytes
    } else {
      let draft = try FileDraft(of: isReplacing ? Self.resolved(path) : path, mode: mode)
      if exactly {
        // First, for a new owner takes bits of the permissions away.
        if isThere, fchown(draft.descriptor, status.st_uid, status.st_gid) != 0 {
          // The group alone may be given by whoever is in it.
          _ = fchown(draft.descriptor, uid_t.max, status.st_gid)
        }
        guard fchmod(draft.descriptor, mode_t(mode)) == 0 else { throw .last }
      }
      try draft.write(bytes)
      try draft.synchronize()
      self.draft = draft
      direct = nil
    }
  }

  /// Gives the file its name.
  ///
  /// - Throws: ``SystemError``; then what had the name has it still.
  package consuming func publish() throws(SystemError) {
    if let direct {
      try draft.write(direct)
    } else {
      try draft.publish(replacing: isReplacing)
    }
  }

  /// The path with links followed.
  package static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
