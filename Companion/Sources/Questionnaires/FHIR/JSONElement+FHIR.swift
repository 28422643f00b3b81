import Base

extension JSONValue {
  /// True for an extension of FHIR's `itemControl` that names a control.
  func names(control code: String) -> Bool {
    guard case .array(let codings)? = self["valueCodeableConcept"]?["coding"]?.content else { return false }
    return codings.contains { $0["code"] == .text(code) }
  }
}

extension JSONElement {
  /// Extensions by their URL, each of which must be known.
  func extensions(_ known: Set<String>) throws(JSONFault) -> [String: JSONElement] {
    var result: [String: JSONElement] = [:]
    for element in try list("extension") {
      let url = try element.text("url")
      guard known.contains(url) else {
        throw element.fault(
          "url", "the unknown extension \(url)",
          expected: "one of \(known.sorted().joined(separator: ", "))")
      }
      guard result[url] == nil else { throw element.fault("url", "\(url) twice", expected: "it once") }
      result[url] = element
    }
    return result
  }

  /// A text with the translations beside it.
  func localized(_ key: String) throws(JSONFault) -> LocalizedText? {
    guard let text = try optionalText(key) else { return nil }
    guard let beside = try element("_" + key) else { return LocalizedText(text) }
    try beside.expectOnly(["extension"])
    var translations: [String: String] = [:]
    for part in try beside.list("extension") {
      guard try part.text("url") == FHIRTerms.translation else {
        throw part.fault("url", "an unknown extension", expected: FHIRTerms.translation)
      }
      let fields = try part.list("extension")
      guard fields.count == 2, try fields[0].text("url") == "lang", try fields[1].text("url") == "content"
      else {
        throw part.fault("extension", "other parts", expected: "lang and content")
      }
      translations[try fields[0].text("valueCode")] = try fields[1].text("valueString")
    }
    return LocalizedText(text, translations)
  }
}
