import Acoustics
import Glibc

/// Numbers as a person reads them.
enum DecibelText {
  /// "65.0 dB".
  static func level(_ level: SoundPressureLevel) -> String { decibels(level.decibels) }

  /// "−3.2 dB", "silence" for −∞.
  static func decibels(_ value: Double) -> String {
    value.isFinite ? "\(fixed(value, digits: 1)) dB" : "silence"
  }

  /// "12.34 s".
  static func seconds(_ time: Double) -> String { "\(fixed(time, digits: 2)) s" }

  /// A number with a fixed number of decimals and a true minus sign.
  static func fixed(_ value: Double, digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let rounded = (abs(value) * scale).rounded()
    // Beyond this a double has no decimals, and 64 bits may not hold it.
    guard rounded < 1e15 else { return value < 0 ? "−\(abs(value))" : "\(value)" }
    let whole = Int(rounded / scale)
    let sign = value < 0 && rounded > 0 ? "−" : ""
    guard digits > 0 else { return "\(sign)\(whole)" }
    let part = String(Int(rounded) - whole * Int(scale))
    return "\(sign)\(whole).\(String(repeating: "0", count: digits - part.count))\(part)"
  }
}
