import CLinux

/// Marks the part of the audio thread in which RealtimeSanitizer reports every call that could block.
///
/// Without the sanitizer each call costs one test of a null pointer. Scopes nest.
///
/// - Threads: any; acts on the caller only.
public enum RealtimeScope {
  /// Whether the program is linked with the sanitizer.
  public static var isChecked: Bool { clinux_rtsan_is_linked() != 0 }

  /// From here on, a blocking call ends the program with a report.
  @_semantics("no_performance_analysis")
  public static func enter() { clinux_rtsan_enter() }

  /// Ends the innermost ``enter()``.
  @_semantics("no_performance_analysis")
  public static func exit() { clinux_rtsan_exit() }

  /// Allows blocking calls inside a scope, as around ALSA's poll and ioctl.
  @_semantics("no_performance_analysis")
  public static func suspend() { clinux_rtsan_disable() }

  /// Ends the innermost ``suspend()``.
  @_semantics("no_performance_analysis")
  public static func resume() { clinux_rtsan_enable() }
}
