/// Numbers for people: rounded, with a unit, the same in every language.
package enum NumberText {
  /// `value` with `places` decimals, rounded half away from zero; a dash for none.
  package static func fixed(_ value: Double?, _ places: Int = 1) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    // Whatever another program's answer says: 64 bits hold it.
    guard let value, value.isFinite, abs(value) * scale < 1e18 else { return "–" }
    let units = Int64((abs(value) * scale).rounded())
    let sign = value < 0 && units > 0 ? "−" : ""
    guard places > 0 else { return "\(sign)\(units)" }
    let fraction = String(units % Int64(scale))
    return
      "\(sign)\(units / Int64(scale)).\(String(repeating: "0", count: places - fraction.count))\(fraction)"
  }

  /// `12 %`, below ten with one decimal.
  package static func percent(_ share: Double) -> String {
    let percent = share * 100
    return fixed(percent, percent < 10 ? 1 : 0) + " %"
  }

  /// `5.2 ms`.
  package static func milliseconds(_ seconds: Double?) -> String {
    fixed(seconds.map { $0 * 1000 }, 2) + " ms"
  }

  /// `3 h 12 min`, `12 min`, `5 s`.
  package static func duration(_ seconds: Double) -> String {
    let total = Int64(max(0, min(seconds, 1e12)))
    if total >= 86_400 { return "\(total / 86_400) d \(total % 86_400 / 3600) h" }
    if total >= 3600 { return "\(total / 3600) h \(total % 3600 / 60) min" }
    if total >= 60 { return "\(total / 60) min" }
    return "\(total) s"
  }
}
