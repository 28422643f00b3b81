/// A measured value and what it must not exceed.
struct Criterion: Codable {
  let name: String
  let found: Double
  let limit: Double

  var isMet: Bool { found <= limit }
}
