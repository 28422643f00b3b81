import Testing

@testable import Paper

@Suite("Tick") struct TickTests {
  @Test("ticks are the multiples inside the range, both ends included")
  func multiples() {
    let ticks = Tick.multiples(of: 20, in: -20...60)
    #expect(ticks.map(\.value) == [-20, 0, 20, 40, 60])
    #expect(ticks.map(\.label) == ["−20", "0", "20", "40", "60"])
  }

  @Test("steps below one are labelled with the decimals they need")
  func decimals() {
    #expect(Tick.multiples(of: 0.5, in: 0...1).map(\.label) == ["0.0", "0.5", "1.0"])
    #expect(Tick.multiples(of: 0.02, in: 0.03...0.07).map(\.label) == ["0.04", "0.06"])
  }

  @Test(
    "a span is divided by 1, 2 or 5 times a power of ten, into no more parts than asked for",
    arguments: [(18.0, 5.0), (8, 1), (0.9, 0.2), (3600, 500), (1.4, 0.2), (100, 20)])
  func steps(span: Double, step: Double) {
    #expect(abs(Tick.step(dividing: span, into: 8) - step) < 1e-12 * step)
  }
}
