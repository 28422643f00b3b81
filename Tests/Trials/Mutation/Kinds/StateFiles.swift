import CFFTW
import Service

/// Everything that a daemon keeps beside the book's pages: caches, what was chosen and measured, keys, notes, locks,
/// and what a killed one leaves.
struct StateFiles: MutationKind {
  /// Files of a folder that a killed daemon leaves: the log of the database has what its pages lack.
  private static let log = "book/book.sqlite-wal"

  static let good: Set<String> = ["opened", "opened, changed", "wisdom recalled"]

  let shelf: MaterialShelf
  private let fixtures: Fixtures
  private let folder: String

  init(_ fixtures: Fixtures, scratch: String) throws {
    self.fixtures = fixtures
    folder = scratch + "/state"
    var items: [MaterialShelf.Item] = []
    for (name, bytes) in fixtures.used.sorted(by: { $0.key < $1.key }) where name != "book/book.sqlite" {
      let material: any MutationMaterial =
        name.hasSuffix(".json") ? JSONMaterial(bytes) : ByteMaterial(bytes, places: 0..<400)
      items.append(MaterialShelf.Item(name: name, material: material))
    }
    items.append(
      MaterialShelf.Item(name: "wisdom", material: TextMaterial(fixtures.used["wisdom"] ?? [])))
    if let log = fixtures.killed[Self.log], !log.isEmpty {
      items.append(
        MaterialShelf.Item(name: Self.log, material: ByteMaterial(log, places: 0..<80)))
    }
    shelf = MaterialShelf(items)
  }

  mutating func outcome(of input: MutatedInput) throws -> String {
    var state = input.name == Self.log ? fixtures.killed : fixtures.used
    state[input.name] = input.bytes
    Fixtures.lay(state, at: folder)
    guard input.name == "wisdom" else { return try DamagedState.outcome(in: folder) }
    return try Self.wisdom(in: folder)
  }

  /// A cache that is understood is used; planning without one takes too long for every case.
  static func wisdom(in folder: String) throws -> String {
    fftwf_forget_wisdom()
    let daemon = try DevicelessDaemon(paths: Fixtures.paths(folder))
    let recall = daemon.recallWisdom()
    if recall == "recalled" { try daemon.makeChain() }
    return recall == "damaged" ? "note: wisdom damaged" : "wisdom \(recall)"
  }
}
