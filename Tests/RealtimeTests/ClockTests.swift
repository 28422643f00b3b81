import Glibc
import Testing

@testable import Realtime

@Suite("Clocks") struct ClockTests {
  @Test("monotonic time never goes back and is CLOCK_MONOTONIC in seconds")
  func monotonic() {
    var last = monotonicTime()
    for _ in 0..<10_000 {
      let now = monotonicTime()
      #expect(now >= last)
      last = now
    }
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let reference = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    // The reference was read later, on a machine that may have been busy meanwhile.
    #expect(reference - last >= 0 && reference - last < 10)
  }

  @Test("thread time grows with work and not with waiting")
  func thread() {
    let start = threadTime()
    usleep(50_000)
    let waited = threadTime() - start
    #expect(waited >= 0 && waited < 0.025)  // 50 ms passed; falling asleep costs microseconds
    var sum = 0.0
    let begin = threadTime()
    while threadTime() - begin < 0.002 { sum += 1 }
    #expect(sum > 0)
  }

  @Test("a call that failed is shown with the system's words and number")
  func errorText() {
    let error = SystemCallError(call: "open", code: ENOENT)
    #expect(error.description == "open: No such file or directory (errno 2)")
  }
}
