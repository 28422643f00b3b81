import Base
import FoundationEssentials
import Glibc
import Realtime

/// What the chain costs, in units that hold on any machine and against the period it must keep.
///
/// Everything is measured as processor time of the one thread that works, so that other programs disturb
/// little, in many short rounds that interleave what is compared. `--once` runs everything once and judges nothing.
@main struct ChainBenchmark {
  static let usage =
    "Usage: chain-benchmark [--json | --once | --profile WHAT], WHAT being 'plain', 'all' or one of the extras"

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments == ["--help"] {
      print(usage)
      return
    }
    if arguments.first == "--profile", arguments.count == 2, let name = arguments.last,
      let extras = try Extras.named(name)
    {
      return try profile(extras)
    }
    if arguments == ["--once"] {
      flushDenormals()
      print(try BenchmarkReport.measured(.least).text)
      return
    }
    guard arguments.isEmpty || arguments == ["--json"] else {
      let message = "chain-benchmark: found '\(arguments.joined(separator: " "))'. \(usage)\n"
      _ = message.withCString { write(STDERR_FILENO, $0, strlen($0)) }
      exit(EX_USAGE)
    }
    // As the audio thread does before its first block.
    flushDenormals()
    let report = try BenchmarkReport.measured(.whole)
    if arguments.isEmpty {
      print(report.text)
    } else {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      print(String(decoding: try encoder.encode(report), as: UTF8.self))
    }
    if !report.criteria.allSatisfy(\.isMet) { exit(EXIT_FAILURE) }
  }

  /// Runs one chain and nothing else for ten seconds, for a profiler to look at.
  private static func profile(_ extras: Extras) throws {
    flushDenormals()
    let (rate, frames) = (BenchmarkReport.sampleRate, BenchmarkReport.frames)
    var chain = try BenchedChain(
      Speech(sampleRate: rate).sound, sampleRate: rate, frames: frames, extras: extras)
    let start = SystemTime.thread
    while SystemTime.thread - start < 10 { chain.run(blocks: 1000) }
  }
}
