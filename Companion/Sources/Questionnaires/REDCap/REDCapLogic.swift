/// REDCap's branching logic, `[sex] = '1' and [age] >= 18`, as far as conditions of a questionnaire can say it.
indirect enum REDCapLogic: Hashable {
  case comparison(Comparison)
  case all([REDCapLogic])
  case any([REDCapLogic])

  struct Comparison: Hashable {
    var field: String
    /// Of a checkbox, the option.
    var code: String?
    var relation: String
    var value: String
  }

  /// Part of the text that is not understood.
  struct Fault: Error, Hashable { let found: String }

  /// Deepest nesting of brackets, and most letters. Own choice: what people write has a tenth of it.
  private static let deepest = 16
  private static let longest = 4000

  init(_ text: String) throws(Fault) {
    guard text.utf8.count <= Self.longest else { throw Fault(found: "\(text.utf8.count) letters") }
    var parser = Parser(rest: Array(text)[...])
    self = try parser.any(depth: 0)
    parser.skipSpace()
    guard parser.rest.isEmpty else { throw parser.fault }
  }

  private struct Parser {
    var rest: ArraySlice<Character>

    var fault: Fault { Fault(found: rest.isEmpty ? "its end" : "\"\(String(rest.prefix(20)))\"") }

    mutating func skipSpace() { rest = rest.drop(while: \.isWhitespace) }

    mutating func take(_ word: String) -> Bool {
      skipSpace()
      guard rest.count >= word.count, zip(rest, word).allSatisfy({ $0.lowercased() == $1.lowercased() })
      else { return false }
      let after = rest.dropFirst(word.count)
      // "and" of "android" is no word.
      if word.last?.isLetter == true, after.first?.isLetter == true { return false }
      rest = after
      return true
    }

    mutating func any(depth: Int) throws(Fault) -> REDCapLogic {
      var parts = [try all(depth: depth)]
      while take("or") { parts.append(try all(depth: depth)) }
      return parts.count == 1 ? parts[0] : .any(parts)
    }

    mutating func all(depth: Int) throws(Fault) -> REDCapLogic {
      var parts = [try single(depth: depth)]
      while take("and") { parts.append(try single(depth: depth)) }
      return parts.count == 1 ? parts[0] : .all(parts)
    }

    mutating func single(depth: Int) throws(Fault) -> REDCapLogic {
      guard depth <= REDCapLogic.deepest else { throw fault }
      if take("(") {
        let inner = try any(depth: depth + 1)
        guard take(")") else { throw fault }
        return inner
      }
      guard take("[") else { throw fault }
      let name = word(until: "(]")
      var code: String?
      if take("(") {
        code = word(until: ")")
        guard take(")") else { throw fault }
      }
      guard take("]"), !name.isEmpty else { throw fault }
      guard let relation = ["<>", "!=", "<=", ">=", "=", "<", ">"].first(where: { take($0) }) else {
        throw fault
      }
      return .comparison(
        Comparison(
          field: name, code: code, relation: relation == "!=" ? "<>" : relation, value: try value()))
    }

    private mutating func word(until ends: String) -> String {
      let word = rest.prefix { !ends.contains($0) }
      rest = rest.dropFirst(word.count)
      return String(word)
    }

    private mutating func value() throws(Fault) -> String {
      skipSpace()
      if let quote = rest.first, quote == "'" || quote == "\"" {
        rest = rest.dropFirst()
        let text = word(until: String(quote))
        guard take(String(quote)) else { throw fault }
        return text
      }
      let number = String(rest.prefix { $0.isNumber || ".-".contains($0) })
      guard Double(number) != nil else { throw fault }
      rest = rest.dropFirst(number.count)
      return number
    }
  }
}
