import Glibc

/// Why measured feedback paths cannot be taken from their file.
struct FeedbackFileFault: Error, Equatable {
  /// What is wrong, beginning with the path, without a full stop.
  let words: String
  /// Whether the content is at fault, rather than the right to read it.
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
      + "lets go of it: auricle fit feedback --clear"
  }
}
