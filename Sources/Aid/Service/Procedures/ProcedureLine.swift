import Acoustics
import Base
import Procedures

/// Everything of one procedure that is kept: one line of JSON for each thing that happened, in its order.
///
/// Plan, seed and answers are enough to work the result out again; the other lines say what was played, when, and in what room.
package enum ProcedureLine: Sendable, Equatable {
  case begin(ProcedureBeginning)
  /// A sound was played to its end, or broken off.
  case presented(PresentedSound)
  /// A key, whether it counted or not.
  case key(PressedKey)
  case answer(step: Int, ProcedureAnswer, at: Double)
  /// A window of the room.
  case room(RoomReading)
  /// The room's octave bands over the whole test.
  case bands(RoomBands)
  /// Sound was broken off, for a reason in words.
  case interrupted(reason: String, at: Double)
  /// The daemon or its client ended, and it goes on from here; the reason is one for which it goes on otherwise than it began, nil as a rule.
  case resumed(reason: String? = nil, at: Double)
  /// All answers before are void, because what they belong to is over.
  case restarted(reason: String, at: Double)
  case end(ProcedureResult, at: Double)
}

/// The first line.
package struct ProcedureBeginning: Sendable, Equatable, Codable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  package var schema = 103
  package let identifier: String
  /// s since 1970-01-01 UTC.
  package let at: Double
  /// Of the program.
  package let version: String
  package let order: ProcedureOrder
  package let plan: ProcedurePlan
  package let seed: UInt64
  package let device: Device
  package let calibration: OutputCalibration
  /// dB SPL that nothing may exceed.
  package let limits: Limits
  /// Record from which the threshold is; nil: it was given, or none is needed.
  package var thresholdFrom: String?

  package struct Device: Sendable, Equatable, Codable {
    package let capture: String
    package let playback: String
    package let rateHz: Int
    package let format: String
    /// Told by the devices, s; nil: they tell none.
    package let delaySeconds: Double?
    /// Volume controls of the playback device's card as they stood; nil: nobody could read any, or the record is from before version 103.
    package var volumes: [VolumeSetting]?
  }

  package struct Limits: Sendable, Equatable, Codable {
    package let left: SoundPressureLevel
    package let right: SoundPressureLevel
  }
}

extension ProcedureBeginning {
  /// True where a level is the same sound as by a calibration that counts now (``OutputCalibration/hasLevels(of:)``).
  ///
  /// Before version 101 a procedure could begin while a volume control stood elsewhere than when levels were measured. Nothing of its record
  /// tells that but the status of its calibration.
  func hasLevels(of present: OutputCalibration) -> Bool {
    let mayBeTurned = schema < 101 && calibration.measurement?.volumes?.isEmpty == false
    guard !mayBeTurned || calibration.device.status == present.device.status else { return false }
    return calibration.hasLevels(of: present)
  }

  /// Record of its calibration as it counts for its levels in dB HL (``OutputCalibration/hearingDevice(at:)``).
  package var levelCalibration: DeviceCalibration { calibration.hearingDevice(at: plan.levelFrequencies) }

  /// Difference of volume controls from those that it was begun with, a clause; nil: there is none, or one of both is not known.
  func volumeDifference(of present: [VolumeSetting]?) -> String? {
    guard let present, let own = device.volumes else { return nil }
    return VolumeSetting.difference(present, from: own, when: "it was begun")
  }

  /// True where a level is the same sound with these volume controls, as far as anybody knows; nil: nobody can read them.
  func hasSameVolume(as present: [VolumeSetting]?) -> Bool { volumeDifference(of: present) == nil }

  /// Age up to which a procedure that was left may be gone on with, days: answers of before and behind are told as one result. Own choice.
  package static let longestBreak = 30.0

  /// Days since its beginning; less than none by a clock that was ahead.
  ///
  /// - Parameter now: s since 1970-01-01 UTC.
  func age(at now: Double) -> Double { (now - at) / 86_400 }

  /// Times that a record may have, s since 1970-01-01 UTC: up to the year 9999.
  static let times = 0.0...253_402_300_799

  /// Refuses numbers that no run has written.
  ///
  /// - Throws: ``Failure``.
  func check(named name: String) throws(Failure) {
    guard Self.times.contains(at), (8000...384_000).contains(device.rateHz) else {
      throw Failure(
        name, found: "a time or a rate out of range", expected: "a record as it was written", exit: .badData
      )
    }
  }
}

/// A sound that was played.
package struct PresentedSound: Sendable, Equatable, Codable {
  package let step: Int
  /// From 0, of the step's sounds.
  package let cue: Int
  /// Nil: a silence that was to be heard as one.
  package let stimulus: Stimulus?
  package let masker: Stimulus?
  /// dB SPL in the coupler.
  package let sound: SoundPressureLevel?
  /// dB FS.
  package let digital: FullScaleLevel?
  package let status: CalibrationStatus
  /// Of the samples, as ``SampleDigest`` makes it.
  package let digest: String
  /// Beginning of the gap before it, s since 1970-01-01 UTC.
  package let at: Double
  /// False: it was broken off.
  package var isWhole = true

  /// True where a step asks for this sound.
  func isAsked(by step: ProcedureStep) -> Bool {
    step.number == self.step && step.cues.indices.contains(cue) && step.cues[cue].stimulus == stimulus
      && step.cues[cue].masker == masker
  }
}

package struct PressedKey: Sendable, Equatable, Codable {
  package let key: ProcedureKey
  /// s since 1970-01-01 UTC.
  package let at: Double
}

package struct RoomReading: Sendable, Equatable, Codable {
  /// A-weighted, dB; nil: the microphone delivered nothing.
  package let level: Double?
  package let state: QuietRoomGate.State
  /// s since 1970-01-01 UTC.
  package let at: Double
}

/// A fingerprint of samples or bytes: FNV-1a over their bits (Fowler, Noll & Vo 1991, from memory). It tells whether two are the same, not
/// who made them.
enum SampleDigest {
  private static let start: UInt64 = 0xCBF2_9CE4_8422_2325
  private static let prime: UInt64 = 0x100_0000_01B3

  static func of(_ samples: Binaural<[Float]>) -> String {
    var hash = start
    for channel in [samples.left, samples.right] {
      for sample in channel {
        var bits = sample.bitPattern
        for _ in 0..<4 {
          hash = (hash ^ UInt64(bits & 0xFF)) &* prime
          bits >>= 8
        }
      }
      // A boundary, so that silence in one ear is not silence in the other.
      hash = (hash ^ UInt64(channel.count)) &* prime
    }
    return text(hash)
  }

  static func of(_ bytes: [UInt8]) -> String {
    var hash = start
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* prime }
    return text(hash)
  }

  private static func text(_ hash: UInt64) -> String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension ProcedureLine: Codable {
  private enum Kind: String, Codable {
    case begin, presented, key, answer, room, bands, interrupted, resumed, restarted, end
  }

  private enum CodingKeys: CodingKey { case line, content, step, at, reason }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func content<Value: Decodable>() throws -> Value { try container.decode(Value.self, forKey: .content) }
    func at() throws -> Double { try container.decode(Double.self, forKey: .at) }
    func reason() throws -> String { try container.decode(String.self, forKey: .reason) }
    self =
      switch try container.decode(Kind.self, forKey: .line) {
      case .begin: .begin(try content())
      case .presented: .presented(try content())
      case .key: .key(try content())
      case .answer:
        .answer(step: try container.decode(Int.self, forKey: .step), try content(), at: try at())
      case .room: .room(try content())
      case .bands: .bands(try content())
      case .interrupted: .interrupted(reason: try reason(), at: try at())
      case .resumed:
        .resumed(reason: try container.decodeIfPresent(String.self, forKey: .reason), at: try at())
      case .restarted: .restarted(reason: try reason(), at: try at())
      case .end: .end(try content(), at: try at())
      }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    func write(_ kind: Kind, at: Double? = nil, reason: String? = nil) throws {
      try container.encode(kind, forKey: .line)
      try container.encodeIfPresent(at, forKey: .at)
      try container.encodeIfPresent(reason, forKey: .reason)
    }
    func write(_ kind: Kind, _ content: some Encodable, at: Double? = nil) throws {
      try write(kind, at: at)
      try container.encode(content, forKey: .content)
    }
    switch self {
    case .begin(let beginning): try write(.begin, beginning)
    case .presented(let sound): try write(.presented, sound)
    case .key(let key): try write(.key, key)
    case .answer(let step, let answer, let at):
      try write(.answer, answer, at: at)
      try container.encode(step, forKey: .step)
    case .room(let reading): try write(.room, reading)
    case .bands(let bands): try write(.bands, bands)
    case .interrupted(let reason, let at): try write(.interrupted, at: at, reason: reason)
    case .resumed(let reason, let at): try write(.resumed, at: at, reason: reason)
    case .restarted(let reason, let at): try write(.restarted, at: at, reason: reason)
    case .end(let result, let at): try write(.end, result, at: at)
    }
  }
}
