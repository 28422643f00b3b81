import CLinux
import Glibc

/// Long computing, done by another thread of ordinary priority or less while the first one waits.
///
/// A real-time thread that computes for longer than `RLIMIT_RTTIME` without waiting is made an ordinary one by
/// SIGXCPU; measuring FFTW's plans takes a tenth of a second on a fast machine, and may take longer than the 200 ms of
/// the shipped units. The helper is ordinary, because the kernel gives RESET_ON_FORK's priority to no thread that a real-time thread starts, and for the kernel the
/// caller waits. Where no thread can be had the caller computes itself.
///
/// An audio thread without real-time priority shares its processor with every other thread, control's own too: what takes
/// control milliseconds is then done with a greater nice value.
///
/// - Threads: any that may wait; for the audio thread while no sound flows.
public enum OrdinaryWork {
  /// Stack of the helper, bytes. Not the 8 MiB that are usual, of which locked memory would need all at once.
  private static let stackSize = 1 << 20

  /// Value that `body` makes.
  ///
  /// - Parameters:
  ///   - niceness: Difference of the helper's nice value to the caller's: 0 or more, for less asks nobody's permission.
  ///   - body: The work.
  /// - Throws: The error of `body`.
  public static func make<Made: ~Copyable, Failure: Error>(
    niceness: Int32 = 0, _ body: () throws(Failure) -> Made
  ) throws(Failure) -> Made {
    let place = Place<Made, Failure>()
    func work() {
      if niceness > 0 { clinux_set_nice(0, getpriority(Int32(PRIO_PROCESS.rawValue), 0) + niceness) }
      place.fill(body)
    }
    // The compiler writes down how long the file's path is, which would be another program in each folder.
    #sourceLocation(file:"ordinary-work",line:1)
    withoutActuallyEscaping(work) { run($0) }
    #sourceLocation()
    return try place.take()
  }

  /// Runs `body` on the helper and waits for its end.
  private static func run(_ body: @escaping () -> Void) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe _ = pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, stackSize)
    let job = Job(body)
    let context = unsafe Unmanaged.passRetained(job)
    var thread = pthread_t()
    let created = unsafe pthread_create(&thread, &attributes, runOrdinaryJob, context.toOpaque())
    guard created == 0 else {
      unsafe context.release()
      return body()
    }
    pthread_join(thread, nil)
  }
}

/// Place in which the helper leaves what it made. The two threads use it one after the other.
private final class Place<Made: ~Copyable, Failure: Error> {
  private var made: Made?
  private var failure: Failure?

  func fill(_ body: () throws(Failure) -> Made) {
    do throws(Failure) { made = try body() } catch { failure = error }
  }

  func take() throws(Failure) -> Made {
    if let failure { throw failure }
    guard let made = made.take() else { preconditionFailure("the helper has filled its place") }
    return made
  }
}

/// Work for the helper.
private final class Job {
  let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
}

/// Entry point for pthread_create; see `runLaunchedThread`.
private func runOrdinaryJob(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context = unsafe context else { return nil }
  _ = unsafe "audio-building".withCString { unsafe clinux_set_thread_name($0) }
  // As on the audio thread, so that the same settings make the same numbers.
  flushDenormals()
  unsafe Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body()
  return nil
}
