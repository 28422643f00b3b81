import ArgumentParser

/// A length of time as people write it: `90s`, `20m`, `8h`, `14d`.
struct TimeSpan: ExpressibleByArgument, CustomStringConvertible {
  private static let units: [(letter: Character, seconds: Int)] = [
    ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1),
  ]

  /// 1 s to a thousand days.
  let seconds: Int

  init(seconds: Int) { self.seconds = seconds }

  /// Nil when `argument` is no whole number with one of the letters, or out of range.
  init?(argument: String) {
    guard let letter = argument.last, let unit = Self.units.first(where: { $0.letter == letter }),
      argument.dropLast().allSatisfy(\.isWholeNumber), let count = Int(argument.dropLast()),
      (1...86_400_000 / unit.seconds).contains(count)
    else { return nil }
    seconds = count * unit.seconds
  }

  var description: String {
    let unit = Self.units.first { seconds % $0.seconds == 0 } ?? ("s", 1)
    return "\(seconds / unit.seconds)\(unit.letter)"
  }

  var defaultValueDescription: String { description }
}
