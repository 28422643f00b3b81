import Base
import CLinux
import Glibc
import Synchronization

/// A thread for work that waits for a disk, one piece after another, so that sound, watchdog, signals and
/// the control socket never do.
///
///     let disk = SerialWorker("auricle-disk") { (job: DiskJob) in files.carryOut(job) }
///     disk.submit(.advanceBook)
///     …                       // when `descriptor` is readable
///     for result in disk.results() { … }
///
/// A disk that never answers keeps the thread, not the process: it is neither joined nor waited for without
/// a limit.
///
/// - Threads: the body runs on its own; everything else is called on the thread that owns the worker.
final class SerialWorker<Job: Sendable, Output: Sendable>: Sendable {
  private struct State {
    var jobs: [Job] = []
    var outputs: [Output] = []
    /// When the present piece was begun, monotonic s.
    var began: Double?
    var isEnding = false
  }

  private let name: String
  /// The one lock of the control half: jobs go one way and results the other, and it is never held while
  /// either is worked on. It stands beside the state, for around a generic value the compiler makes a mutex other code in each folder,
  /// and the package is to have the same bytes.
  private let lock = Mutex(())
  private nonisolated(unsafe) var state = State()
  /// Used by the thread alone.
  private nonisolated(unsafe) let body: (Job) -> Output
  /// Wakes the thread.
  private let bell = clinux_eventfd()
  /// Readable when there are ``results()``.
  let descriptor = clinux_eventfd()

  /// Makes the thread.
  ///
  /// - Parameters:
  ///   - name: Shown by ps and top; the kernel keeps 15 bytes.
  ///   - body: Does one piece of work.
  /// - Throws: ``Failure`` when the system has no thread or descriptor left.
  init(_ name: String, _ body: sending @escaping (Job) -> Output) throws(Failure) {
    self.name = name
    self.body = body
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    // Locked memory includes stacks: the default of 8 MiB would be a third of the daemon.
    pthread_attr_setstacksize(&attributes, 512 << 10)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let entry = Unmanaged<AnyObject>.passRetained(ThreadBody { [self] in run() })
    let code =
      bell < 0 || descriptor < 0
      ? EMFILE : pthread_create(&thread, &attributes, serveWork, entry.toOpaque())
    guard code == 0 else {
      entry.release()
      throw Failure(name, found: "no thread: \(SystemError.words(for: code))", exit: .system)
    }
  }

  deinit {
    close(bell)
    close(descriptor)
  }

  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    lock.withLock { _ in body(&state) }
  }

  /// Time that the present piece has taken so far, s; 0 when there is none.
  var delay: Double { withState { $0.began }.map { SystemTime.monotonic - $0 } ?? 0 }

  /// Pieces that wait.
  var count: Int { withState { $0.jobs.count } }

  /// Leaves a piece of work.
  func submit(_ job: Job) {
    withState { $0.jobs.append(job) }
    clinux_eventfd_signal(bell)
  }

  /// Adds a result before the work under way is done.
  ///
  /// - Threads: the worker's own.
  func tell(_ output: Output) {
    withState { $0.outputs.append(output) }
    clinux_eventfd_signal(descriptor)
  }

  /// Takes the results that are there, in the order of the work.
  func results() -> [Output] {
    _ = clinux_eventfd_take(descriptor)
    return withState { state in
      defer { state.outputs = [] }
      return state.outputs
    }
  }

  /// Waits until everything is done.
  ///
  /// - Parameter limit: Longest wait, s, less what the present piece has taken already.
  /// - Returns: False when it is not done in time.
  @discardableResult func finish(within limit: Double) -> Bool {
    let due = SystemTime.monotonic + limit - delay
    while !withState({ $0.began == nil && $0.jobs.isEmpty }) {
      let left = due - SystemTime.monotonic
      guard left > 0 else { return false }
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&polled, 1, Int32((left * 1000).rounded(.up)))
      // The result stays to be taken.
      _ = clinux_eventfd_take(descriptor)
    }
    clinux_eventfd_signal(descriptor)
    return true
  }

  /// Ends the thread when everything left is done, without waiting for it.
  func end() {
    withState { $0.isEnding = true }
    clinux_eventfd_signal(bell)
  }

  /// The thread's whole life.
  private func run() {
    clinux_set_thread_name(name)
    while true {
      let (next, isEnding) = withState { state -> (Job?, Bool) in
        guard !state.jobs.isEmpty else { return (nil, state.isEnding) }
        state.began = SystemTime.monotonic
        return (state.jobs.removeFirst(), false)
      }
      if let next {
        let output = body(next)
        withState { state in
          state.outputs.append(output)
          state.began = nil
        }
        clinux_eventfd_signal(descriptor)
      } else if isEnding {
        return
      } else {
        var polled = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
        poll(&polled, 1, -1)
        _ = clinux_eventfd_take(bell)
      }
    }
  }
}

/// Work of a thread, as C hands it over.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Entry of the thread.
@Sendable private func serveWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  // Signals are the main thread's, but for those of a fault of this one.
  clinux_block_signals_of_others()
  // An overflow of this stack is told from another one.
  let signalStack = clinux_take_signal_stack()
  defer { clinux_return_signal_stack(signalStack) }
  Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}
