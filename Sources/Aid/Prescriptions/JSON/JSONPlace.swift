import Base

/// A value within a JSON text, and the way to it, so that a refusal can name the place.
struct JSONPlace {
  let value: JSONValue
  /// `entry[3].resource.component[2].valueQuantity.value`; empty at the top.
  var path = ""
}

extension JSONPlace {
  /// Reads a JSON text.
  ///
  /// - Throws: ``PrescriptionError/invalidContent(place:reason:)``.
  init(reading bytes: [UInt8]) throws(PrescriptionError) {
    do { self.init(value: try JSONValue(bytes)) } catch {
      throw .invalidContent(place: "byte \(error.position.offset)", reason: error.words)
    }
  }

  /// Makes a value whose refusal becomes this place's, unless it names a place of its own.
  func making<Value>(_ make: () throws -> Value) throws(PrescriptionError) -> Value {
    do { return try make() } catch PrescriptionError.invalidContent(let place, let reason) {
      throw .invalidContent(place: place, reason: reason)
    } catch { throw failure("\(error)") }
  }

  func failure(_ reason: String) -> PrescriptionError {
    .invalidContent(place: path.isEmpty ? "the content" : path, reason: reason)
  }

  private func unexpected(_ expected: String) -> PrescriptionError {
    failure("found \(value.kind), expected \(expected)")
  }

  /// Itself, an object of any members.
  func object() throws(PrescriptionError) -> JSONPlace {
    guard case .object = value.content else { throw unexpected("an object") }
    return self
  }

  /// Itself, an object that may have only these members.
  func members(_ allowed: String...) throws(PrescriptionError) -> JSONPlace {
    guard case .object(let members) = value.content else { throw unexpected("an object") }
    for member in members where !allowed.contains(member.key) {
      throw failure("found a member \"\(PrintableText.short(member.key))\" that has no place here")
    }
    return self
  }

  /// The member of that key; nil when it is missing.
  func optional(_ key: String) -> JSONPlace? {
    value[key].map { JSONPlace(value: $0, path: path.isEmpty ? key : "\(path).\(key)") }
  }

  func callAsFunction(_ key: String) throws(PrescriptionError) -> JSONPlace {
    guard let found = optional(key) else { throw failure("\"\(key)\" is missing") }
    return found
  }

  /// The member of an object that may have no other.
  func sole(_ key: String) throws(PrescriptionError) -> JSONPlace { try members(key)(key) }

  /// The element of a list of one.
  func element() throws(PrescriptionError) -> JSONPlace { try elements(1...1)[0] }

  /// The elements of a list.
  func elements(_ counts: ClosedRange<Int>) throws(PrescriptionError) -> [JSONPlace] {
    guard case .array(let elements) = value.content else { throw unexpected("a list") }
    guard counts.contains(elements.count) else {
      throw failure(
        "found \(elements.count) elements, expected \(counts.lowerBound)"
          + (counts.count == 1 ? "" : " to \(counts.upperBound)"))
    }
    return elements.enumerated().map { JSONPlace(value: $1, path: "\(path)[\($0)]") }
  }

  func text() throws(PrescriptionError) -> String {
    guard case .text(let text) = value.content else { throw unexpected("a text") }
    return text
  }

  /// A text that can only be this one.
  func fixed(_ expected: String) throws(PrescriptionError) {
    let found = try text()
    guard found == expected else {
      throw failure("found \"\(PrintableText.short(found))\", expected \"\(expected)\"")
    }
  }

  func number() throws(PrescriptionError) -> Double {
    guard case .number(let number) = value.content else { throw unexpected("a number") }
    return number
  }

  /// A whole number within `range`.
  func integer(_ range: ClosedRange<Int>) throws(PrescriptionError) -> Int {
    guard let integer = Int(exactly: try number()), range.contains(integer) else {
      throw failure("expected a whole number of \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }
}
