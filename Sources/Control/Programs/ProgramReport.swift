/// Which program is heard, how volume and tone are turned, and what the aid takes its surroundings for.
public struct ProgramReport: Sendable, Codable, Hashable {
  /// Word of what was chosen: a program, or `automatic`.
  public let chosen: String
  /// Word of the program that is heard.
  public let inForce: String
  /// The same, for people.
  public let name: String
  /// dB relative to the prescription.
  public let volume: Adjustment
  /// dB, treble against bass.
  public let tone: Adjustment
  /// Nil while nothing is heard, or nothing was made out yet.
  public let scene: Scene?
  /// What the aid hears and what it makes of it, one sentence without a full stop; nil unless the choice is automatic.
  public let reason: String?
  /// What the wearer should know, whole sentences: that nothing is remembered.
  public var notes: [String]

  public init(
    chosen: String, inForce: String, name: String, volume: Adjustment, tone: Adjustment,
    scene: Scene? = nil, reason: String? = nil, notes: [String] = []
  ) {
    self.chosen = chosen
    self.inForce = inForce
    self.name = name
    self.volume = volume
    self.tone = tone
    self.scene = scene
    self.reason = reason
    self.notes = notes
  }

  enum CodingKeys: String, CodingKey {
    case chosen, name, volume, tone, scene, reason, notes
    case inForce = "in_force"
  }

  /// One thing that the wearer turns.
  public struct Adjustment: Sendable, Codable, Hashable {
    /// dB.
    public let value: Double
    /// How far it may be turned, dB.
    public let least: Double
    public let most: Double

    public init(value: Double, least: Double, most: Double) {
      self.value = value
      self.least = least
      self.most = most
    }

    enum CodingKeys: String, CodingKey {
      case value = "value_db"
      case least = "least_db"
      case most = "most_db"
    }
  }

  /// What surrounds the wearer.
  public struct Scene: Sendable, Codable, Hashable {
    /// `quiet`, `speech`, `speech-in-noise`, `noise` or `music`.
    public let kind: String
    /// How sure that is, 0…1.
    public let confidence: Double
    /// For how long, s.
    public let duration: Double
    /// dB SPL.
    public let level: Double?
    /// How far the sound rises above its own background, dB.
    public let aboveBackground: Double?
    public let isWindy: Bool

    public init(
      kind: String, confidence: Double, duration: Double, level: Double?, aboveBackground: Double?,
      isWindy: Bool
    ) {
      self.kind = kind
      self.confidence = confidence.isFinite ? confidence : 0
      self.duration = duration.isFinite ? duration : 0
      self.level = level.finite
      self.aboveBackground = aboveBackground.finite
      self.isWindy = isWindy
    }

    enum CodingKeys: String, CodingKey {
      case kind, confidence
      case duration = "duration_seconds"
      case level = "level_db_spl"
      case aboveBackground = "above_background_db"
      case isWindy = "windy"
    }
  }
}
