import AudioIO
import Control

/// The sound devices of this machine, as `auricle devices --json` prints them.
package struct DevicesReport: Sendable, Codable, Equatable {
  package private(set) var schema = 100
  package let devices: [Device]

  /// One ALSA device.
  package struct Device: Sendable, Codable, Hashable {
    /// ALSA name to write into the configuration, `hw:CARD=PCH,DEV=0`.
    package let name: String
    /// The card's own name.
    package let description: String
    package let capture: Direction?
    package let playback: Direction?
    /// True for the one that is taken when the configuration names none.
    package let isDefault: Bool
  }

  /// A device's offer in one direction.
  package struct Direction: Sendable, Codable, Hashable {
    /// Greatest number of channels.
    package let channels: Int
    /// Rates out of 44100, 48000 and 96000 Hz that it has.
    package let ratesHz: [Int]
    /// Sample formats in ALSA's words.
    package let formats: [String]
    /// Why it cannot be opened now, `in use by process 812`.
    package var problem: String?
  }
}

/// The program that answers.
package struct VersionReport: Sendable, Codable, Hashable {
  /// `0.1.0`.
  package let version: String
  /// Commit it was built from, if known.
  package let commit: String?
  /// Swift version it was built with.
  package let swift: String
  /// Version of the messages on the control socket.
  package private(set) var `protocol` = ProtocolVersion.current
}

/// Findings of an examination of the machine, as `auricle doctor --json` prints it.
package struct DoctorReport: Sendable, Codable, Equatable {
  package private(set) var schema = 100
  package let findings: [Finding]

  /// True when nothing stands in the way of sound.
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

    /// Object of the finding, `real-time priority`.
    package let subject: String
    package let verdict: Verdict
    /// The finding, without a full stop.
    package let found: String
    /// Advice, whole sentences.
    package var remedy: String?

    init(_ subject: String, _ verdict: Verdict, found: String, remedy: String? = nil) {
      self.subject = subject
      self.verdict = verdict
      self.found = found
      self.remedy = remedy
    }
  }
}

/// Outcome of reading the configuration again, as `auricle reload --json` prints it.
package struct ReloadReport: Sendable, Codable, Hashable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  package private(set) var schema = 100
  /// Keys whose new value, or whose file's new content, is in force.
  package let applied: [String]
  /// Keys for whose new value the devices were closed and opened again.
  package let reopened: [String]
  /// Keys whose new value waits until the daemon is started again.
  package let restartNeeded: [String]
  /// Parts that could not be read again though the rest was, whole sentences.
  package var notes: [String] = []
  /// The fitting in force then, told with a call's answer alone; nil: not told.
  package var fitting: StatusReport.Fitting?
}

extension ReloadReport {
  /// From a daemon's answer; one from before there were a schema and notes says none.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    schema = try values.decodeIfPresent(Int.self, forKey: .schema) ?? schema
    applied = try values.decode([String].self, forKey: .applied)
    reopened = try values.decode([String].self, forKey: .reopened)
    restartNeeded = try values.decode([String].self, forKey: .restartNeeded)
    notes = try values.decodeIfPresent([String].self, forKey: .notes) ?? []
    fitting = try values.decodeIfPresent(StatusReport.Fitting.self, forKey: .fitting)
  }
}

extension DevicesReport {
  /// Rates that this program works at, Hz.
  static let rates = [44_100, 48_000, 96_000]

  /// The devices of this machine.
  package init(_ devices: [DeviceDescription]) {
    let first = devices.first { $0.card != nil && $0.directions.count == 2 && $0.refusedFile == nil }?.name
    self.init(
      devices: devices.map { device in
        let hidden = device.hiddenDelay.map { "; \($0.explanation)" } ?? ""
        return Device(
          name: device.name, description: device.title + hidden,
          capture: Self.direction(device, .capture, device.capture),
          playback: Self.direction(device, .playback, device.playback), isDefault: device.name == first)
      })
  }

  private static func direction(
    _ device: DeviceDescription, _ direction: StreamDirection, _ offer: DeviceOffer?
  ) -> Direction? {
    guard device.directions.contains(direction) else { return nil }
    guard let offer else {
      return Direction(channels: 0, ratesHz: [], formats: [], problem: problem(device))
    }
    return Direction(
      channels: offer.channels.upperBound, ratesHz: offer.rates.filter(rates.contains),
      formats: offer.formats.map(\.rawValue))
  }

  private static func problem(_ device: DeviceDescription) -> String {
    if let refusal = device.refusal { return refusal }
    let holders = device.holders.map { "\($0.command), process \($0.processID)" }
    if !holders.isEmpty { return "in use by \(holders.joined(separator: " and "))" }
    return device.card == nil
      ? "not asked, because asking may start a sound server" : "cannot be opened now"
  }
}
