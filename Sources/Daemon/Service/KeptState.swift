/// Mute and configuration that a daemon has left beside its socket because it did not end by itself.
public enum KeptState {
  /// True when a signal or a fault ended the last daemon, and none has ended in order since.
  public static func isLeft(besideSocket socket: String) -> Bool {
    KeptMute(besideSocket: socket).isKept || KeptConfiguration(besideSocket: socket).isKept
  }

  /// Removes both: after a stop the next start begins anew.
  public static func forget(besideSocket socket: String) {
    KeptMute(besideSocket: socket).forget()
    KeptConfiguration(besideSocket: socket).forget()
  }
}
