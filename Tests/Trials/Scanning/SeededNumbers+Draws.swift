import Base
import Glibc

extension SeededNumbers {
  /// A number evenly distributed in a range.
  mutating func even(_ range: ClosedRange<Float>) -> Float { Float.random(in: range, using: &self) }

  /// A normally distributed number, mean 0 and standard deviation 1 (Box and Muller 1958).
  mutating func normal() -> Float {
    let u = Double.random(in: 0..<1, using: &self)
    let v = Double.random(in: 0..<1, using: &self)
    return Float((-2 * log(1 - u)).squareRoot() * cos(2 * .pi * v))
  }
}
