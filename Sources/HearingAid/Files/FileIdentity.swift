import Glibc

/// Which file a name leads to, whatever way it is written.
enum FileIdentity {
  /// Whether two names lead to one existing file.
  static func areSame(_ a: String, _ b: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard unsafe stat(a, &first) == 0, unsafe stat(b, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }
}
