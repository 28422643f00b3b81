/// Names as REDCap takes them: small letters, digits and `_`, a letter first.
struct REDCapNames {
  private var taken: Set<String> = ["record_id"]

  /// A name that is not taken yet, as like the id as can be. Own choice: at most 90 of REDCap's 100 letters, so that a number fits.
  mutating func field(_ id: String) -> String {
    let letters = id.lowercased().map { "abcdefghijklmnopqrstuvwxyz0123456789".contains($0) ? $0 : "_" }
    let start = letters.first?.isLetter == true ? "" : "q_"
    let name = start + String(letters.prefix(90))
    var (result, number) = (name, 2)
    while !taken.insert(result).inserted {
      result = "\(name)_\(number)"
      number += 1
    }
    return result
  }

  /// A code of an option: letters, digits and `_`.
  static func code(_ code: String) -> String {
    String(code.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}
