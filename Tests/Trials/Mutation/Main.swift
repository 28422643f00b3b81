import CommonTesting
import Glibc

/// Valid material, each field pushed to its extremes, given to the program in processes that may die of it.
///
///     mutation-trial KIND|all COUNT [--seed N] [--fixtures FOLDER] [--failures FOLDER]
///     mutation-trial KIND --only N [--seed N] [--fixtures FOLDER]    one case, in this process
///     mutation-trial flips COUNT|all [--list FILE] [--fixtures FOLDER]
///     mutation-trial fixtures FOLDER                                 valid material, for the others to share
///     mutation-trial flip N FOLDER --fixtures FOLDER                 a state folder with that bit turned
///     mutation-trial draw COUNT --fixtures FOLDER                    numbers of bits, evenly drawn from all
///     mutation-trial serial --fixtures FOLDER                        serial in force in the undamaged folder
@main struct Main {
  static func main() {
    do {
      try run()
    } catch {
      let text = Array("mutation-trial: \((error as? MutationFault)?.text ?? "\(error)")\n".utf8)
      _ = Glibc.write(STDERR_FILENO, text, text.count)
      exit(EXIT_FAILURE)
    }
  }

  private static func run() throws {
    var words = Array(CommandLine.arguments.dropFirst())
    func option(_ name: String) -> String? {
      guard let index = words.firstIndex(of: name), index + 1 < words.count else { return nil }
      let value = words[index + 1]
      words.removeSubrange(index...index + 1)
      return value
    }
    let seed = option("--seed").flatMap { UInt64($0) } ?? 1
    let only = option("--only").flatMap { Int($0) }
    let failures = option("--failures") ?? "mutation-failures"
    let list = option("--list")
    if words.first == "worker" { return try work(Array(words.dropFirst())) }
    if words.count == 2, words[0] == "fixtures" {
      let folder = try absolute(words[1])
      mkdir(folder, 0o700)
      _ = try Fixtures(making: folder)
      return
    }
    let given = try option("--fixtures").map(absolute)
    let folder = given == nil ? TemporaryFolder(in: Fixtures.place) : nil
    let fixtures = try given.map { try Fixtures($0) } ?? Fixtures(making: folder?.path ?? "")
    if let first = words.first, ["flip", "draw", "serial"].contains(first) {
      return try wholeDaemon(words, fixtures)
    }
    if let only, let word = words.first { return try single(word, only, seed, fixtures) }
    let isAll = words == ["flips", "all"]
    guard words.count == 2, let count = isAll ? .max : Int(words[1]), count > 0 else {
      print("usage: mutation-trial KIND|all|flips COUNT [--seed N] [--only N] [--failures FOLDER]")
      print("kinds: \(KindName.allCases.map(\.rawValue).joined(separator: ", "))")
      exit(64)
    }
    let names = words[0] == "all" ? KindName.allCases.map(\.rawValue) : [words[0]]
    var isGood = true
    for name in names {
      let cases = try cases(name, fixtures)
      var trial = Trial(
        name, cases, numbers: cases.numbers(count), seed: seed, fixtures: fixtures, failures: failures)
      try trial.run(count)
      for line in trial.report { print(line) }
      if let list { write(trial, to: list) }
      isGood = isGood && trial.isGood
    }
    // Not by exit(3), which would leave the folder of the material.
    if !isGood { throw MutationFault(text: "found faults; each can be run alone with --only") }
  }

  /// - Throws: ``MutationFault`` for a relative path.
  private static func absolute(_ folder: String) throws -> String {
    guard folder.hasPrefix("/") else {
      throw MutationFault(text: "found the folder \(folder), expected an absolute path: \"$PWD/\(folder)\"")
    }
    return folder
  }

  /// What a script needs to give flips to a daemon with sound devices.
  private static func wholeDaemon(_ words: [String], _ fixtures: Fixtures) throws {
    let scratch = words.count == 3 ? words[2] : try fixtures.scratch("flips")
    let flips = try BitFlips(fixtures, scratch: scratch)
    switch (words[0], words.count > 1 ? Int(words[1]) : nil) {
    case ("flip", let number?): flips.lay(number)
    case ("draw", let count?):
      for number in flips.numbers(count) {
        print("\(number)\t1\t\(flips.input(number, seed: 0).name): drawn")
      }
    case ("serial", nil): print(SampleCards.serialInForce)
    default: throw MutationFault(text: "found \(words), expected flip N FOLDER, draw COUNT or serial")
    }
  }

  private static func cases(_ name: String, _ fixtures: Fixtures) throws -> any TrialCases {
    let scratch = try fixtures.scratch(name)
    if name == "flips" { return try BitFlips(fixtures, scratch: scratch) }
    guard let kind = KindName(rawValue: name) else {
      throw MutationFault(
        text: "found the kind \(name), expected one of \(KindName.allCases.map(\.rawValue)) or flips")
    }
    return KindCases(try kind.make(fixtures, scratch: scratch))
  }

  /// `worker NAME COUNT SEED FIXTURES PAGE START END`
  private static func work(_ words: [String]) throws {
    guard words.count == 7, let count = Int(words[1]), let seed = UInt64(words[2]),
      let page = ProgressPage(words[4]), let start = Int(words[5]), let end = Int(words[6])
    else { exit(64) }
    var cases = try cases(words[0], Fixtures(words[3]))
    // The first worker looks whether what is to be changed is good as it is.
    if count == 0 { return try cases.check() }
    var worker = Worker(cases: cases, seed: seed, page: page)
    worker.run(cases.numbers(count), start..<end)
  }

  /// Runs one case where a debugger can see it.
  private static func single(_ name: String, _ number: Int, _ seed: UInt64, _ fixtures: Fixtures) throws {
    var cases = try cases(name, fixtures)
    let input = cases.input(number, seed: seed)
    print("\(name) case \(number): \(input.name), \(input.bytes.count) bytes")
    print(try cases.outcome(of: input))
  }

  /// The first case of each outcome, `NUMBER COUNT WORDS`.
  private static func write(_ trial: Trial, to path: String) {
    let lines = trial.outcomes.sorted { $0.value.first < $1.value.first }
      .map { "\($0.value.first)\t\($0.value.count)\t\($0.key)\n" }
    Fixtures.write(Array(lines.joined().utf8), to: path)
  }
}
