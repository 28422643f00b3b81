import Base

/// A JSON object of FHIR with its path, all of whose members must be read: what is not understood is refused, so that nothing is lost without
/// a word.
struct FHIRElement {
  let path: String
  let json: JSONValue

  init(_ json: JSONValue, _ path: String) { (self.json, self.path) = (json, path) }

  func error(_ member: String, _ found: String, expected: String) -> FHIRError {
    FHIRError(
      path: path.isEmpty ? member : member.isEmpty ? path : "\(path).\(member)", found: found,
      expected: expected)
  }

  private func kind(_ value: JSONValue?) -> String { value?.kind ?? "nothing" }

  func optionalText(_ key: String) throws(FHIRError) -> String? {
    guard let value = json[key] else { return nil }
    guard case .text(let text) = value.content, !text.isEmpty else {
      throw error(key, kind(value), expected: "a text")
    }
    return text
  }

  func text(_ key: String) throws(FHIRError) -> String {
    guard let text = try optionalText(key) else { throw error(key, "nothing", expected: "a text") }
    return text
  }

  func optionalNumber(_ key: String) throws(FHIRError) -> Double? {
    guard let value = json[key] else { return nil }
    guard case .number(let number) = value.content else {
      throw error(key, kind(value), expected: "a number")
    }
    return number
  }

  func optionalWhole(_ key: String) throws(FHIRError) -> Int? {
    guard let number = try optionalNumber(key) else { return nil }
    guard number.rounded() == number, abs(number) <= 1e9 else {
      throw error(key, "\(number)", expected: "a whole number up to a thousand million")
    }
    return Int(number)
  }

  func flag(_ key: String) throws(FHIRError) -> Bool {
    guard let value = json[key] else { return false }
    guard case .boolean(let flag) = value.content else {
      throw error(key, kind(value), expected: "true or false")
    }
    return flag
  }

  func element(_ key: String) throws(FHIRError) -> FHIRElement? {
    guard let value = json[key] else { return nil }
    guard case .object = value.content else { throw error(key, kind(value), expected: "an object") }
    return FHIRElement(value, path.isEmpty ? key : "\(path).\(key)")
  }

  func list(_ key: String) throws(FHIRError) -> [FHIRElement] {
    guard let value = json[key] else { return [] }
    guard case .array(let elements) = value.content else {
      throw error(key, kind(value), expected: "a list")
    }
    var result: [FHIRElement] = []
    for (index, element) in elements.enumerated() {
      let name = path.isEmpty ? "\(key)[\(index)]" : "\(path).\(key)[\(index)]"
      guard case .object = element.content else {
        throw FHIRError(path: name, found: element.kind, expected: "an object")
      }
      result.append(FHIRElement(element, name))
    }
    return result
  }

  /// Refuses members beside these.
  func expectOnly(_ keys: Set<String>) throws(FHIRError) {
    guard case .object(let members) = json.content else {
      throw error("", json.kind, expected: "an object")
    }
    if let unknown = members.first(where: { !keys.contains($0.key) }) {
      throw error(
        unknown.key, "a member that is not understood", expected: "\(keys.sorted().joined(separator: ", "))"
      )
    }
  }

  /// Extensions by their URL, each of which must be known.
  func extensions(_ known: Set<String>) throws(FHIRError) -> [String: FHIRElement] {
    var result: [String: FHIRElement] = [:]
    for element in try list("extension") {
      let url = try element.text("url")
      guard known.contains(url) else {
        throw element.error(
          "url", "the unknown extension \(url)",
          expected: "one of \(known.sorted().joined(separator: ", "))")
      }
      guard result[url] == nil else { throw element.error("url", "\(url) twice", expected: "it once") }
      result[url] = element
    }
    return result
  }

  /// A text with the translations beside it.
  func localized(_ key: String) throws(FHIRError) -> LocalizedText? {
    guard let text = try optionalText(key) else { return nil }
    guard let beside = try element("_" + key) else { return LocalizedText(text) }
    try beside.expectOnly(["extension"])
    var translations: [String: String] = [:]
    for part in try beside.list("extension") {
      guard try part.text("url") == FHIRTerms.translation else {
        throw part.error("url", "an unknown extension", expected: FHIRTerms.translation)
      }
      let fields = try part.list("extension")
      guard fields.count == 2, try fields[0].text("url") == "lang", try fields[1].text("url") == "content"
      else {
        throw part.error("extension", "other parts", expected: "lang and content")
      }
      translations[try fields[0].text("valueCode")] = try fields[1].text("valueString")
    }
    return LocalizedText(text, translations)
  }
}
