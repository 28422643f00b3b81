import AudioIO
import Testing

@Suite("Back-off") struct BackoffTests {
  @Test("pauses double from 0.1 s and stay at 5 s")
  func doubles() {
    var backoff = Backoff()
    let pauses = (0..<8).map { _ in backoff.next() }
    let expected = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5]
    // Doubling is exact in binary; 0.1 is not, but equals its own literal.
    #expect(pauses == expected)
    #expect(backoff.attempts == 8)
  }

  @Test("success begins anew")
  func resets() {
    var backoff = Backoff()
    _ = backoff.next()
    _ = backoff.next()
    backoff.reset()
    #expect(backoff.next() == 0.1)
  }
}
