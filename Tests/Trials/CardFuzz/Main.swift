import Glibc
import PrescriptionsTesting

/// Hostile payloads by the million: prints what became of them, the slowest and the memory.
///
///     card-fuzz [COUNT [SEED [FIRST]]]     COUNT payloads, 1,000,000 unless told; fails on a fault or a hang
@main enum Main {
  /// A payload that takes longer fails, s.
  static let longest = 1.0
  /// Memory beyond which the trial fails, kB.
  static let greatestMemory = 200_000

  static func main() throws {
    let arguments = CommandLine.arguments
    let trial = try HostileTrial()
    let numbers = arguments.dropFirst().map { Int($0) }
    guard numbers.count <= 3, !numbers.contains(nil) else {
      print("usage: card-fuzz [COUNT [SEED [FIRST]]]")
      exit(64)
    }
    let count = numbers.count > 0 ? numbers[0] ?? 0 : 1_000_000
    let seed = numbers.count > 1 ? numbers[1] ?? 0 : 1
    let first = numbers.count > 2 ? numbers[2] ?? 0 : 0
    exit(try run(trial, count, seed, first) ? EXIT_SUCCESS : EXIT_FAILURE)
  }

  static func run(_ trial: HostileTrial, _ count: Int, _ seed: Int, _ first: Int) throws -> Bool {
    let payloads = try HostilePayloads(trial, seed: UInt64(truncatingIfNeeded: seed))
    let clock = ContinuousClock()
    let start = clock.now
    var tally = HostileTally()
    tally.run(trial, payloads, first..<first + count)
    let memory = Self.memory()
    print("\(tally.count) payloads from seed \(seed) in \((clock.now - start).components.seconds) s")
    print(
      "accepted \(tally.total("accepted")), refused \(tally.count - tally.total("accepted") - tally.faults.count)"
    )
    for line in tally.lines { print("  " + line) }
    print(
      "slowest \(Int(tally.slowest.time * 1e6)) µs (payload \(tally.slowest.index)), peak memory \(memory) kB"
    )
    for fault in tally.faults.prefix(20) { print("FAULT in payload \(fault.index): \(fault.text)") }
    return tally.faults.isEmpty && tally.slowest.time <= longest && memory <= greatestMemory
  }

  /// Peak resident memory of this process, kB.
  static func memory() -> Int {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return usage.ru_maxrss
  }
}
