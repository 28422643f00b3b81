import Glibc

/// Measures the daemon as an operator meets it: time from its start to its first sound, its memory while sound flows, and
/// time from SIGTERM to its end, the fading out included; and from its kill to sound again, where it is started again at once
/// (systemd waits for RestartSec before).
///
/// `start-benchmark AURICLED CONFIGURATION [RUNS]`: the first run, which makes FFTW measure and keep its wisdom, does not
/// count. Musts: 150 ms, 25 MB, 100 ms and 1000 ms, medians of the runs. Exit status 1 when one is missed.
@main struct Main {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3, let runs = arguments.count > 3 ? Int(arguments[3]) : 5, runs > 0 else {
      print("usage: start-benchmark AURICLED CONFIGURATION [RUNS]")
      exit(64)
    }
    var found: [DaemonRun] = []
    for index in 0...runs {
      guard let run = DaemonRun.observe(program: arguments[1], configuration: arguments[2]) else {
        print("auricled did not come to sound within 10 s, or did not end in order")
        exit(1)
      }
      if index > 0 { found.append(run) }
    }
    var returns: [Double] = []
    // It is started again three times a minute at most, each time with a guardian of its own here.
    for _ in 1...runs {
      guard let time = DaemonRun.observeReturn(program: arguments[1], configuration: arguments[2]) else {
        print("a killed auricled did not come back to sound within 10 s")
        exit(1)
      }
      returns.append(time)
    }
    let start = median(found.map(\.startMilliseconds))
    let memory = median(found.map(\.residentMegabytes))
    let end = median(found.map(\.endMilliseconds))
    let wasMet = start <= 150 && memory <= 25 && end <= 100 && median(returns) <= 1000
    let shared = median(found.map(\.sharedMegabytes))
    print("start to first sound, wisdom kept: \(rounded(start)) ms, at most 150")
    print("  runs: \(list(found.map(\.startMilliseconds)))")
    print("resident memory while sound flows: \(rounded(memory)) MB, at most 25")
    print("  beside it, shared with the JACK server: \(rounded(shared)) MB")
    print("TERM to end: \(rounded(end)) ms, at most 100")
    print("kill to sound again: \(rounded(median(returns))) ms, at most 1000")
    print("  runs: \(list(returns))")
    exit(wasMet ? 0 : 1)
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }

  private static func list(_ values: [Double]) -> String {
    values.map { "\(rounded($0))" }.joined(separator: ", ")
  }
}
