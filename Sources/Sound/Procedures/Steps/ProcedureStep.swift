/// The next thing that a procedure wants: sounds, and an answer.
///
/// - Threads: any.
public struct ProcedureStep: Sendable, Hashable, Codable {
  /// Kind of the answer that is waited for.
  public enum Question: String, Sendable, Hashable, Codable, CaseIterable {
    /// A key as soon as a tone is heard. Nothing, for a second after the last sound, counts as not heard.
    case detection
    /// Louder, softer, or as loud as the tinnitus; the sounds are repeated until then.
    case adjustment
    /// The one of two sounds that is more like the tinnitus, or both once more.
    case comparison
    /// Yes or no: the tinnitus is heard beside the sound, which is repeated until then.
    case presence
    /// A tone softer than the tinnitus, louder, or as loud.
    case balance
    /// The loudness of the tinnitus, per cent of the usual.
    case rating
    /// A sound's likeness to the tinnitus, 0 to 100.
    case likeness
    /// None: the sound is heard to its end.
    case listening
  }

  /// A sound and the silence before it.
  public struct Cue: Sendable, Hashable, Codable {
    /// s.
    public let gap: Double
    /// Nil: a silence that is answered as a tone is, as long as one.
    public let stimulus: Stimulus?
    /// Noise in the other ear, from before the stimulus to its end; nil: none.
    public let masker: Stimulus?

    /// - Parameter gap: Silence before the stimulus, s.
    public init(gap: Double, _ stimulus: Stimulus?, masker: Stimulus? = nil) {
      (self.gap, self.stimulus, self.masker) = (gap, stimulus, masker)
    }
  }

  /// From 1.
  public let number: Int
  /// Played one after the other.
  public let cues: [Cue]
  /// Kind of the answer that ends the step.
  public let question: Question

  /// - Parameter number: Place among the steps of a procedure, from 1.
  public init(_ number: Int, _ cues: [Cue], _ question: Question) {
    (self.number, self.cues, self.question) = (number, cues, question)
  }
}

/// An answer to a step.
///
/// - Threads: any.
public enum ProcedureAnswer: Sendable, Hashable {
  /// The key was pressed this long after the tone's beginning, s.
  case heard(after: Double)
  case notHeard
  /// dB, + is louder.
  case turn(Double)
  /// As loud as the tinnitus.
  case accept
  case first
  case second
  /// The tinnitus is heard.
  case present
  /// The tinnitus is not heard.
  case absent
  /// The tone is softer than the tinnitus.
  case softer
  case louder
  case equal
  /// Per cent of the usual, or likeness, this long after the last sound, s.
  case rate(Double, after: Double)
  /// The sound was heard to its end.
  case ended
  /// The sound was broken off, by noise in the room, a gap, a pause or an end of the program: it counts for nothing.
  case interrupted
}

extension ProcedureAnswer: Codable {
  private enum Kind: String, Codable {
    case heard, notHeard, turn, accept, first, second, present, absent, softer, louder, equal, rate, ended,
      interrupted
  }

  private enum CodingKeys: CodingKey { case answer, value, after }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func number(_ key: CodingKeys) throws -> Double { try container.decode(Double.self, forKey: key) }
    self =
      switch try container.decode(Kind.self, forKey: .answer) {
      case .heard: .heard(after: try number(.after))
      case .notHeard: .notHeard
      case .turn: .turn(try number(.value))
      case .accept: .accept
      case .first: .first
      case .second: .second
      case .present: .present
      case .absent: .absent
      case .softer: .softer
      case .louder: .louder
      case .equal: .equal
      case .rate: .rate(try number(.value), after: try number(.after))
      case .ended: .ended
      case .interrupted: .interrupted
      }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    func write(_ kind: Kind, value: Double? = nil, after: Double? = nil) throws {
      try container.encode(kind, forKey: .answer)
      try container.encodeIfPresent(value, forKey: .value)
      try container.encodeIfPresent(after, forKey: .after)
    }
    switch self {
    case .heard(let after): try write(.heard, after: after)
    case .notHeard: try write(.notHeard)
    case .turn(let change): try write(.turn, value: change)
    case .accept: try write(.accept)
    case .first: try write(.first)
    case .second: try write(.second)
    case .present: try write(.present)
    case .absent: try write(.absent)
    case .softer: try write(.softer)
    case .louder: try write(.louder)
    case .equal: try write(.equal)
    case .rate(let loudness, let after): try write(.rate, value: loudness, after: after)
    case .ended: try write(.ended)
    case .interrupted: try write(.interrupted)
    }
  }
}
