import AudioIO
import Testing

@Suite("Back-off") struct BackoffTests {
  @Test("pauses double from 0.1 s and stay at 0.25 s, a quarter of the second after which sound is back")
  func doubles() {
    var backoff = Backoff()
    let pauses = (0..<8).map { _ in backoff.next() }
    let expected = [0.1, 0.2, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25]
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
