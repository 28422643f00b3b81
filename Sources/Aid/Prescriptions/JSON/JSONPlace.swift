import Base

/// A value within a JSON text, and the way to it, so that a refusal can name the place.
struct JSONPlace {
  let value: JSONValue
  /// `entry[3].resource.component[2].valueQuantity.value`; empty at the top.
  let path: String

  init(_ value: JSONValue, path: String = "") {
    self.value = value
    self.path = path
  }

  /// Reads a JSON text.
  ///
  /// - Throws: ``PrescriptionError/invalidContent(place:reason:)``.
  init(reading bytes: [UInt8]) throws(PrescriptionError) {
    do { self.init(try JSONValue(bytes)) } catch {
      throw .invalidContent(place: "byte \(error.position.offset)", reason: error.words)
    }
  }

  /// Makes a value whose refusal becomes this place's.
  func making<Value>(_ make: () throws -> Value) throws(PrescriptionError) -> Value {
    do { return try make() } catch { throw failure("\(error)") }
  }

  func failure(_ reason: String) -> PrescriptionError {
    .invalidContent(place: path.isEmpty ? "the content" : path, reason: reason)
  }

  private func unexpected(_ expected: String) -> PrescriptionError {
    failure("found \(value.kind), expected \(expected)")
  }

  /// The members of an object that may have only these.
  func members(_ allowed: String...) throws(PrescriptionError) -> JSONMembers { try members(allowed) }

  func members(_ allowed: [String]) throws(PrescriptionError) -> JSONMembers {
    let found = try anyMembers()
    for member in found.members where !allowed.contains(member.key) {
      throw failure("found a member \"\(PrintableText.short(member.key))\" that has no place here")
    }
    return found
  }

  /// A member of an object that may have others; nil when it is missing.
  func member(_ key: String) -> JSONPlace? { (try? anyMembers())?.optional(key) }

  /// The members of an object that may have any.
  func anyMembers() throws(PrescriptionError) -> JSONMembers {
    guard case .object(let members) = value.content else { throw unexpected("an object") }
    return JSONMembers(place: self, members: members)
  }

  /// The elements of a list.
  func elements(_ counts: ClosedRange<Int>) throws(PrescriptionError) -> [JSONPlace] {
    guard case .array(let elements) = value.content else { throw unexpected("a list") }
    guard counts.contains(elements.count) else {
      throw failure(
        "found \(elements.count) elements, expected \(counts.lowerBound)"
          + (counts.count == 1 ? "" : " to \(counts.upperBound)"))
    }
    return elements.enumerated().map { JSONPlace($1, path: "\(path)[\($0)]") }
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

/// The members of one object.
struct JSONMembers {
  let place: JSONPlace
  let members: [JSONValue.Member]

  func optional(_ key: String) -> JSONPlace? {
    members.first { $0.key == key }.map {
      JSONPlace($0.value, path: place.path.isEmpty ? key : "\(place.path).\(key)")
    }
  }

  func callAsFunction(_ key: String) throws(PrescriptionError) -> JSONPlace {
    guard let found = optional(key) else { throw place.failure("\"\(key)\" is missing") }
    return found
  }
}
