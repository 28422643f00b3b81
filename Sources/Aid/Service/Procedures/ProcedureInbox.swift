import Base
import Synchronization

/// A key that a person presses during a procedure.
package enum ProcedureKey: Sendable, Hashable {
  /// The one key of a hearing test.
  case heard
  /// dB, + is louder.
  case turn(Double)
  case accept, first, second
  /// The tinnitus is heard, or is not.
  case present, absent
  /// The tone beside the tinnitus.
  case softer, louder, equal
  /// Per cent of the usual, or likeness.
  case rate(Double)
  /// Both sounds once more.
  case again
  case pause, resume
}

extension ProcedureKey: Codable {
  package enum Name: String, Codable, CaseIterable, Sendable {
    case heard, turn, accept, first, second, present, absent, softer, louder, equal, rate, again, pause,
      resume
  }

  private enum CodingKeys: CodingKey { case key, value }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let name = try container.decode(Name.self, forKey: .key)
    guard let key = ProcedureKey(name, value: try container.decodeIfPresent(Double.self, forKey: .value))
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .value, in: container, debugDescription: "\(name.rawValue) without its number")
    }
    self = key
  }

  /// - Parameter value: dB or per cent, of a turn and a rating.
  package init?(_ name: Name, value: Double? = nil) {
    switch name {
    case .heard: self = .heard
    case .turn:
      guard let value, value.isFinite else { return nil }
      self = .turn(value)
    case .accept: self = .accept
    case .first: self = .first
    case .second: self = .second
    case .present: self = .present
    case .absent: self = .absent
    case .softer: self = .softer
    case .louder: self = .louder
    case .equal: self = .equal
    case .rate:
      guard let value, value.isFinite else { return nil }
      self = .rate(value)
    case .again: self = .again
    case .pause: self = .pause
    case .resume: self = .resume
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    func write(_ name: Name, _ value: Double? = nil) throws {
      try container.encode(name, forKey: .key)
      try container.encodeIfPresent(value, forKey: .value)
    }
    switch self {
    case .heard: try write(.heard)
    case .turn(let change): try write(.turn, change)
    case .accept: try write(.accept)
    case .first: try write(.first)
    case .second: try write(.second)
    case .present: try write(.present)
    case .absent: try write(.absent)
    case .softer: try write(.softer)
    case .louder: try write(.louder)
    case .equal: try write(.equal)
    case .rate(let loudness): try write(.rate, loudness)
    case .again: try write(.again)
    case .pause: try write(.pause)
    case .resume: try write(.resume)
    }
  }
}

/// Keys on their way from the supervisor to the procedure's thread, in their order, each with its time.
///
/// - Threads: any.
final class ProcedureInbox: Sendable {
  private let keys = Mutex<[(key: ProcedureKey, at: Double)]>([])
  /// Keys that wait at most; a procedure looks fifty times a second.
  private static let room = 100

  /// - Parameter at: Monotonic s.
  func put(_ key: ProcedureKey, at: Double) {
    keys.withLock { if $0.count < Self.room { $0.append((key, at)) } }
  }

  func take() -> [(key: ProcedureKey, at: Double)] {
    keys.withLock { keys in
      defer { keys = [] }
      return keys
    }
  }
}
