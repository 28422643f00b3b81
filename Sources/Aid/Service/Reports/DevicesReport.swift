import Control

/// The sound devices of this machine, as `auricle devices --json` prints them.
package struct DevicesReport: Sendable, Codable, Equatable {
  package static let schema = 100

  package private(set) var schema = Self.schema
  package let devices: [Device]

  /// One ALSA device.
  package struct Device: Sendable, Codable, Hashable {
    /// ALSA name to write into the configuration, `hw:CARD=PCH,DEV=0`.
    package let name: String
    /// What the card calls itself.
    package let description: String
    package let capture: Direction?
    package let playback: Direction?
    /// Whether it is taken when the configuration names none.
    package let isDefault: Bool

    enum CodingKeys: String, CodingKey {
      case name, description, capture, playback
      case isDefault = "default"
    }
  }

  /// What a device can do in one direction.
  package struct Direction: Sendable, Codable, Hashable {
    /// Greatest number of channels.
    package let channels: Int
    /// Rates out of 44100, 48000 and 96000 Hz that it has.
    package let rates: [Int]
    /// Sample formats in ALSA's words.
    package let formats: [String]
    /// Why it cannot be opened now, `in use by process 812`.
    package var problem: String?

    enum CodingKeys: String, CodingKey {
      case channels, formats, problem
      case rates = "rates_hz"
    }
  }
}

/// Which program answers.
package struct VersionReport: Sendable, Codable, Hashable {
  /// `0.1.0`.
  package let version: String
  /// Commit it was built from, if known.
  package let commit: String?
  /// Swift version it was built with.
  package let swift: String
  /// Version of the messages on the control socket.
  package private(set) var protocolVersion = ProtocolVersion.current

  enum CodingKeys: String, CodingKey {
    case version, commit, swift
    case protocolVersion = "protocol"
  }
}

/// What was found when the machine was examined, as `auricle doctor --json` prints it.
package struct DoctorReport: Sendable, Codable, Equatable {
  package static let schema = 100

  package private(set) var schema = Self.schema
  package let findings: [Finding]

  /// Whether nothing stands in the way of sound.
  package var isHealthy: Bool { !findings.contains { $0.verdict == .bad } }

  /// One fact about the machine.
  package struct Finding: Sendable, Codable, Hashable {
    package enum Verdict: String, Sendable, Codable, CaseIterable {
      case good
      /// Sound will flow, but worse than it could.
      case warning
      /// Sound will not flow, or not safely.
      case bad
    }

    /// What was looked at, `real-time priority`.
    package let subject: String
    package let verdict: Verdict
    /// What was found, without a full stop.
    package let found: String
    /// What to do about it, whole sentences.
    package var remedy: String?

    init(_ subject: String, _ verdict: Verdict, found: String, remedy: String? = nil) {
      self.subject = subject
      self.verdict = verdict
      self.found = found
      self.remedy = remedy
    }
  }
}

/// What reading the configuration again led to, as `auricle reload --json` prints it.
package struct ReloadReport: Sendable, Codable, Hashable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  package static let schema = 100

  package private(set) var schema = Self.schema
  /// Keys whose new value, or whose file's new content, is in force.
  package let applied: [String]
  /// Keys for whose new value the devices were closed and opened again.
  package let reopened: [String]
  /// Keys whose new value waits until the daemon is started again.
  package let restartNeeded: [String]
  /// What could not be read again though the rest was, whole sentences.
  package var notes: [String] = []
  /// The fitting in force then, told with a call's answer alone; nil: not told.
  package var fitting: StatusReport.Fitting?

  enum CodingKeys: String, CodingKey {
    case schema, applied, reopened, notes, fitting
    case restartNeeded = "restart_needed"
  }
}

extension ReloadReport {
  /// From a daemon's answer; one from before there were a schema and notes says none.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    schema = try values.decodeIfPresent(Int.self, forKey: .schema) ?? Self.schema
    applied = try values.decode([String].self, forKey: .applied)
    reopened = try values.decode([String].self, forKey: .reopened)
    restartNeeded = try values.decode([String].self, forKey: .restartNeeded)
    notes = try values.decodeIfPresent([String].self, forKey: .notes) ?? []
    fitting = try values.decodeIfPresent(StatusReport.Fitting.self, forKey: .fitting)
  }
}
