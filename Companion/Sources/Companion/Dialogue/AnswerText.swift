import Almanac
import Base
import Questionnaires

/// Answers as a person types and reads them.
public enum AnswerText {
  /// Form in which options are chosen.
  public enum Choosing: Sendable, Hashable {
    /// By their numbers, as a person sees them (``AnswerText/numbers(of:)``), or by their codes where those are
    /// no such numbers.
    case numbers
    /// By their codes alone, as a program has them.
    case codes
  }

  /// Reads an answer.
  ///
  /// - Returns: Nil for an answer of another form than ``expectation(of:_:)`` says. That it lies in the question's range is checked where it is
  ///   kept.
  public static func value(
    _ line: String, for item: Item, choosing: Choosing = .numbers
  ) -> AnswerValue? {
    let text = line.trimmingSpaces
    guard !text.isEmpty else { return nil }
    switch item.kind {
    case .text, .email: return .text(text)
    case .number(let range), .scale(let range), .numberScroll(let range), .minutesScroll(let range):
      // "10,000" would be kept as 10, which is in the range as often as not.
      guard !range.isWhole || !mayHaveThousands(text) else { return nil }
      return NumberText.value(of: text, allowsComma: true).map { .number($0) }
    case .yesNo: return yes(text).map { .yes($0) }
    case .yesNoDontKnow:
      return ["?", "d", "dk", "don't know", "weiß nicht", "w"].contains(text.lowercased())
        ? .dontKnow : yes(text).map { .yes($0) }
    case .single(let options, let other):
      if other, let own = own(text) { return .choices([], other: own) }
      return code(text, among: options, choosing).map { .choice($0) }
    case .multiple(let options, let other):
      let value =
        choosing == .codes ? codes(text, among: options, other) : choices(text, among: options, other)
      return value?.inOrder(of: item)
    case .time: return time(text).map { .time($0) }
    case .date: return CalendarDate(text).map { .date($0) }
    case .group, .info: return nil
    }
  }

  /// `yes`, `y`, `ja`, `j` or their opposites; nil for anything besides.
  public static func yes(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "y", "ja", "j": true
    case "no", "n", "nein": false
    default: nil
    }
  }

  /// A time as people write it: the hour may have one digit, and a point may stand for the colon.
  private static func time(_ text: String) -> LocalTime? {
    if let time = LocalTime(text) { return time }
    let mark: Character = text.contains(":") ? ":" : "."
    let parts = text.split(separator: mark, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    return LocalTime((parts[0].utf8.count == 1 ? "0" : "") + parts.joined(separator: ":"))
  }

  /// True for digits with three behind a comma or a point, which divides thousands for many people.
  private static func mayHaveThousands(_ text: String) -> Bool {
    let end = text.utf8.suffix(4)
    return end.count == 4 && end.first.map { ",.".utf8.contains($0) } == true
      && end.dropFirst().allSatisfy { (48...57).contains($0) }
  }

  /// A text of one's own, behind `=`.
  private static func own(_ text: String) -> String? {
    guard text.hasPrefix("=") else { return nil }
    let own = String(text.dropFirst()).trimmingSpaces
    return own.isEmpty ? nil : own
  }

  /// Numbers by which people choose options: their points, as forms on paper have them, where these are whole,
  /// go up or down by one, and no code is the number of another option; otherwise 1, 2, 3 and so on.
  static func numbers(of options: [Option]) -> [Int] {
    let listed = Array(1..<(options.count + 1))
    let points = options.compactMap(\.points)
    let numbers = points.compactMap { Int(exactly: $0) }
    guard numbers.count == options.count else { return listed }
    let steps = zip(points, points.dropFirst()).map { $1 - $0 }
    guard steps.allSatisfy({ $0 == 1 }) || steps.allSatisfy({ $0 == -1 }) else { return listed }
    let isContradicted = zip(options, numbers).contains { option, number in
      Int(option.code).map { $0 != number && numbers.contains($0) } ?? false
    }
    return isContradicted ? listed : numbers
  }

  /// By its number, or by its code.
  private static func code(_ text: String, among options: [Option], _ choosing: Choosing) -> String? {
    guard choosing == .numbers else { return options.first { $0.code == text }?.code }
    if let number = Int(text), let place = numbers(of: options).firstIndex(of: number) {
      return options[place].code
    }
    return options.first { $0.code.lowercased() == text.lowercased() }?.code
  }

  /// Several as a program gives them: codes, which may have spaces and "=" within them, with commas between
  /// them, or spaces where each word is one; behind an "=" that begins a word, a text.
  private static func codes(_ text: String, among options: [Option], _ other: Bool) -> AnswerValue? {
    if let code = code(text, among: options, .codes) { return .choice(code) }
    var (codes, rest) = ([String](), text[...])
    while true {
      rest = rest.drop { $0 == "," || $0.isWhitespace }
      guard let first = rest.first else { return .choices(codes, other: nil) }
      // The text behind "=" is one, commas included.
      if first == "=" {
        guard other, let own = own(String(rest)) else { return nil }
        return .choices(codes, other: own)
      }
      let (part, word) = (rest.prefix { $0 != "," }, rest.prefix { $0 != "," && $0 != " " })
      if let code = code(String(part).trimmingSpaces, among: options, .codes) {
        codes.append(code)
        rest = rest[part.endIndex...]
      } else {
        guard let code = code(String(word), among: options, .codes) else { return nil }
        codes.append(code)
        rest = rest[word.endIndex...]
      }
    }
  }

  /// Several as people type them: their numbers, or their codes where those are no such numbers.
  private static func choices(_ text: String, among options: [Option], _ other: Bool) -> AnswerValue? {
    var (codes, ownText): ([String], String?) = ([], nil)
    // The text behind "=" is one, commas included.
    let (listed, rest) =
      text.firstIndex(of: "=").map { (String(text[..<$0]), String(text[$0...])) } ?? (text, "")
    for part in listed.split(whereSeparator: { $0 == "," || $0 == " " }) {
      guard let code = code(String(part), among: options, .numbers) else { return nil }
      codes.append(code)
    }
    if !rest.isEmpty {
      guard other, let own = own(rest) else { return nil }
      ownText = own
    }
    return .choices(codes, other: ownText)
  }

  // MARK: - In words

  /// An answer as it is shown again.
  public static func words(_ value: AnswerValue, to item: Item, in language: String) -> String {
    switch value {
    case .text(let text): return text
    case .number(let number):
      return NumberText.exact(number) + (item.kind.range?.unit.map { " \($0)" } ?? "")
    case .yes(let yes): return yes ? "yes" : "no"
    case .dontKnow: return "don't know"
    case .choices(let codes, let other):
      let texts = codes.map { code in
        item.kind.options.first { $0.code == code }?.text.text(in: language) ?? code
      }
      return (texts + (other.map { [$0] } ?? [])).joined(separator: ", ")
    case .time(let time): return "\(time)"
    case .date(let date): return "\(date)"
    }
  }

  /// Form of an answer as it is typed, in brackets behind the question.
  public static func expectation(of item: Item, _ choosing: Choosing = .numbers) -> String {
    if choosing == .codes, !item.kind.options.isEmpty { return codes(of: item.kind) }
    return switch item.kind {
    case .text: "text"
    case .email: "name@example.org"
    case .number(let range), .scale(let range), .numberScroll(let range), .minutesScroll(let range):
      words(range)
    case .yesNo: "yes or no"
    case .yesNoDontKnow: "yes, no or d for don't know"
    case .single(let options, let other):
      (numbers(among: options, "a number") + (other ? ["= and your own words"] : []))
        .joined(separator: ", or ")
    case .multiple(let options, let other):
      (numbers(among: options, "numbers with commas,") + (other ? ["= with your own words"] : []))
        .joined(separator: ", and ")
    case .time: "a time such as 23:30"
    case .date: "a date such as 2026-03-29"
    case .group, .info: ""
    }
  }

  /// - Returns: Nothing where there are no options.
  private static func numbers(among options: [Option], _ noun: String) -> [String] {
    let numbers = numbers(of: options)
    guard let least = numbers.min(), let greatest = numbers.max() else { return [] }
    return [least == greatest ? "the number \(least)" : "\(noun) from \(least) to \(greatest)"]
  }

  private static func codes(of kind: ItemKind) -> String {
    let codes = kind.options.map { "\"\($0.code)\"" }.joined(separator: ", ")
    return switch kind {
    case .single(_, let other): "one of \(codes)" + (other ? ", or = and words of their own" : "")
    case .multiple(_, let other): "some of \(codes), with commas" + (other ? ", and = with own words" : "")
    default: codes
    }
  }

  private static func words(_ range: NumberRange) -> String {
    let unit = range.unit.map { " \($0)" } ?? ""
    if range.isWhole {
      let ends =
        switch (range.least, range.greatest) {
        case (let least?, let greatest?):
          " from \(NumberText.exact(least)) to \(NumberText.exact(greatest))"
        case (let least?, nil): " of at least \(NumberText.exact(least))"
        case (nil, let greatest?): " of at most \(NumberText.exact(greatest))"
        case (nil, nil): ""
        }
      // Only thousands are written in groups.
      let form = range.greatest.map { $0 >= 1000 } ?? true ? ", without a comma or point" : ""
      return "a whole number\(ends)\(unit)\(form)"
    }
    return switch (range.least, range.greatest) {
    case (let least?, let greatest?): "\(NumberText.exact(least)) to \(NumberText.exact(greatest))\(unit)"
    case (let least?, nil): "\(NumberText.exact(least)) or more\(unit)"
    case (nil, let greatest?): "up to \(NumberText.exact(greatest))\(unit)"
    case (nil, nil): "a number\(unit)"
    }
  }
}

extension ItemKind {
  /// Options to choose from; none for other kinds.
  public var options: [Option] {
    switch self {
    case .single(let options, _), .multiple(let options, _): options
    default: []
    }
  }
}

extension String {
  var trimmingSpaces: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
