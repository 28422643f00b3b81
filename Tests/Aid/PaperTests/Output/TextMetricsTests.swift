import Testing

@testable import Paper

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

  @Test("wrapped lines fit and lose no word; a word that is too wide is broken")
  func wrapped() {
    let metrics = TextMetrics()
    let text = "Some words and Donaudampfschifffahrtsgesellschaft in one line"
    let lines = metrics.wrapped(text, to: 80, style)
    for line in lines {
      let width = metrics.width(of: line, style)
      #expect(width <= 80)
    }
    #expect(lines.count > 3)
    #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    #expect(metrics.wrapped("short", to: 80, style) == ["short"])
    #expect(metrics.wrapped("", to: 80, style) == [])
  }

  @Test("what is left over when the lines are used up stays as the last one's beginning and end")
  func wrappedShort() {
    let metrics = TextMetrics()
    let lines = metrics.wrapped(String(repeating: "word ", count: 40) + "end", to: 80, style, lines: 2)
    #expect(lines.count == 2)
    #expect(lines.last?.hasSuffix("end") == true && lines.last?.contains("…") == true)
    let width = metrics.width(of: lines.last ?? "", style)
    #expect(width <= 80)
  }

  @Test("of a text of 100,000 letters as much stays as has room, which is one letter less than has none")
  func halves() {
    let metrics = TextMetrics()
    let text = metrics.shortened(String(repeating: "x", count: 100_000), to: 120, style)
    let longer = "x" + text
    let (width, longerWidth) = (metrics.width(of: text, style), metrics.width(of: longer, style))
    #expect(width <= 120 && longerWidth > 120)
    // The dots stand in the middle, of an odd number of letters one before it.
    let parts = text.split(separator: "…")
    #expect(parts.count == 2 && (0...1).contains(parts[1].count - parts[0].count))
  }

  @Test("the ends of a shortened text are those of the whole")
  func ends() {
    let metrics = TextMetrics()
    let whole = "abcdefghijklmnopqrstuvwxyz0123456789"
    for limit in stride(from: 40.0, through: 200, by: 7) {
      let parts = metrics.shortened(whole, to: limit, style).split(separator: "…")
      #expect(whole.hasPrefix(parts.first ?? "") && whole.hasSuffix(parts.last ?? ""), "\(limit)")
    }
  }

  @Test("a broken word has no space inside, neither in its lines nor where the last one is shortened")
  func broken() {
    let metrics = TextMetrics()
    let address = "https://hearing.example.org/" + String(repeating: "W", count: 60)
    for count in 1...5 {
      let lines = metrics.wrapped(address, to: 120, style, lines: count)
      #expect(lines.count == count && !lines.joined().contains(" "))
      for line in lines {
        let width = metrics.width(of: line, style)
        #expect(width <= 120)
      }
    }
    // Words behind it have theirs.
    #expect(metrics.wrapped(address + " and more", to: 120, style).joined() == address + " and more")
  }

  @Test("without a typeface, typographic characters are spelled in ASCII")
  func plain() {
    #expect(Canvas.plain("−10 × 3 – a…") == "-10 x 3 - a...")
    #expect(Canvas.plain("−10 × 3 – a…").utf8.allSatisfy { $0 < 128 })
  }
}
