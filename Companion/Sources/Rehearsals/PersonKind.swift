import Base

/// Ways in which simulated people take part.
public enum PersonKind: String, Sendable, Hashable, CaseIterable {
  /// Answers everything within the first hour.
  case punctual
  /// Leaves out a third, comes late, stops in the middle.
  case forgetful
  /// Nine hours away or more on the fourth day, and back on the tenth.
  case travelling
  /// Answers so that every gateway opens.
  case everyGateway = "every-gateway"
  /// Answers so that none does.
  case noGateway = "no-gateway"
  /// Ends the part on some day.
  case withdrawing

  /// Kinds by turns: whoever looks at six people has seen each.
  static func of(_ number: Int) -> PersonKind { allCases[number % allCases.count] }

  /// Share of occurrences that are left out. Own choice: a third, so that a reminder has something to do.
  var omission: Double { self == .forgetful ? 1 / 3 : 0.02 }

  /// Share of questionnaires that are begun and not completed.
  var breakOff: Double { self == .forgetful ? 0.1 : 0 }
}

/// Everything that a person does is drawn from numbers of their own: the same for the same seed, however many take part.
struct PersonNumbers {
  private var numbers: SeededNumbers

  init(seed: UInt64, person: Int) {
    numbers = SeededNumbers(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(person))
  }

  /// Of what a person hears: apart from ``init(seed:person:)``, so that a study that measures nothing is rehearsed with the same numbers.
  static func listenerSeed(_ seed: UInt64, _ person: Int) -> UInt64 {
    var numbers = SeededNumbers(seed: ~seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(person))
    return numbers.next()
  }

  mutating func happens(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &numbers) < share }
  mutating func whole(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &numbers) }
  mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &numbers) }
  mutating func seed() -> UInt64 { numbers.next() }
  mutating func one<Element>(of list: [Element]) -> Element? { list.randomElement(using: &numbers) }
  mutating func some<Element>(of list: [Element]) -> [Element] { list.filter { _ in happens(0.4) } }

  /// As a UUID of version 4 is written (RFC 9562).
  mutating func id() -> String {
    let digits = Array(hex(numbers.next()) + hex(numbers.next()))
    let parts = [
      digits[0..<8], digits[8..<12], ["4"] + digits[13..<16], ["8"] + digits[17..<20], digits[20..<32],
    ]
    return parts.map { String($0) }.joined(separator: "-")
  }

  private func hex(_ number: UInt64) -> [Character] {
    let digits = Array(String(number, radix: 16))
    return Array(repeating: "0", count: 16 - digits.count) + digits
  }
}
