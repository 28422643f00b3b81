import CommonTesting

/// Something valid, and everything that can be done to it: first each field with each extreme, by number, then
/// at random.
protocol MutationMaterial {
  /// As it is.
  var unchanged: [UInt8] { get }
  /// How many single changes there are.
  var count: Int { get }
  /// The material with change `number`, below ``count``.
  func changed(_ number: Int) -> [UInt8]
  /// The material with one to four changes.
  func changed(using dice: inout SeededGenerator) -> [UInt8]
}

/// What a case gives to the reader.
struct MutatedInput {
  /// Which material it was made of.
  let name: String
  let bytes: [UInt8]
}

/// Materials of one kind, their changes numbered through.
struct MaterialShelf {
  struct Item {
    let name: String
    let material: any MutationMaterial
    /// Whether a case of it waits or works long, so that chance does not draw it.
    var isSlow = false
  }

  private let items: [Item]
  /// Number of the first change of each item, and of the first after all.
  private let starts: [Int]
  private let drawn: [Int]

  init(_ items: [Item]) {
    self.items = items
    var starts = [0]
    for item in items { starts.append(starts[starts.count - 1] + item.material.count) }
    self.starts = starts
    drawn = items.indices.filter { !items[$0].isSlow }
  }

  /// The materials as they are.
  var unchanged: [MutatedInput] {
    items.map { MutatedInput(name: $0.name, bytes: $0.material.unchanged) }
  }

  /// How many single changes there are; numbers from here on are drawn.
  var systematic: Int { starts[items.count] }

  /// Case `number`; it does not depend on those before it.
  func input(_ number: Int, seed: UInt64) -> MutatedInput {
    guard number >= systematic else {
      let index = (starts.firstIndex { $0 > number } ?? items.count) - 1
      return MutatedInput(
        name: items[index].name, bytes: items[index].material.changed(number - starts[index]))
    }
    var dice = SeededGenerator(seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
    let item = items[drawn[Int.random(in: drawn.indices, using: &dice)]]
    return MutatedInput(name: item.name, bytes: item.material.changed(using: &dice))
  }

  /// Numbers of a trial of `count` cases: at most three quarters of them single changes, evenly drawn from all.
  func numbers(_ count: Int) -> [Int] {
    let single = min(systematic, count / 4 * 3)
    return (0..<single).map { $0 * systematic / single } + (0..<count - single).map { systematic + $0 }
  }
}

extension MutationMaterial {
  /// How many changes a case that is drawn has.
  static func changes(_ dice: inout SeededGenerator) -> Int { Int.random(in: 1...4, using: &dice) }
}
