/// Numbers as they are printed: a true minus sign, a fixed count of decimals.
enum Decimal {
  /// - Parameter places: Decimals, 0…6.
  static func text(_ value: Double, places: Int = 0) -> String {
    precondition((0...6).contains(places))
    guard value.isFinite, abs(value) < 1e12 else { return "–" }
    let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
    let scaled = Int((abs(value) * Double(scale)).rounded())
    var text = String(scaled / scale)
    if places > 0 {
      let fraction = String(scaled % scale)
      text += "." + String(repeating: "0", count: places - fraction.count) + fraction
    }
    return value < 0 && scaled != 0 ? "−" + text : text
  }
}
