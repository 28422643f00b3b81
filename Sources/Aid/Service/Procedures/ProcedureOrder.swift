import Acoustics
import Base
import Control
import Procedures

/// A procedure as a client asks for it. Levels and limits that it needs are worked out by whoever carries it out.
package struct ProcedureOrder: Sendable, Codable, Hashable {
  package enum Name: String, Sendable, Codable, CaseIterable {
    case hearingTest = "hearing-test"
    case loudness, bracketing, pitch, likeness, bandwidth, masking, inhibition

    /// For sentences, behind "a" or "the".
    var words: String {
      switch self {
      case .hearingTest: "hearing test"
      case .loudness: "loudness match"
      case .bracketing: "loudness match by bracketing"
      case .pitch: "pitch match"
      case .likeness: "pitch match by likeness"
      case .bandwidth: "bandwidth match"
      case .masking: "search for the masking level"
      case .inhibition: "test of residual inhibition"
      }
    }
  }

  /// The ear or ears in which the wearer hears their tinnitus.
  package enum TinnitusSide: String, Sendable, Codable, CaseIterable {
    case left, right, both
    /// Neither, or in the middle.
    case head
  }

  package var name: Name
  /// Ears of a hearing test in their order; both when left out, the right one first.
  package var ears: [Ear]?
  /// Ear of a match.
  package var ear: Ear?
  package var tinnitusSide: TinnitusSide?
  /// Of a hearing test, Hz.
  package var frequencies: [Double]?
  /// Of a match, Hz.
  package var frequency: Double?
  package var method: HearingTestPlan.Method?
  package var signal: Stimulus.Signal?
  /// Trials of a match.
  package var trials: Int?
  /// Threshold of the ear at the frequency, dB HL; left out: that of the last hearing test.
  package var threshold: Double?
  /// Minimum masking level, dB HL; left out: that of the last search.
  package var masking: Double?
  /// Loudest tone of a hearing test, dB HL; left out: 90. More than that is the audiologist's.
  package var highest: Double?
  /// Earphones with which alone a protocol may be carried out; left out: any that are calibrated.
  package var earphones: EarphoneAllowance?
  /// Quiet that the room must have; left out: the room is not listened to.
  package var room: QuietRoomRule?

  package init(_ name: Name) { self.name = name }

  /// Loudest tone of a hearing test unless an audiologist asks for more, dB HL (the number: loud enough for a severe loss,
  /// and no surprise).
  package static let usualHighest = 90.0

  /// Frequencies of one test at most: as many as an audiometer has.
  private static let greatestCount = 24

  /// - Throws: ``ControlFailure`` that names the first number out of range.
  package func check() throws(ControlFailure) {
    let frequencies = (self.frequencies ?? []) + [frequency].compactMap(\.self)
    for frequency in frequencies where !Audiogram.frequencies.contains(frequency) {
      throw .parameter("order", found: "\(frequency.shortText) Hz", expected: "125 to 16000 Hz")
    }
    guard self.frequencies != [], frequencies.count <= Self.greatestCount,
      Set(frequencies).count == frequencies.count
    else {
      throw .parameter(
        "order", found: "\(frequencies.count) frequencies",
        expected: "at most \(Self.greatestCount), each one once")
    }
    if let ears, ears.isEmpty || Set(ears).count != ears.count {
      throw .parameter("order", found: "a list of ears that is empty or names one twice", expected: "ears")
    }
    for level in [threshold, masking, highest].compactMap(\.self)
    where !Audiogram.levels.contains(HearingLevel(level)) {
      throw .parameter("order", found: "\(level.shortText) dB HL", expected: "-10 to 120 dB HL")
    }
    let counts = LoudnessPlan.trialCounts
    if let trials, !counts.contains(trials) {
      throw .parameter(
        "order", found: "\(trials) trials", expected: "\(counts.lowerBound) to \(counts.upperBound)")
    }
    // Its result has no word for its sound: it would count as a match of a tone.
    if name == .loudness || name == .bracketing, let signal, signal.isNoise {
      throw .parameter(
        "order", found: "\(signal.rawValue) for a \(name.words)", expected: "tone, pulsed or warble")
    }
    // It would be the same noise at each of them.
    if name == .hearingTest, signal == .broadNoise, self.frequencies?.count != 1 {
      let count = (self.frequencies ?? HearingTestPlan.usualFrequencies).count
      throw .parameter(
        "order", found: "broad-noise at \(count) frequencies",
        expected: "one to name its threshold by, such as 1000 Hz, for broad noise has all of them")
    }
    if name != .hearingTest, ear == nil {
      throw .parameter("order", found: "no ear", expected: "left or right")
    }
    if let room { try Self.check(room) }
  }

  private static func check(_ room: QuietRoomRule) throws(ControlFailure) {
    let isSound =
      [room.threshold, room.release, room.rise, room.adaptation].allSatisfy { $0.isFinite }
      && (20...80).contains(room.threshold) && room.release <= room.threshold && room.rise > 0
      && (0...1).contains(room.adaptation)
      && [room.passes, room.confirmations, room.helpAfter].allSatisfy { (1...600).contains($0) }
    guard isSound else {
      throw .parameter(
        "order", found: "a room's rule that nothing can meet",
        expected: "a threshold of 20 to 80 dB, a release no higher, and 1 to 600 windows")
    }
  }
}
