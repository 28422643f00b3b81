import Control
import Glibc
import Service

/// Every bit of the book's first two pages, of every cache and of every state file, turned one at a time.
struct BitFlips: TrialCases {
  /// Pages of the book.
  private static let pages = 2

  private let fixtures: Fixtures
  private let folder: String
  /// Files with the number of their first bit.
  private let files: [(name: String, bytes: [UInt8], start: Int)]
  private let count: Int
  /// What an undamaged folder gives, by file: what FFTW kept is looked at alone.
  private var whole: [Bool: String] = [:]

  init(_ fixtures: Fixtures, scratch: String) throws {
    self.fixtures = fixtures
    folder = scratch
    var files: [(name: String, bytes: [UInt8], start: Int)] = []
    var count = 0
    for (name, bytes) in fixtures.used.sorted(by: { $0.key < $1.key }) {
      files.append((name, bytes, count))
      let part = name == "book/book.sqlite" ? Self.pages * BookPages.pageSize(bytes) : bytes.count
      count += 8 * min(part, bytes.count)
    }
    self.files = files
    self.count = count
  }

  func numbers(_ wanted: Int) -> [Int] {
    let drawn = min(wanted, count)
    return (0..<drawn).map { $0 * count / drawn }
  }

  func input(_ number: Int, seed: UInt64) -> MutatedInput {
    guard let file = files.last(where: { $0.start <= number }) else {
      return MutatedInput(name: "", bytes: [])
    }
    var bytes = file.bytes
    let bit = number - file.start
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return MutatedInput(name: file.name, bytes: bytes)
  }

  /// Lays out a state folder with one bit turned, for a whole daemon.
  func lay(_ number: Int) {
    var state = fixtures.used
    let input = input(number, seed: 0)
    state[input.name] = input.bytes
    Fixtures.lay(state, at: folder)
  }

  mutating func check() throws {
    guard
      try outcome(of: MutatedInput(name: "book.key", bytes: fixtures.used["book.key"] ?? [])) == "as before"
    else { throw MutationFault(text: "an undamaged folder is not as before") }
  }

  mutating func outcome(of input: MutatedInput) throws -> String {
    let isCache = input.name == "wisdom"
    if whole[isCache] == nil { whole[isCache] = try standing(fixtures.used, isCache) }
    var state = fixtures.used
    state[input.name] = input.bytes
    let found: String
    do { found = try standing(state, isCache) } catch { found = "no start: \(error)" }
    // The folder of this process is in some messages.
    let words = found.split(separator: folder, omittingEmptySubsequences: false).joined(separator: "FOLDER")
    return found == whole[isCache] ? "as before" : "\(input.name): \(words)"
  }

  private func standing(_ state: Fixtures.State, _ isCache: Bool) throws -> String {
    Fixtures.lay(state, at: folder)
    if isCache { return try StateFiles.wisdom(in: folder) }
    let daemon = try DevicelessDaemon(paths: Fixtures.paths(folder))
    let standing = daemon.standing
    let calls: [any ControlMethod] = [
      PrescriptionMethods.List(), BookMethods.VerifyAudit(), BookMethods.ShowAudit(count: 100),
    ]
    for call in calls { _ = try? daemon.answer(call) }
    daemon.passTime()
    return standing
  }
}
