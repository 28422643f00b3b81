import Almanac
import Base
import Questionnaires
import Studies

/// Questions as they stand on a terminal.
enum QuestionText {
  /// The question with its number, its options and what may be typed.
  static func question(
    _ item: Item, _ display: Display, _ former: AnswerValue?, in language: String
  ) -> String {
    let progress = display.progress
    var text =
      "\n\(progress.answered + (former == nil ? 1 : 0)) of \(progress.shown)  \(item.text.text(in: language))"
    text += item.isRequired ? "\n" : "  (may be left out)\n"
    let options = item.kind.options
    for (number, option) in zip(AnswerText.numbers(of: options), options) {
      text += "  \(number)  \(option.text.text(in: language))\n"
    }
    if let former {
      text += "  now: \(AnswerText.words(former, to: item, in: language)) (Enter keeps it)\n"
    }
    return text + "  [\(AnswerText.expectation(of: item))]\n"
  }
}
