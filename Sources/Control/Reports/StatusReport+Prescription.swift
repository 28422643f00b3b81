extension StatusReport {
  /// The prescription that is heard, from the book; without names and thresholds, which are health data.
  public struct Prescription: Sendable, Codable, Hashable {
    /// Number in the book, by which commands call it; nil: of a book that cannot be read.
    public let number: Int?
    /// Number that the clinic gave it.
    public let serial: Int?
    public let clinic: String?
    /// Word of the environment it is for.
    public let environment: String?
    /// When the trial ends, s since 1970-01-01 UTC; nil: no trial.
    public let trialEnds: Double?
    /// When it expires or expired, s since 1970-01-01 UTC.
    public let expires: Double?
    /// Until when a developer's pass is open, s since 1970-01-01 UTC.
    public let developerMode: Double?
    /// What the wearer should know, whole sentences: it has expired, the book cannot be read.
    public let notes: [String]

    public init(
      number: Int? = nil, serial: Int?, clinic: String?, environment: String?, trialEnds: Double? = nil,
      expires: Double? = nil, developerMode: Double? = nil, notes: [String] = []
    ) {
      self.number = number
      self.serial = serial
      self.clinic = clinic
      self.environment = environment
      self.trialEnds = trialEnds
      self.expires = expires
      self.developerMode = developerMode
      self.notes = notes
    }

    /// The same with another note.
    public func with(note: String) -> Prescription {
      Prescription(
        number: number, serial: serial, clinic: clinic, environment: environment, trialEnds: trialEnds,
        expires: expires, developerMode: developerMode, notes: notes + [note])
    }

    enum CodingKeys: String, CodingKey {
      case number, serial, clinic, environment, notes
      case trialEnds = "trial_ends_unix_seconds"
      case expires = "expires_unix_seconds"
      case developerMode = "developer_mode_until_unix_seconds"
    }
  }
}
