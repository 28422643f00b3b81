import Base

/// One method of the control protocol: its stored properties are its parameters, ``Reply`` is its answer.
///
/// The text on the socket is `{"jsonrpc":"2.0","id":1,"method":"program.use","params":{"program":"music"}}`, one object
/// a line.
package protocol ControlMethod: Codable, Sendable {
  /// The answer when it succeeds.
  associatedtype Reply: Codable & Sendable

  /// Name, access, parameters and answer: for the server, which checks them, and for the manual page.
  static var description: MethodDescription { get }

  /// Refuses parameters of which each is right and all together are not.
  ///
  /// - Throws: ``ControlFailure`` with code `invalidParameters`.
  func check() throws(ControlFailure)
}

extension ControlMethod {
  package func check() {}

  /// Name on the socket, `program.use`.
  package static var name: String { description.name }

  /// Reads named parameters. Parameters that are not known are ignored, so that newer clients can talk to older daemons.
  ///
  /// - Throws: ``ControlFailure`` with code `invalidParameters`, which names the first wrong one.
  package init(parameters: JSONValue?) throws(ControlFailure) {
    let value = parameters ?? .object([])
    guard case .object(let members) = value.content else {
      throw .parameter("params", found: value.kind, expected: "an object of named parameters")
    }
    for parameter in Self.description.parameters {
      try parameter.check(members.first { $0.key == parameter.name }?.value)
    }
    do {
      self = try JSON.value(Self.self, from: value)
    } catch {
      throw ControlFailure(.invalidParameters, "\((error as? DecodingError)?.words ?? "\(error)").")
    }
    try check()
  }
}

/// A method in words, and as the server checks its parameters.
package struct MethodDescription: Sendable {
  package let name: String
  package let access: Access
  /// The effect, one sentence.
  package let effect: String
  package let parameters: [MethodParameter]
  /// Content of the answer, a clause; empty: an empty object.
  package let answer: String
  package let conduct: Conduct

  /// Place of a method among the others that a server carries out.
  package enum Conduct: Sendable {
    /// Carried out in its turn; it ends with its answer.
    case brief
    /// Silences: carried out before every other request that has come, and without a place among the clients, so that nobody
    /// can keep a wearer's silence out. Silence is what a person needs at once when a sound hurts, and the one thing of which
    /// too much harms nobody.
    case silencing
    /// Goes on after its answer, and ends with its connection: a subscription, a feedback test, debug mode. Its client needs a
    /// place of its own.
    case staying
    /// Called many times a minute by a person: not noted each time.
    case frequent
    /// Notes itself what comes of it, of many a few: anybody can have it called again and again.
    case sparing
  }

  package init(
    _ name: String, for access: Access, _ effect: String, _ parameters: [MethodParameter] = [],
    answer: String, conduct: Conduct = .brief
  ) {
    (self.name, self.access, self.effect) = (name, access, effect)
    (self.parameters, self.answer, self.conduct) = (parameters, answer, conduct)
  }
}

/// One named parameter of a method.
package struct MethodParameter: Sendable {
  /// The values that are accepted.
  package enum Kind: Sendable {
    case text
    case whole(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    case boolean
    /// A list of some of these words, not an empty one.
    case words([String])
    /// An object; the words say of what.
    case object(String)
  }

  package let name: String
  package let kind: Kind
  package let isOptional: Bool
  /// A clause, with its unit and, of an optional one, its default.
  package let meaning: String

  package init(_ name: String, _ kind: Kind, isOptional: Bool = false, _ meaning: String) {
    (self.name, self.kind, self.isOptional, self.meaning) = (name, kind, isOptional, meaning)
  }

  /// The accepted values in words: `a whole number, 1 to 1000`.
  package var expected: String {
    switch kind {
    case .text: "a text"
    case .whole(let range): "a whole number, \(range.lowerBound) to \(range.upperBound)"
    case .number(let range):
      "a number, \(NumberText.exact(range.lowerBound)) to \(NumberText.exact(range.upperBound))"
    case .boolean: "true or false"
    case .words(let words): "a list of \(English.list(words.map { "\"\($0)\"" }, "and"))"
    case .object(let words): words
    }
  }

  /// - Parameter value: Nil or null: not given.
  /// - Throws: ``ControlFailure`` when it is missing, of another kind or out of range.
  func check(_ value: JSONValue?) throws(ControlFailure) {
    guard let value, value.content != .null else {
      guard isOptional else { throw .parameter(name, found: "nothing", expected: expected) }
      return
    }
    if let found = mistake(in: value) { throw .parameter(name, found: found, expected: expected) }
  }

  /// The value in words where it is not accepted; nil where it is.
  private func mistake(in value: JSONValue) -> String? {
    switch (kind, value.content) {
    case (.text, .text), (.boolean, .boolean), (.object, .object): return nil
    case (.whole(let range), .number(let number)):
      return Int(exactly: number).map(range.contains) == true ? nil : NumberText.exact(number)
    case (.number(let range), .number(let number)):
      return range.contains(number) ? nil : NumberText.exact(number)
    case (.words, .array([])): return "an empty list"
    case (.words(let words), .array(let elements)):
      let other = elements.first { element in !words.contains { element == .text($0) } }
      return other?.shown
    default: return value.kind
    }
  }
}

extension ControlFailure {
  /// A parameter that is not as expected.
  package static func parameter(_ name: String, found: String, expected: String) -> ControlFailure {
    ControlFailure(.invalidParameters, "\(name): found \(found), expected \(expected).")
  }
}

extension JSONValue {
  /// For messages: a text in quotation marks, its first 64 characters; of anything else the kind.
  var shown: String { if case .text(let text) = content { "\"\(text.prefix(64))\"" } else { kind } }
}
