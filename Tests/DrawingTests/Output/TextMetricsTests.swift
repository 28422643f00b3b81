import Testing

@testable import Drawing

@Suite("Text metrics") struct TextMetricsTests {
  let style = TextStyle(size: 10)

  @Test("width grows in proportion to the size")
  func proportion() {
    let metrics = TextMetrics()
    let width = metrics.width(of: "1000 Hz", style)
    #expect(width > 0)
    // Unhinted outlines scale exactly, up to Cairo's 1/256 unit of text.
    #expect(abs(metrics.width(of: "1000 Hz", TextStyle(size: 20)) - 2 * width) < 0.1)
  }

  @Test("text that fits stays, text that does not keeps its beginning and end and fits")
  func shortened() {
    let metrics = TextMetrics()
    #expect(metrics.shortened("short.wav", to: 200, style) == "short.wav")
    let long = String(repeating: "x", count: 300) + ".wav"
    let text = metrics.shortened("recording " + long, to: 120, style)
    #expect(text.hasPrefix("rec") && text.hasSuffix(".wav") && text.contains("…"))
    #expect(metrics.width(of: text, style) <= 120)
  }

  @Test("without a typeface, typographic characters are spelled in ASCII")
  func plain() {
    #expect(Canvas.plain("−10 × 3 – a…") == "-10 x 3 - a...")
    #expect(Canvas.plain("−10 × 3 – a…").utf8.allSatisfy { $0 < 128 })
  }
}
