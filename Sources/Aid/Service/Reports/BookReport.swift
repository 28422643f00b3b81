/// What the prescription book holds and which prescription is heard, as `auricle rx list --json` prints it.
///
/// No names and no thresholds are in it: they are health data, and stand on the card.
package struct BookReport: Sendable, Codable, Equatable {
  package static let schema = 100

  package private(set) var schema = Self.schema
  /// Newest first.
  package let prescriptions: [Entry]
  /// What is heard; nil: nothing prescribed.
  package let inForce: InForce?
  /// Whether the device belongs to a patient.
  package let isBound: Bool
  /// What the reader should know, whole sentences: an expired prescription, a clock that was set back.
  package var notes: [String] = []

  enum CodingKeys: String, CodingKey {
    case schema, prescriptions, notes
    case inForce = "in_force"
    case isBound = "bound"
  }

  /// One prescription that was loaded.
  package struct Entry: Sendable, Codable, Hashable {
    /// Counts the book's prescriptions in the order of loading.
    package let number: Int
    /// The clinic's own.
    package let serial: Int
    package let clinic: String
    /// Fingerprint of the clinic's key.
    package let key: String
    package let environment: String
    /// s since 1970-01-01 UTC.
    package let issued: Double
    package let expires: Double?
    package let loaded: Double
    /// The one of its environment.
    package let isActive: Bool
    /// What became of it: `current`, `on trial`, `former`, `expired`, `of another patient`.
    package let standing: String
    package let trialEnds: Double?

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
  package struct InForce: Sendable, Codable, Hashable {
    /// Its number in the book.
    package let number: Int
    package let serial: Int
    package let clinic: String
    package let environment: String
    /// s since 1970-01-01 UTC; nil: no trial.
    package let trialEnds: Double?

    enum CodingKeys: String, CodingKey {
      case number, serial, clinic, environment
      case trialEnds = "trial_ends_unix_seconds"
    }
  }
}

/// Clinics whose cards are believed, as `auricle trust list --json` prints them.
package struct ClinicsReport: Sendable, Codable, Equatable {
  package private(set) var schema = 100
  package let clinics: [Clinic]

  /// One clinic's key.
  package struct Clinic: Sendable, Codable, Hashable {
    package let name: String
    /// Fingerprint in groups, as people compare it.
    package let fingerprint: String
    /// s since 1970-01-01 UTC.
    package let enrolled: Double
    package let revoked: Double?
    package let validUntil: Double?
    /// The clinic's own card, which carries its public key.
    package let card: String

    enum CodingKeys: String, CodingKey {
      case name, fingerprint, card
      case enrolled = "enrolled_unix_seconds"
      case revoked = "revoked_unix_seconds"
      case validUntil = "valid_until_unix_seconds"
    }
  }
}
