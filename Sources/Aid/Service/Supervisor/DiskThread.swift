import Base
import CLinux
import Control
import Glibc
import Realtime
import Synchronization

/// A thread for work that waits for a disk, one piece after another, so that sound, watchdog, signals and other
/// calls never do.
///
///     let answer = disk.result(within: 2) { book.load(card) }
///
/// The thread begins with the first piece. A disk that never answers keeps the thread, not the process: it is
/// neither joined nor waited for without a limit.
///
/// - Threads: any but audio.
final class DiskThread: Sendable {
  /// Outcome of a piece of work whose result was waited for.
  enum Outcome<Value: Sendable>: Sendable {
    case done(Value)
    /// It was not begun in time, and is not done later.
    case dropped
    /// It was begun and is still under way.
    case underWay
  }

  /// Pieces that wait at most; more are dropped, so that a disk that never answers takes neither memory nor descriptors,
  /// of which a piece has one. Own choice: many times what is under way at once on a disk that answers.
  static let longestQueue = 128

  private let queue = WorkQueue()

  deinit { queue.end() }

  /// Time that the present piece has taken so far, s; 0 when there is none.
  var delay: Double { queue.delay }

  /// True when nothing is under way and nothing waits.
  var isIdle: Bool { queue.isIdle }

  /// Work is waited for no longer: the process ends.
  func stopWaiting() { queue.stopWaiting() }

  /// Leaves a piece of work, and does not wait for it.
  func submit(_ work: @escaping @Sendable () -> Void) { queue.add(work) }

  /// Leaves a piece of work and waits for it.
  ///
  /// - Parameter limit: Longest wait, s, less what the piece before it has taken already.
  /// - Returns: Whether it was done in time; it is done later otherwise.
  @discardableResult func wait(
    atMost limit: Double, for work: @escaping @Sendable () -> Void
  ) -> Bool {
    let piece = Piece(work)
    queue.add { piece.run() }
    return queue.waits(for: piece, atMost: limit)
  }

  /// Leaves a piece of work and waits for its result.
  ///
  /// - Parameter limit: Longest wait, s, less what the piece before it has taken already.
  func result<Value: Sendable>(
    within limit: Double, _ work: @escaping @Sendable () -> Value
  ) -> Outcome<Value> {
    let piece = Piece(work)
    queue.add { piece.run() }
    _ = queue.waits(for: piece, atMost: limit)
    return piece.outcome()
  }
}

/// A piece of work with its result.
private final class Piece<Value: Sendable>: Sendable {
  private enum State {
    case waiting, underWay, dropped
    case done(Value)
  }

  private let work: @Sendable () -> Value
  private let state = Mutex(State.waiting)
  /// Readable when it is done.
  let bell = clinux_eventfd()

  init(_ work: @escaping @Sendable () -> Value) { self.work = work }

  deinit { if bell >= 0 { close(bell) } }

  func run() {
    let isWanted = state.withLock { state in
      guard case .waiting = state else { return false }
      state = .underWay
      return true
    }
    guard isWanted else { return }
    let value = work()
    state.withLock { $0 = .done(value) }
    clinux_eventfd_signal(bell)
  }

  var isDone: Bool { state.withLock { if case .done = $0 { true } else { false } } }

  /// Its outcome; work that was not begun never begins.
  func outcome() -> DiskThread.Outcome<Value> {
    state.withLock { state in
      switch state {
      case .done(let value): return .done(value)
      case .underWay: return .underWay
      case .waiting, .dropped:
        state = .dropped
        return .dropped
      }
    }
  }
}

/// The work that waits, and the thread that does it. Outlives its owner while a piece is under way.
private final class WorkQueue: Sendable {
  private struct State {
    var work: [@Sendable () -> Void] = []
    /// When the present piece was begun, monotonic s.
    var began: Double?
    var hasThread = false
    var isEnding = false
    var isWaitedFor = true
  }

  /// Time between two looks whether a wait is to be given up, s.
  private static let interval = 0.05

  private let state = Mutex(State())
  /// Wakes the thread.
  private let bell = clinux_eventfd()

  deinit { if bell >= 0 { close(bell) } }

  var delay: Double { state.withLock { $0.began }.map { SystemTime.monotonic - $0 } ?? 0 }

  var isIdle: Bool { state.withLock { $0.began == nil && $0.work.isEmpty } }

  func stopWaiting() { state.withLock { $0.isWaitedFor = false } }

  func end() {
    state.withLock { $0.isEnding = true }
    clinux_eventfd_signal(bell)
  }

  func add(_ work: @escaping @Sendable () -> Void) {
    let hasThread = state.withLock { state in
      if !state.hasThread { state.hasThread = bell >= 0 && begin() }
      guard state.hasThread else { return false }
      if state.work.count < DiskThread.longestQueue { state.work.append(work) }
      return true
    }
    // Without a thread of its own it is done here: late is better than never.
    guard hasThread else { return work() }
    clinux_eventfd_signal(bell)
  }

  func waits<Value>(for piece: Piece<Value>, atMost limit: Double) -> Bool {
    let due = SystemTime.monotonic + limit - delay
    while !piece.isDone {
      let left = due - SystemTime.monotonic
      guard left > 0, state.withLock({ $0.isWaitedFor }) else { return false }
      var polled = pollfd(fd: piece.bell, events: Int16(POLLIN), revents: 0)
      // Without a descriptor poll only passes the time.
      poll(&polled, 1, Int32((min(left, Self.interval) * 1000).rounded(.up)))
    }
    return true
  }

  /// Makes the thread.
  ///
  /// - Returns: Whether there is one.
  private func begin() -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    // As the control server's: locked memory includes stacks.
    pthread_attr_setstacksize(&attributes, 512 << 10)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let queue = Unmanaged.passRetained(self)
    guard pthread_create(&thread, &attributes, serveDisk, queue.toOpaque()) == 0 else {
      queue.release()
      return false
    }
    return true
  }

  /// The thread's whole life.
  fileprivate func run() {
    while true {
      let next = state.withLock { state -> (@Sendable () -> Void)? in
        state.began = nil
        guard !state.work.isEmpty else { return nil }
        state.began = SystemTime.monotonic
        return state.work.removeFirst()
      }
      if let next {
        next()
      } else if state.withLock({ $0.isEnding }) {
        return
      } else {
        var polled = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
        poll(&polled, 1, -1)
        _ = clinux_eventfd_take(bell)
      }
    }
  }
}

/// Entry of the thread.
@Sendable private func serveDisk(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  clinux_set_thread_name("auricle-disk")
  // An overflow of this stack is told from another one.
  let signalStack = clinux_take_signal_stack()
  defer { clinux_return_signal_stack(signalStack) }
  Unmanaged<WorkQueue>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}
