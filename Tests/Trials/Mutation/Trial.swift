import Glibc

/// Cases by the thousand, read by workers; a case that ends its worker is recorded, and the next one goes on.
struct Trial {
  /// Cases of one worker: one that keeps memory shows it, and the next begins anew.
  private static let batch = 5000
  /// Greatest resident memory of a worker, kB: four times what the largest kind takes.
  static let greatestMemory = 300_000
  /// Faults after which a trial ends: what is broken so often need not be counted.
  private static let mostFaults = 40

  let name: String
  private let cases: any TrialCases
  let numbers: [Int]
  let seed: UInt64
  let fixtures: Fixtures
  /// Folder for cases that failed.
  let failures: String

  private(set) var outcomes: [String: (first: Int, count: Int)] = [:]
  private(set) var faults: [(number: Int, text: String)] = []
  private(set) var slowest = (time: 0, number: 0)
  private(set) var memory = 0

  init(
    _ name: String, _ cases: any TrialCases, numbers: [Int], seed: UInt64, fixtures: Fixtures,
    failures: String
  ) {
    (self.name, self.cases, self.numbers, self.seed) = (name, cases, numbers, seed)
    (self.fixtures, self.failures) = (fixtures, failures)
  }

  var isGood: Bool { faults.isEmpty && memory <= Self.greatestMemory }

  /// - Parameter count: As on the command line: workers make the list of numbers anew.
  mutating func run(_ count: Int) throws {
    let pagePath = fixtures.folder + "/progress-\(name)-\(getpid())"
    let messages = fixtures.folder + "/messages-\(name)-\(getpid())"
    defer {
      unlink(pagePath)
      unlink(messages)
    }
    let checked = try WorkerProcess(
      ["worker", name, "0", "\(seed)", fixtures.folder, pagePath, "0", "0"], messages: messages)
    if let ending = checked.ending {
      throw MutationFault(text: "\(name): valid material: \(ending): \(Self.lastLine(of: messages))")
    }
    guard let page = ProgressPage(pagePath) else { throw MutationFault(text: "\(pagePath) cannot be made") }
    var place = 0
    while place < numbers.count, faults.count < Self.mostFaults {
      page.place = place
      let end = min(place + Self.batch, numbers.count)
      let worker = try WorkerProcess(
        ["worker", name, "\(count)", "\(seed)", fixtures.folder, pagePath, "\(place)", "\(end)"],
        messages: messages)
      take(worker)
      memory = max(memory, worker.memory)
      if page.slowest.time > slowest.time { slowest = page.slowest }
      guard let ending = worker.ending else {
        place = end
        continue
      }
      guard page.place < end else {
        faults.append((-1, "\(ending) after the last case: \(Self.lastLine(of: messages))"))
        return
      }
      note(numbers[page.place], "\(ending): \(Self.lastLine(of: messages))")
      place = page.place + 1
    }
  }

  private mutating func take(_ worker: WorkerProcess) {
    for line in worker.lines {
      let parts = line.split(separator: "\t", maxSplits: 2)
      guard parts.count == 3 else { continue }
      if parts[0] == "FAULT" {
        note(Int(parts[1]) ?? -1, String(parts[2]))
      } else if let first = Int(parts[0]), let count = Int(parts[1]) {
        outcomes[String(parts[2]), default: (first, 0)].count += count
      }
    }
  }

  /// Records a fault, and saves what led to it.
  private mutating func note(_ number: Int, _ text: String) {
    faults.append((number, text))
    guard number >= 0 else { return }
    let input = cases.input(number, seed: seed)
    mkdir(failures, 0o700)
    Fixtures.write(input.bytes, to: "\(failures)/\(name)-\(seed)-\(number)-\(input.name)")
  }

  private static func lastLine(of path: String) -> String {
    let text = String(decoding: Fixtures.bytes(of: path).suffix(4000), as: UTF8.self)
    let lines = text.split(separator: "\n")
    let fatal = lines.last { $0.contains("Fatal error") || $0.contains("assertion") }
    return String((fatal ?? lines.last ?? "no message").prefix(300))
  }

  /// What there is to say, a line each.
  var report: [String] {
    let found = outcomes.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    let words = found.prefix(8).map { "\($0.key.prefix(60)) \($0.value.count)" }.joined(separator: ", ")
    var lines = [
      "\(name): \(numbers.count) cases from seed \(seed), \(faults.count) faults, slowest "
        + "\(slowest.time / 1000) µs of processor (case \(slowest.number)), peak memory \(memory) kB; "
        + words
    ]
    lines += faults.prefix(20).map { "FAULT \(name) seed \(seed) case \($0.number): \($0.text)" }
    if memory > Self.greatestMemory {
      lines.append("FAULT \(name): \(memory) kB of memory, expected at most \(Self.greatestMemory)")
    }
    return lines
  }
}
