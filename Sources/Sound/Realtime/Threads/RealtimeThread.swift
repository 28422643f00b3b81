public import Base
import CLinux
import Glibc
import Synchronization

/// A thread for sound: real-time priority if the system grants it, a small stack that is already in memory,
/// denormals flushed, signals left to others.
///
/// The priority is asked for by the thread itself before `body` runs, as SCHED_FIFO with RESET_ON_FORK
/// (what it starts is ordinary again), and read back from the kernel. Refusal is no error: the thread runs
/// as an ordinary one and ``startScheduling`` says why. All signals are blocked but those of the thread's
/// own faults, and SIGXCPU (see ``installCPUTimeFallback()``).
///
/// - Threads: created, joined and destroyed on control. Destroying it asks it to stop and joins it; where the last reference
///   ends with the thread itself, nobody waits.
public final class RealtimeThread: Sendable {
  /// Attributes of a new thread.
  struct Configuration {
    /// Shown by ps and top; the kernel keeps 15 bytes.
    var name = "audio"
    /// SCHED_FIFO priority, 1...99. The default, 70, lies below PipeWire (88) and above the kernel's
    /// interrupt threads (50), of which the sound card's should be raised above it where `threadirqs` is in
    /// use.
    var priority = 70
    /// Stack, bytes. Half of it is touched before `body` runs.
    var stackSize = 512 * 1024
    /// The calls used; replaced in tests.
    var calls = SchedulingCalls.kernel
  }

  /// Asks the thread to end, without waiting for it.
  public let stop: StopSignal
  /// Scheduling that the kernel granted when the thread started.
  public let startScheduling: Scheduling

  private let configuration: Configuration
  private let thread: pthread_t
  /// As gettid(2) has it.
  public let number: Int32
  private let isJoined = Mutex(false)

  /// Starts a thread of priority 70 and waits until it runs with its final priority.
  ///
  /// - Parameter body: The thread's work; it returns soon after the signal it is given is requested. It is
  ///   called outside any actor.
  /// - Throws: ``SystemError`` when no thread or descriptor can be had.
  public convenience init(body: @escaping @Sendable (StopSignal) -> Void) throws(SystemError) {
    try self.init(Configuration(), body: body)
  }

  /// Starts a thread of another priority, as above.
  ///
  /// - Parameters:
  ///   - name: Shown by ps and top, 15 bytes.
  ///   - priority: 1...99.
  ///   - body: As above.
  /// - Throws: ``SystemError`` when no thread or descriptor can be had.
  public convenience init(
    name: String, priority: Int, body: @escaping @Sendable (StopSignal) -> Void
  ) throws(SystemError) {
    try self.init(Configuration(name: name, priority: priority), body: body)
  }

  init(_ configuration: Configuration, body: @escaping @Sendable (StopSignal) -> Void) throws(SystemError) {
    precondition((1...99).contains(configuration.priority), "SCHED_FIFO priorities are 1...99")
    precondition(configuration.stackSize >= 64 * 1024, "a real-time thread needs 64 KiB of stack")
    let stop = try StopSignal()
    let launch = ThreadLaunch(configuration) { body(stop) }
    thread = try launch.start()
    (number, startScheduling) = launch.waitForStart()
    self.configuration = configuration
    self.stop = stop
  }

  deinit {
    stop.request()
    // Its work may have held whoever started it, and nobody else did: then it is ending already, and cannot wait for itself.
    if isCaller { pthread_detach(thread) } else { join() }
  }

  /// True on the thread itself.
  private var isCaller: Bool { pthread_equal(pthread_self(), thread) != 0 }

  /// Waits until the thread has ended; returns at once when it already has. Does not ask it to end.
  ///
  /// - Threads: control, never the thread itself.
  public func join() {
    precondition(!isCaller, "a thread cannot wait for its own end")
    isJoined.withLock { isJoined in
      guard !isJoined else { return }
      pthread_join(thread, nil)
      isJoined = true
    }
  }

  /// Scheduling of the thread now. Suspend and rtkit can silently take the priority away,
  /// so look once a second. A thread that ran too long is told as that, whoever had given it the priority.
  ///
  /// - Threads: control, while the thread runs.
  public func currentScheduling() -> Scheduling {
    let now = configuration.calls.inForce(for: number)
    if case .ordinary(.notInForce, let nice) = now {
      if clinux_has_fallen_back(number) != 0 { return .ordinary(reason: .ranTooLong, nice: nice) }
      if case .ordinary(let reason, let startNice) = startScheduling {
        return .ordinary(reason: reason, nice: startNice)
      }
    }
    return now
  }

  /// Asks for the configured priority again, from outside the thread.
  ///
  /// - Returns: Scheduling in force afterwards.
  /// - Threads: control, while the thread runs.
  public func renewScheduling() -> Scheduling {
    let granted = configuration.calls.request(priority: configuration.priority, for: number)
    // From here on the priority is given on purpose: what takes it next is told by its own cause.
    if granted.isRealtime { clinux_forget_fallback(number) }
    return granted
  }

  /// Installs the process's SIGXCPU handler, which takes the real-time thread that gets it back to ordinary scheduling.
  ///
  /// With `LimitRTTIME` in force a real-time thread that runs too long without waiting gets SIGXCPU at the
  /// soft limit and the process SIGKILL at the hard one. Late sound is better than none.
  ///
  /// - Throws: ``SystemError`` when the handler cannot be installed.
  /// - Threads: control, once, before threads are started.
  public static func installCPUTimeFallback() throws(SystemError) {
    let result = clinux_install_cpu_time_fallback()
    guard result == 0 else { throw SystemError(call: "sigaction", code: -result) }
  }
}

/// Marks the part of the audio thread in which RealtimeSanitizer reports every call that could block.
///
/// Without the sanitizer each call costs one test of a null pointer. Scopes nest.
///
/// - Threads: any; acts on the caller only.
public enum RealtimeScope {
  /// True when the program is linked with the sanitizer.
  public static var isChecked: Bool { clinux_rtsan_is_linked() != 0 }

  /// From here on, a blocking call ends the program with a report.
  @_semantics("no_performance_analysis") public static func enter() { clinux_rtsan_enter() }

  /// Ends the innermost ``enter()``.
  @_semantics("no_performance_analysis") public static func exit() { clinux_rtsan_exit() }
}

/// Last line of the log: the signal that ended the process, and its place.
public enum FatalSignals {
  /// Writes that line when a signal ends the process, which then ends by that signal as it otherwise would.
  ///
  /// Covers faults of the program, such as a failed check of Swift's, and signals of others whose default
  /// action is the end. SIGKILL leaves no time for a line.
  ///
  /// - Parameters:
  ///   - descriptor: Of the log.
  ///   - isJournal: True begins a line with its syslog priority instead of the time.
  /// - Throws: ``SystemError`` when a handler cannot be installed.
  /// - Threads: main, before any other exists; it gets a signal stack, as every ``RealtimeThread`` has one.
  public static func report(to descriptor: Int32, isJournal: Bool) throws(SystemError) {
    // Kept until the process ends.
    _ = unsafe clinux_take_signal_stack()
    let result = clinux_report_fatal_signals(descriptor, isJournal ? 1 : 0)
    guard result == 0 else { throw SystemError(call: "sigaction", code: -result) }
  }
}
