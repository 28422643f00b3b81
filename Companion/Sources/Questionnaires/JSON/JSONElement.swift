import Base

/// A JSON object with its path, all of whose members must be read: what is not understood is refused, so that nothing is lost without a word.
package struct JSONElement {
  package let path: String
  package let json: JSONValue

  package init(_ json: JSONValue, _ path: String = "") { (self.json, self.path) = (json, path) }

  package func fault(_ member: String, _ found: String, expected: String) -> JSONFault {
    JSONFault(path: place(of: member), found: found, expected: expected)
  }

  /// Path of a member.
  package func place(of member: String) -> String {
    path.isEmpty ? member : member.isEmpty ? path : "\(path).\(member)"
  }

  private func kind(_ value: JSONValue?) -> String { value?.kind ?? "nothing" }

  package func optionalText(_ key: String) throws(JSONFault) -> String? {
    guard let value = json[key] else { return nil }
    guard case .text(let text) = value.content, !text.isEmpty else {
      throw fault(key, value.content == .text("") ? "an empty text" : kind(value), expected: "a text")
    }
    return text
  }

  package func text(_ key: String) throws(JSONFault) -> String {
    guard let text = try optionalText(key) else { throw fault(key, "nothing", expected: "a text") }
    return text
  }

  package func optionalNumber(_ key: String) throws(JSONFault) -> Double? {
    guard let value = json[key] else { return nil }
    guard case .number(let number) = value.content else {
      throw fault(key, kind(value), expected: "a number")
    }
    return number
  }

  package func optionalWhole(_ key: String) throws(JSONFault) -> Int? {
    guard let number = try optionalNumber(key) else { return nil }
    guard number.rounded() == number, abs(number) <= 1e9 else {
      throw fault(key, "\(number)", expected: "a whole number up to a thousand million")
    }
    return Int(number)
  }

  package func flag(_ key: String) throws(JSONFault) -> Bool { try optionalFlag(key) ?? false }

  package func optionalFlag(_ key: String) throws(JSONFault) -> Bool? {
    guard let value = json[key] else { return nil }
    guard case .boolean(let flag) = value.content else {
      throw fault(key, kind(value), expected: "true or false")
    }
    return flag
  }

  package func element(_ key: String) throws(JSONFault) -> JSONElement? {
    guard let value = json[key] else { return nil }
    guard case .object = value.content else { throw fault(key, kind(value), expected: "an object") }
    return JSONElement(value, place(of: key))
  }

  package func list(_ key: String) throws(JSONFault) -> [JSONElement] {
    var result: [JSONElement] = []
    for (index, element) in try values(key).enumerated() {
      let name = "\(place(of: key))[\(index)]"
      guard case .object = element.content else {
        throw JSONFault(path: name, found: element.kind, expected: "an object")
      }
      result.append(JSONElement(element, name))
    }
    return result
  }

  /// Elements of a list of any kind; none where there is no list.
  package func values(_ key: String) throws(JSONFault) -> [JSONValue] {
    guard let value = json[key] else { return [] }
    guard case .array(let elements) = value.content else {
      throw fault(key, kind(value), expected: "a list")
    }
    return elements
  }

  /// Refuses members beside these.
  package func expectOnly(_ keys: Set<String>) throws(JSONFault) {
    guard case .object(let members) = json.content else {
      throw fault("", json.kind, expected: "an object")
    }
    if let unknown = members.first(where: { !keys.contains($0.key) }) {
      throw fault(
        unknown.key, "a member that is not understood", expected: "\(keys.sorted().joined(separator: ", "))"
      )
    }
  }
}
