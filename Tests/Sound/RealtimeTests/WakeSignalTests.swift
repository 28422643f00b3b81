import Realtime
import Testing

@Suite("WakeSignal") struct WakeSignalTests {
  /// Longer than any test runs, s.
  static let endless = 100_000.0

  @Test("a signal ends the next wait")
  func before() throws {
    let wake = try WakeSignal()
    wake.signal()
    wake.wait(atMost: Self.endless)
  }

  @Test("a signal from another thread ends the wait")
  func meanwhile() throws {
    let wake = try WakeSignal()
    let thread = try RealtimeThread { _ in wake.signal() }
    wake.wait(atMost: Self.endless)
    thread.join()
  }
}
