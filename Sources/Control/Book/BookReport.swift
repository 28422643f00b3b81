/// What the prescription book holds and which prescription is heard, as `auricle rx list --json` prints it.
///
/// No names and no thresholds are in it: they are health data, and stand on the card.
public struct BookReport: Sendable, Codable, Equatable {
  public static let schema = 100

  public let schema: Int
  /// Newest first.
  public let prescriptions: [Entry]
  /// What is heard; nil: nothing prescribed.
  public let inForce: InForce?
  /// Whether the device belongs to a patient.
  public let isBound: Bool
  /// What the reader should know, whole sentences: an expired prescription, a clock that was set back.
  public let notes: [String]

  public init(prescriptions: [Entry], inForce: InForce?, isBound: Bool, notes: [String] = []) {
    schema = Self.schema
    self.prescriptions = prescriptions
    self.inForce = inForce
    self.isBound = isBound
    self.notes = notes
  }

  enum CodingKeys: String, CodingKey {
    case schema, prescriptions, notes
    case inForce = "in_force"
    case isBound = "bound"
  }

  /// One prescription that was loaded.
  public struct Entry: Sendable, Codable, Hashable {
    /// Counts the book's prescriptions in the order of loading.
    public let number: Int
    /// The clinic's own.
    public let serial: Int
    public let clinic: String
    /// Fingerprint of the clinic's key.
    public let key: String
    public let environment: String
    /// s since 1970-01-01 UTC.
    public let issued: Double
    public let expires: Double?
    public let loaded: Double
    /// The one of its environment.
    public let isActive: Bool
    /// What became of it: `current`, `on trial`, `former`, `expired`, `of another patient`.
    public let standing: String
    public let trialEnds: Double?

    public init(
      number: Int, serial: Int, clinic: String, key: String, environment: String, issued: Double,
      expires: Double?,
      loaded: Double, isActive: Bool, standing: String, trialEnds: Double?
    ) {
      self.number = number
      self.serial = serial
      self.clinic = clinic
      self.key = key
      self.environment = environment
      self.issued = issued
      self.expires = expires
      self.loaded = loaded
      self.isActive = isActive
      self.standing = standing
      self.trialEnds = trialEnds
    }

    enum CodingKeys: String, CodingKey {
      case number, serial, clinic, key, environment, standing
      case issued = "issued_unix_seconds"
      case expires = "expires_unix_seconds"
      case loaded = "loaded_unix_seconds"
      case isActive = "active"
      case trialEnds = "trial_ends_unix_seconds"
    }
  }

  /// The prescription that is heard.
  public struct InForce: Sendable, Codable, Hashable {
    /// Its number in the book.
    public let number: Int
    public let serial: Int
    public let clinic: String
    public let environment: String
    /// s since 1970-01-01 UTC; nil: no trial.
    public let trialEnds: Double?

    public init(number: Int, serial: Int, clinic: String, environment: String, trialEnds: Double?) {
      self.number = number
      self.serial = serial
      self.clinic = clinic
      self.environment = environment
      self.trialEnds = trialEnds
    }

    enum CodingKeys: String, CodingKey {
      case number, serial, clinic, environment
      case trialEnds = "trial_ends_unix_seconds"
    }
  }
}
