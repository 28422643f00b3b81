/// Numbers by which a room counts as quiet enough. A study sets its own; there is no default.
///
/// - Threads: any.
public struct QuietRoomRule: Sendable, Hashable, Codable {
  /// A-weighted level that a window must lie below, dB.
  public let threshold: Double
  /// Windows in a row that pass.
  public let passes: Int
  /// Level below which a window counts as quiet again after an alert, and the baseline follows it, dB.
  public let release: Double
  /// Rise over the baseline that is as loud as the threshold, dB.
  public let rise: Double
  /// Loud windows in a row that make an alert.
  public let confirmations: Int
  /// Part by which the baseline follows a quiet window, 0…1.
  public let adaptation: Double
  /// Windows without passing after which help is offered; measuring goes on.
  public let helpAfter: Int

  /// The tinnitus study's, which calls them provisional (docs/sources.md). Help after twelve windows is an own choice:
  /// the study's check fails then.
  public static let tinnitusStudy = QuietRoomRule(
    threshold: 45, passes: 5, release: 43, rise: 8, confirmations: 2, adaptation: 0.05, helpAfter: 12)

  /// Takes the numbers unchecked, also of a rule that no room can meet.
  public init(
    threshold: Double, passes: Int, release: Double, rise: Double, confirmations: Int, adaptation: Double,
    helpAfter: Int
  ) {
    (self.threshold, self.passes, self.release, self.rise) = (threshold, passes, release, rise)
    (self.confirmations, self.adaptation, self.helpAfter) = (confirmations, adaptation, helpAfter)
  }
}

/// Decides, window by window of a second, whether a room is quiet enough for a measurement: before it, and as long as it lasts.
///
/// A pure value: the windows' levels go in, the state comes out. Sound is neither seen nor kept.
///
/// - Threads: any.
public struct QuietRoomGate: Sendable, Hashable, Codable {
  /// A window of a second.
  public enum Window: Sendable, Hashable, Codable {
    /// A-weighted equivalent level, dB.
    case level(Double)
    /// The measurement's own sound was on: it says nothing about the room.
    case ownSound
    /// The microphone delivered nothing, or not all of it.
    case missing
  }

  /// Judgement of the room.
  public enum State: Sendable, Hashable, Codable {
    /// Not passed yet: windows in a row that were quiet, and whether help is due.
    case measuring(passed: Int, needsHelp: Bool)
    case quiet
    /// Loud windows, not enough in a row for an alert.
    case suspected
    /// The measurement has to be silent and wait; windows in a row that were quiet since.
    case alert(quietWindows: Int)
  }

  /// Numbers by which windows are judged.
  public let rule: QuietRoomRule
  /// Judgement after the last window; one of own sound leaves it as it was.
  public private(set) var state = State.measuring(passed: 0, needsHelp: false)
  /// Level of the room when it was quiet, dB; nil: it has not been yet. Behind an alert it is that of the windows that ended it: a room that
  /// has become louder by more than the rise, and stays below the release, would raise alerts for ever.
  public private(set) var baseline: Double?
  /// Windows so far.
  public private(set) var windowCount = 0
  /// Alerts so far, each with the windows in which it began and ended; nil: it has not ended.
  public private(set) var interruptions: [Interruption] = []
  /// Levels of the windows that have passed in a row, also of those since an alert.
  private var passing: [Double] = []
  private var loudWindows = 0

  /// An alert: the windows, counted from 1, in which it began and ended; nil: it has not ended.
  public struct Interruption: Sendable, Hashable, Codable {
    let begin: Int
    var end: Int?
  }

  /// A gate that is closed until the room has passed.
  public init(_ rule: QuietRoomRule) { self.rule = rule }

  /// True while a measurement may sound.
  public var isOpen: Bool {
    switch state {
    case .quiet, .suspected: true
    case .measuring, .alert: false
    }
  }

  /// Level that the next window must lie below to count as quiet, dB.
  public var limit: Double {
    switch state {
    case .measuring: rule.threshold
    case .quiet, .suspected: min(rule.threshold, (baseline ?? .infinity) + rule.rise)
    case .alert: rule.release
    }
  }

  /// Takes in the next window.
  public mutating func take(_ window: Window) {
    windowCount += 1
    if window == .ownSound { return }
    switch state {
    case .measuring: measure(window)
    case .quiet, .suspected: watch(window)
    case .alert: recover(window)
    }
  }

  private mutating func measure(_ window: Window) {
    if case .level(let level) = window, level < rule.threshold {
      passing.append(level)
    } else {
      passing = []
    }
    guard passing.count >= rule.passes else {
      state = .measuring(passed: passing.count, needsHelp: windowCount >= rule.helpAfter)
      return
    }
    open()
  }

  /// Lets the measurement sound, in a room that is as loud as the windows that have passed.
  private mutating func open() {
    baseline = passing.reduce(0, +) / Double(passing.count)
    state = .quiet
  }

  private mutating func watch(_ window: Window) {
    guard isLoud(window) else {
      loudWindows = 0
      state = .quiet
      if case .level(let level) = window, level < rule.release, let present = baseline {
        baseline = present + rule.adaptation * (level - present)
      }
      return
    }
    loudWindows += 1
    guard loudWindows >= rule.confirmations else { return state = .suspected }
    (loudWindows, passing) = (0, [])
    state = .alert(quietWindows: 0)
    interruptions.append(Interruption(begin: windowCount, end: nil))
  }

  /// A microphone that says nothing cannot say that the room is quiet.
  private func isLoud(_ window: Window) -> Bool {
    guard case .level(let level) = window else { return true }
    return level >= limit
  }

  private mutating func recover(_ window: Window) {
    if case .level(let level) = window, level < rule.release { passing.append(level) } else { passing = [] }
    guard passing.count >= rule.passes else { return state = .alert(quietWindows: passing.count) }
    open()
    interruptions[interruptions.count - 1].end = windowCount
  }
}
