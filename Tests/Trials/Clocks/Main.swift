import AudioIOTesting
import Base
import Glibc

/// `clock-trial [HOURS]`: so many hours (24) of the live loop's stream between two drifting clocks, in virtual time; docs/soak.md has
/// the model and the rules. Ends with a table; exit status 1 when a row fails, 64 after a wrong number.
@main struct Main {
  static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    guard words.count <= 1, let hours = words.first.map({ Int($0) }) ?? 24, (1...1000).contains(hours)
    else {
      print(
        "clock-trial: found '\(words.joined(separator: " "))', expected whole hours from 1 to 1000, or nothing"
      )
      exit(64)
    }
    var day = try Day(hours: hours)
    exit(day.run() ? 0 : 1)
  }
}

/// One run, hour by hour.
struct Day: ~Copyable {
  private let hours: Int
  private var trial: ClockTrial
  private var whole = ClockTrial.Figures()
  private var fills: [Double] = []
  /// Resident memory after each minute, kB.
  private var memory: [Int] = []

  /// Greatest growth of memory, as a share. Must hold by the task: 1 %.
  private static let greatestGrowth = 0.01
  /// Minutes in which everything happens that makes memory once. Own choice.
  private static let warmUp = 10
  /// Greatest change of an hour's mean delay, frames. Own choice: less than one frame is lost or won in a day.
  private static let greatestChange = 1.0

  init(hours: Int) throws {
    self.hours = hours
    trial = try ClockTrial()
  }

  /// True when every row is flat.
  mutating func run() -> Bool {
    let start = SystemTime.monotonic
    for hour in 1...hours {
      var figures = ClockTrial.Figures()
      // By minutes, so that the difference of the clocks is known at sixty places.
      for _ in 0..<60 {
        figures.add(trial.run(seconds: 60))
        memory.append(Self.memory())
      }
      whole.add(figures)
      fills.append(figures.told.mean)
      print(
        "hour \(hour): clocks \(extent(figures.difference, 0)) ppm apart, told \(extent(figures.drift, 0)); "
          + "delay \(extent(figures.told, 0)) frames, in the sound \(extent(figures.found)); "
          + "\(figures.broken) broken samples, \(memory[memory.count - 1]) kB")
      fflush(nil)
    }
    print("\(hours) h in \(NumberText.fixed((SystemTime.monotonic - start) / 60)) min\n")
    return table()
  }

  private func table() -> Bool {
    // As in `make soak`: medians of the first and of the last tenth.
    let settled = memory.dropFirst(Self.warmUp)
    let tenth = settled.count / 10
    let first = settled.prefix(tenth).sorted()[tenth / 2]
    let last = settled.suffix(tenth).sorted()[tenth / 2]
    let growth = Double(last - first) / Double(max(first, 1))
    let fill = (fills.max() ?? 0) - (fills.min() ?? 0)
    let period = Double(ClockTrial.period)
    let rows: [(name: String, found: String, expected: String, isFlat: Bool)] = [
      (
        "samples lost, doubled or disturbed", "\(whole.broken) of \(whole.heard)", "none",
        whole.broken == 0 && whole.heard > 0
      ),
      ("restarts", "\(whole.mishaps)", "none", whole.mishaps == 0),
      (
        "delay by the devices", "\(extent(whole.told, 0)) frames", "within \(ClockTrial.period)",
        whole.told.width <= period
      ),
      (
        "delay in the sound", "\(extent(whole.found)) frames", "within \(ClockTrial.period)",
        whole.found.width <= period
      ),
      (
        "mean fill of an hour",
        "\(NumberText.fixed(fills[0], 2)) first, \(NumberText.fixed(fills[hours - 1], 2)) last",
        "all within \(NumberText.fixed(Self.greatestChange))", fill <= Self.greatestChange
      ),
      (
        "resident memory",
        "\(first) kB in the first tenth, \(last) in the last: \(NumberText.fixed(100 * growth, 2)) %",
        "growth ≤ \(NumberText.fixed(100 * Self.greatestGrowth, 0)) %",
        growth <= Self.greatestGrowth
      ),
    ]
    let width = rows.map(\.name.count).max() ?? 0
    let broad = rows.map(\.found.count).max() ?? 0
    for row in rows {
      print(
        padded(row.name, width), padded(row.found, broad), padded(row.expected, 16),
        row.isFlat ? "flat" : "fail", separator: "  ")
    }
    return rows.allSatisfy(\.isFlat)
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private func extent(_ extent: ClockTrial.Extent, _ places: Int = 1) -> String {
    "\(NumberText.fixed(extent.least, places)) to \(NumberText.fixed(extent.greatest, places))"
  }

  /// Resident memory of this process, kB, all of it; 0 where proc(5) cannot be read.
  private static func memory() -> Int {
    let bytes = (try? FileContent.bytes(of: "/proc/self/status", limit: 1 << 16)) ?? []
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first {
      $0.hasPrefix("VmRSS:")
    }
    return line?.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) } ?? 0
  }
}
