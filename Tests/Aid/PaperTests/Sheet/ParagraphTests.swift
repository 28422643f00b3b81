import Testing

@testable import Paper

@Suite("Paragraph") struct ParagraphTests {
  private func labels(_ text: String, width: Double) -> [Label] {
    var picture = Picture(width: 500, height: 500, title: "")
    _ = Paragraph(marked: text, TextStyle(size: 10)).draw(
      at: Point(x: 10, y: 20), width: width, TextMetrics(), on: &picture)
    return picture.labels
  }

  @Test("marks change the style of the words between them and are not printed")
  func styles() {
    let labels = labels("*Stop.* Run `auricle mute`, then wait.", width: 400)
    #expect(labels.map(\.text) == ["Stop.", "Run", "auricle mute", ", then wait."])
    #expect(labels.map(\.style.isBold) == [true, false, true, false])
    #expect(labels.map(\.style.isMonospaced) == [false, false, true, false])
  }

  @Test("a command is never broken into two lines, nor parted from the comma after it")
  func commands() {
    for width in stride(from: 100.0, through: 300, by: 7) {
      let labels = labels("Words before and then `auricle mute`, words after it.", width: width)
      let command = labels.first { $0.text == "auricle mute" }
      let comma = labels.first { $0.text.hasPrefix(",") }
      #expect(command != nil && command?.place.y == comma?.place.y)
    }
  }

  @Test("no line is wider than asked for, and no word is lost")
  func lines() {
    let text = "One two three four five six seven eight nine ten eleven twelve"
    let labels = labels(text, width: 90)
    let metrics = TextMetrics()
    for label in labels {
      let width = metrics.width(of: label.text, label.style)
      #expect(width <= 90)
    }
    #expect(labels.map(\.text).joined(separator: " ") == text)
  }
}
