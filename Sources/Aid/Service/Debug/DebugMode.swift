import Base
import Control
import Engine

/// Debug mode of one connection: temporary changes, and which of two settings is heard.
struct DebugMode: Sendable {
  /// Shortest and longest time of the mode, s.
  static let times = 1.0...3600
  static let usualTime = 600.0

  /// The request that began it.
  let number: RequestID
  /// With the proof of the role.
  let caller: Peer
  let began: Moment
  /// s.
  let time: Double
  /// True once the audit trail has its beginning.
  var isNoted = false
  /// Changes of the changed setting.
  private(set) var settings = DebugSettings()
  private(set) var heard = LevelMatch.Side.changed
  /// Level of the changed setting less that of the prescribed one as compared now, dB; nil: not compared,
  /// or not measured.
  private(set) var difference: Double?
  var levels = LevelMatch()
  /// Frames of the last reading, by which a new one is known.
  private var frames: Int64 = -1

  init(_ number: RequestID, of caller: Peer, at moment: Moment, for time: Double) {
    (self.number, self.caller, began, self.time) = (number, caller, moment, time)
  }

  /// `audiologist` or `developer`.
  var role: String { caller.grant?.role.rawValue ?? "" }

  /// When it is over, s of ``Moment/running``: a machine that sleeps prolongs nothing.
  var due: Double { began.running + time }

  /// Attenuation of what is heard, dB: the louder one's.
  var attenuation: Double {
    guard let difference else { return 0 }
    let excess = heard == .changed ? difference : -difference
    return min(max(excess, 0), DebugSettings.greatestAttenuation)
  }

  /// Changes that are heard; nil: as prescribed.
  var sounding: DebugSettings? {
    var sounding = heard == .changed ? settings : DebugSettings()
    sounding.attenuation = attenuation
    return sounding.isEmpty ? nil : sounding
  }

  /// Everything that is changed, a sentence.
  var changesSentence: String {
    let changes = settings.words
    return changes.isEmpty ? "Nothing is changed." : "Changed: \(changes.joined(separator: "; "))."
  }

  /// Changes the changed setting, and lets it be heard.
  mutating func change(to settings: DebugSettings) {
    self.settings = settings
    (heard, difference) = (.changed, nil)
    levels.forget(.changed)
  }

  /// Lets one of both be heard, the louder one turned down.
  mutating func compare(_ side: LevelMatch.Side) { (heard, difference) = (side, levels.difference) }

  /// Adds a reading of what is heard, once.
  ///
  /// - Parameter frames: Of the chain so far.
  mutating func listen(_ levels: [(input: Double, output: Double)], frames: Int64, at now: Double) {
    guard frames != self.frames else { return }
    self.frames = frames
    // Until something is changed, what is heard is the prescribed setting.
    let side = settings.isEmpty ? .prescribed : heard
    self.levels.add(side, levels, attenuation: attenuation, at: now)
  }
}

extension StatusReport {
  /// Debug mode, while it is on.
  package struct Debug: Sendable, Codable, Hashable {
    /// `audiologist` or `developer`.
    package let role: String
    /// Process at whose connection it ends.
    package let pid: Int32
    package let beganUnixSeconds: Double
    /// When it ends by itself.
    package let untilUnixSeconds: Double
    /// `prescribed` or `changed`.
    package let heard: String
    /// Level of the changed setting less that of the prescribed one; nil: not compared, or not measured.
    package fileprivate(set) var levelDifferenceDB: Double?
    /// Attenuation of what is heard, so that both are equally loud; nil for those who have no role.
    package fileprivate(set) var turnedDownDB: Double?
    /// Changes in words, a clause each.
    package fileprivate(set) var changes: [String]
  }
}

extension StatusReport.Debug {
  init(_ mode: DebugMode, now: Moment) {
    func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
    self.init(
      role: mode.role, pid: mode.caller.processID, beganUnixSeconds: now.wallTime(of: mode.began),
      untilUnixSeconds: now.wallTime(of: mode.began) + mode.time, heard: mode.heard.rawValue,
      levelDifferenceDB: mode.levels.difference == nil ? nil : mode.difference.map(rounded),
      turnedDownDB: rounded(mode.attenuation),
      changes: mode.settings.words)
  }

  /// The same without what is changed and by how much, which tells of the prescription.
  var withoutHearing: StatusReport.Debug {
    var debug = self
    (debug.levelDifferenceDB, debug.turnedDownDB, debug.changes) = (nil, nil, [])
    return debug
  }

  /// The setting that is heard, a clause: `changed, turned down by 2.1 dB`.
  package var heardWords: String {
    let words =
      heard == LevelMatch.Side.prescribed.rawValue || changes.isEmpty ? "as prescribed" : "changed"
    guard let turnedDownDB, turnedDownDB > 0 else { return words }
    return words + ", turned down by \(NumberText.fixed(turnedDownDB)) dB"
  }
}

/// Answer of the methods of debug mode.
package struct DebugAnswer: Sendable, Codable, Equatable {
  static let words = "'message', whole sentences; 'debug' then, as in status, unless it has ended"

  /// One or more whole sentences.
  package let message: String
  /// Nil once it has ended.
  package var debug: StatusReport.Debug?
}
