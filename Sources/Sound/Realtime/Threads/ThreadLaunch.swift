import Base
import CLinux
import Glibc
import Synchronization

/// Arguments of a new real-time thread, and its answer before its work begins.
@safe final class ThreadLaunch: Sendable {
  private let configuration: RealtimeThread.Configuration
  private let body: @Sendable () -> Void
  private let answer = Mutex<(identifier: Int32, scheduling: Scheduling)?>(nil)
  nonisolated(unsafe) private let started: UnsafeMutablePointer<sem_t>

  init(_ configuration: RealtimeThread.Configuration, body: @escaping @Sendable () -> Void) {
    self.configuration = configuration
    self.body = body
    unsafe started = .allocate(capacity: 1)
    unsafe sem_init(started, 0, 0)
  }

  deinit {
    unsafe sem_destroy(started)
    unsafe started.deallocate()
  }

  /// Creates the thread with the signal mask it keeps.
  func start() throws(SystemError) -> pthread_t {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe _ = pthread_attr_destroy(&attributes) }
    let sized = unsafe pthread_attr_setstacksize(&attributes, configuration.stackSize)
    guard sized == 0 else { throw SystemError(call: "pthread_attr_setstacksize", code: sized) }

    // A thread inherits the mask of its creator: set here, no signal can reach it even at its first
    // instruction.
    var mask = Self.blockedSignals
    var previous = sigset_t()
    unsafe pthread_sigmask(SIG_SETMASK, &mask, &previous)
    defer { unsafe _ = pthread_sigmask(SIG_SETMASK, &previous, nil) }

    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(self)
    let created = unsafe pthread_create(&thread, &attributes, runLaunchedThread, context.toOpaque())
    guard created == 0 else {
      unsafe context.release()
      throw SystemError(call: "pthread_create", code: created)
    }
    return thread
  }

  /// The thread's kernel id and scheduling, once it has them.
  func waitForStart() -> (identifier: Int32, scheduling: Scheduling) {
    while true {
      while unsafe sem_wait(started) != 0 {}
      if let answer = answer.withLock({ $0 }) { return answer }
    }
  }

  /// The thread's whole life.
  fileprivate func run() {
    let identifier = clinux_gettid()
    _ = unsafe configuration.name.withCString { unsafe clinux_set_thread_name($0) }
    // Distinguishes an overflow of this stack from another fault.
    let signalStack = unsafe clinux_take_signal_stack()
    defer { unsafe clinux_return_signal_stack(signalStack) }
    flushDenormals()
    clinux_touch_stack(configuration.stackSize / 2)
    // A full list only means that the CPU time fallback leaves this thread alone.
    _ = clinux_register_realtime_thread(identifier)
    let scheduling = configuration.calls.request(priority: configuration.priority, for: 0)
    answer.withLock { $0 = (identifier, scheduling) }
    unsafe sem_post(started)
    body()
    clinux_unregister_realtime_thread(identifier)
  }

  /// All signals but those that a thread's own fault raises (blocked, they would end the process without a
  /// trace) and SIGXCPU.
  private static var blockedSignals: sigset_t {
    var set = sigset_t()
    unsafe sigfillset(&set)
    for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGXCPU] {
      unsafe sigdelset(&set, signal)
    }
    return set
  }
}

/// Entry point for pthread_create. A closure would inherit the isolation of where it is written and trap
/// when another thread runs it.
private func runLaunchedThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context = unsafe context else { return nil }
  unsafe Unmanaged<ThreadLaunch>.fromOpaque(context).takeRetainedValue().run()
  return nil
}
