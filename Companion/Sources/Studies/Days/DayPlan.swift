/// Questions that belong together, asked on one day as a whole.
public struct Module: Sendable, Hashable {
  public let id: String
  /// Minutes that they take.
  public let minutes: Double
  /// Lower comes first.
  public let priority: Int

  public init(_ id: String, minutes: Double, priority: Int) {
    (self.id, self.minutes, self.priority) = (id, minutes, priority)
  }
}

/// Modules by days: each whole on one day, those of the highest priority first, no day longer than its minutes.
///
/// A module that somebody has begun stays on its day; all others are placed anew whenever an answer changes what is called for. What fits
/// nowhere is told, never left out without a word.
///
/// - Threads: any.
public struct DayPlan: Sendable, Hashable {
  /// Modules of each day, by the day's number.
  public let days: [Int: [String]]
  /// Modules without a day.
  public let overflow: [String]

  /// - Parameters:
  ///   - modules: All that are called for.
  ///   - range: Days that are filled, such as 6…15.
  ///   - most: Minutes of a day, what is asked every day included.
  ///   - daily: Minutes of what is asked every day.
  ///   - begun: Days of modules that somebody has begun.
  ///   - today: The earliest day that can still be filled.
  public init(
    _ modules: [Module], on range: ClosedRange<Int>, most: Double, daily: Double = 0,
    begun: [String: Int] = [:],
    today: Int? = nil
  ) {
    var days: [Int: [String]] = [:]
    var room = Dictionary(uniqueKeysWithValues: range.map { ($0, most - daily) })
    let ordered = modules.sorted { ($0.priority, $0.id) < ($1.priority, $1.id) }
    for module in ordered {
      guard let day = begun[module.id] else { continue }
      days[day, default: []].append(module.id)
      room[day, default: 0] -= module.minutes
    }
    var overflow: [String] = []
    for module in ordered where begun[module.id] == nil {
      // Sums of tenths of minutes are not exact in binary: a millionth of a minute is no longer day.
      let day = range.first { $0 >= today ?? $0 && module.minutes <= room[$0, default: 0] + 1e-6 }
      guard let day else {
        overflow.append(module.id)
        continue
      }
      days[day, default: []].append(module.id)
      room[day, default: 0] -= module.minutes
    }
    (self.days, self.overflow) = (days, overflow)
  }
}
