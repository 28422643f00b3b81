import CLinux

/// Memory that neither core dumps nor other programs of the same user show: keys, passphrases and names pass through it.
public enum PrivateMemory {
  /// Makes this process's so: no core file, and no other program may attach to it or read it (PR_SET_DUMPABLE, prctl(2)).
  ///
  /// A limit that cannot be set stays as it was: it protects, and nothing depends on it.
  ///
  /// - Threads: main, before any other exists.
  public static func begin() {
    // Afterwards /proc/self/environ is root's (proc(5)).
    _ = ProcessEnvironment.variables
    _ = clinux_keep_memory_private()
  }
}
