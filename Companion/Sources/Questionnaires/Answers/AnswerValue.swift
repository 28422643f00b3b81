import Almanac
import Base

/// An answer to one question.
public enum AnswerValue: Sendable, Hashable {
  case text(String)
  case number(Double)
  case yes(Bool)
  case dontKnow
  /// Codes in the order of the question's options, and a text of one's own.
  case choices([String], other: String?)
  case time(LocalTime)
  case date(CalendarDate)

  /// A single choice.
  public static func choice(_ code: String) -> AnswerValue { .choices([code], other: nil) }

  /// The answer with several choices in the order of the question's options: the same ones are one answer, in
  /// whatever order they were given.
  public func inOrder(of item: Item) -> AnswerValue {
    guard case .choices(let codes, let other) = self, codes.count > 1,
      case .multiple(let options, _) = item.kind
    else { return self }
    let places = Dictionary(options.enumerated().map { ($1.code, $0) }) { first, _ in first }
    let end = options.count
    return .choices(codes.sorted { places[$0, default: end] < places[$1, default: end] }, other: other)
  }

  /// Kind, for messages.
  var words: String {
    switch self {
    case .text: "a text"
    case .number(let number): "the number \(NumberWords.of(number))"
    case .yes(let yes): yes ? "yes" : "no"
    case .dontKnow: "\"don't know\""
    case .choices(let codes, let other):
      (codes.map { "\"\($0)\"" } + (other == nil ? [] : ["another answer"])).joined(separator: ", ")
    case .time(let time): "the time \(time)"
    case .date(let date): "the date \(date)"
    }
  }
}

/// A question's place: its id, and in repeated groups which repetition of each, outermost first, from 0.
public struct AnswerKey: Sendable, Hashable {
  public let item: String
  public let repetition: [Int]

  public init(_ item: String, _ repetition: [Int] = []) {
    (self.item, self.repetition) = (item, repetition)
  }
}

/// An answer that is not taken. The others stay.
public struct AnswerRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  public let item: String
  public let found: String
  public let expected: String

  public init(item: String, found: String, expected: String) {
    (self.item, self.found, self.expected) = (item, found, expected)
  }

  public var description: String { "\(item): found \(found); expected \(expected)" }
}

extension Item {
  /// Refuses a value that does not answer this question.
  ///
  /// - Throws: ``AnswerRefusal`` with what was found and what was expected.
  public func check(_ value: AnswerValue) throws(AnswerRefusal) {
    if let expected = refusal(of: value) {
      throw AnswerRefusal(item: id, found: value.words, expected: expected)
    }
  }

  /// Most letters of a text without a limit of its own. Own choice: ten pages.
  static let longestText = 20_000

  /// Most letters that a limit of a text's own may allow; the check refuses a greater one. Own choice:
  /// sixteen pages, which are read whole from standard input.
  public static let mostLetters = 32_000

  /// Most bytes of a letter, on average: a letter may have any number of marks.
  static let bytesOfLetter = 8

  /// Most bytes of a text that any question takes.
  public static let mostBytes = mostLetters * bytesOfLetter

  /// The expectation that it misses; nil for an answer that is taken.
  private func refusal(of value: AnswerValue) -> String? {
    switch (kind, value) {
    case (.text(let most), .text(let text)):
      if text.isEmpty { return "some text, or no answer" }
      let limit = most ?? Self.longestText
      let isShort = text.utf8.count <= limit * Self.bytesOfLetter && text.count <= limit
      return isShort ? ControlCharacter.refusal(of: text) : "at most \(limit) letters"
    case (.email, .text(let text)):
      return EmailAddress.isOne(text) ? nil : "an address such as ada@example.org"
    case (.number(let range), .number(let number)), (.scale(let range), .number(let number)),
      (.numberScroll(let range), .number(let number)), (.minutesScroll(let range), .number(let number)):
      return range.contains(number) ? nil : range.words
    case (.yesNo, .yes), (.yesNoDontKnow, .yes), (.yesNoDontKnow, .dontKnow), (.time, .time): return nil
    case (.date(let from, let to), .date(let date)):
      if let from, date < from { return "a date from \(from) on" }
      if let to, date > to { return "a date up to \(to)" }
      return nil
    case (.single(let options, let other), .choices(let codes, let own)),
      (.multiple(let options, let other), .choices(let codes, let own)):
      return refusal(of: codes, own, among: options, other)
    default: return expectation
    }
  }

  private func refusal(
    of codes: [String], _ own: String?, among options: [Option], _ other: Bool
  ) -> String? {
    if let own, let refusal = ControlCharacter.refusal(of: own) { return refusal }
    let known = options.map(\.code)
    let isOnce = Set(codes).count == codes.count
    let isKnown = codes.allSatisfy(known.contains) && (own == nil || (other && own?.isEmpty == false))
    let count = codes.count + (own == nil ? 0 : 1)
    let isRightCount = if case .single = kind { count == 1 } else { count >= 1 }
    return isOnce && isKnown && isRightCount ? nil : expectation
  }

  private var expectation: String {
    switch kind {
    case .text, .email: "a text"
    case .number(let range), .scale(let range), .numberScroll(let range), .minutesScroll(let range):
      range.words
    case .yesNo: "yes or no"
    case .yesNoDontKnow: "yes, no or \"don't know\""
    case .single(let options, let other): "one of \(Self.list(options, other))"
    case .multiple(let options, let other): "some of \(Self.list(options, other)), each once"
    case .time: "a time such as 23:30"
    case .date: "a date such as 2026-03-29"
    case .group, .info: "no answer, as it asks nothing"
    }
  }

  private static func list(_ options: [Option], _ other: Bool) -> String {
    (options.map { "\"\($0.code)\"" } + (other ? ["another answer"] : [])).joined(separator: ", ")
  }
}

/// Addresses as browsers take them (WHATWG, HTML, "valid e-mail address"), in the form that people use.
enum EmailAddress {
  static func isOne(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 254, 1...64 ~= parts[0].count else { return false }
    let isLetter = { (byte: UInt8) in
      (65...90).contains(byte) || (97...122).contains(byte) || (48...57).contains(byte)
    }
    let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts[0].allSatisfy { isLetter($0) || ".!#$%&'*+/=?^_`{|}~-".utf8.contains($0) }
      && labels.count >= 2
      && labels.allSatisfy { label in
        1...63 ~= label.count && label.allSatisfy { isLetter($0) || $0 == UInt8(ascii: "-") }
          && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
      }
  }
}
