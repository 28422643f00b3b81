import Almanac
import Base

/// Kind of an item: which answers it takes, and how it is shown.
public enum ItemKind: Sendable, Hashable {
  /// - maxLength: letters.
  case text(maxLength: Int?)
  case email
  /// Typed.
  case number(NumberRange)
  /// A line from one end to the other, without a beginning in between that would be an answer nobody gave.
  case scale(NumberRange)
  /// A wheel of numbers.
  case numberScroll(NumberRange)
  /// A wheel of minutes.
  case minutesScroll(NumberRange)
  case yesNo
  case yesNoDontKnow
  /// One of several; with `other`, also a text of one's own.
  case single([Option], other: Bool)
  /// Any of several.
  case multiple([Option], other: Bool)
  case time
  /// Within a range, where one is given.
  case date(from: CalendarDate?, to: CalendarDate?)
  /// Items that belong together; repeated, as often as somebody needs, up to so many.
  case group(repeats: Int?)
  /// Text to read.
  case info

  /// True for kinds that take an answer.
  public var isQuestion: Bool {
    switch self {
    case .group, .info: false
    default: true
    }
  }

  /// Its word, as the check and the export write it.
  public var word: String {
    switch self {
    case .text: "text"
    case .email: "email"
    case .number: "number"
    case .scale: "scale"
    case .numberScroll: "number-scroll"
    case .minutesScroll: "minutes-scroll"
    case .yesNo: "yes-no"
    case .yesNoDontKnow: "yes-no-dont-know"
    case .single: "single"
    case .multiple: "multiple"
    case .time: "time"
    case .date: "date"
    case .group(let repeats): repeats == nil ? "group" : "repeating-group"
    case .info: "info"
    }
  }

  /// Numbers it takes; nil for other kinds.
  public var range: NumberRange? {
    switch self {
    case .number(let range), .scale(let range), .numberScroll(let range), .minutesScroll(let range): range
    default: nil
    }
  }
}

/// Numbers from the least to the greatest, in steps.
public struct NumberRange: Sendable, Hashable {
  public var least: Double?
  public var greatest: Double?
  /// Counted from the least, or from 0.
  public var step: Double?
  /// As UCUM writes it, such as "min".
  public var unit: String?

  public init(_ least: Double? = nil, _ greatest: Double? = nil, step: Double? = nil, unit: String? = nil) {
    (self.least, self.greatest, self.step, self.unit) = (least, greatest, step, unit)
  }

  /// True when all its numbers are whole.
  public var isWhole: Bool {
    guard let step else { return false }
    return step.rounded() == step && (least ?? 0).rounded() == least ?? 0
  }

  func contains(_ number: Double) -> Bool {
    guard number.isFinite, number >= least ?? -.infinity, number <= greatest ?? .infinity else {
      return false
    }
    guard let step, step > 0 else { return true }
    let steps = (number - (least ?? 0)) / step
    // Steps such as 0.1 are not exact in binary: a millionth of a step is no other number.
    return abs(steps - steps.rounded()) < 1e-6
  }

  /// "0 to 10 in steps of 0.5 min".
  var words: String {
    let ends =
      switch (least, greatest) {
      case (let least?, let greatest?):
        "a number from \(NumberWords.of(least)) to \(NumberWords.of(greatest))"
      case (let least?, nil): "a number of at least \(NumberWords.of(least))"
      case (nil, let greatest?): "a number of at most \(NumberWords.of(greatest))"
      case (nil, nil): "a number"
      }
    return ends + (step.map { " in steps of \(NumberWords.of($0))" } ?? "") + (unit.map { " \($0)" } ?? "")
  }
}

enum NumberWords {
  /// Without ".0".
  static func of(_ number: Double) -> String {
    number.rounded() == number && abs(number) < 1e15 ? String(Int(number)) : String(number)
  }
}

/// One of several answers to choose from.
public struct Option: Sendable, Hashable {
  /// Its name within the question.
  public var code: String
  public var text: LocalizedText
  /// List of codes that it belongs to, a URL or URN, such as LOINC's.
  public var system: String?
  /// Points that a score counts for it.
  public var points: Double?

  public init(_ code: String, _ text: LocalizedText, system: String? = nil, points: Double? = nil) {
    (self.code, self.text, self.system, self.points) = (code, text, system, points)
  }
}
