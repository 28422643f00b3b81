import Glibc

/// Time since an arbitrary start (`CLOCK_MONOTONIC`), s. It neither jumps nor counts suspended time; ALSA's
/// monotonic timestamps are on the same clock. A double resolves 2 ns after 100 days.
///
/// - Threads: any; no system call where the kernel offers the clock in user space.
@_semantics("no_performance_analysis")
public func monotonicTime() -> Double {
  seconds(CLOCK_MONOTONIC)
}

/// Processor time the calling thread has used (`CLOCK_THREAD_CPUTIME_ID`), s.
///
/// - Threads: any; a system call.
@_semantics("no_performance_analysis")
public func threadTime() -> Double {
  seconds(CLOCK_THREAD_CPUTIME_ID)
}

private func seconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  unsafe clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
