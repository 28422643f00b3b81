import Base

/// Measured feedback paths as they are kept in a file and handed to the daemon.
package struct FeedbackRecord: Sendable, Codable, Hashable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  package static let schema = 100

  package private(set) var schema = Self.schema
  /// Nil: not measured.
  package var left: Ear?
  package var right: Ear?

  /// True when nothing was measured.
  package var isEmpty: Bool { left == nil && right == nil }

  /// False when another version wrote it, or the numbers cannot be those of paths.
  package var isReadable: Bool {
    schema / 100 == Self.schema / 100 && [left, right].compactMap(\.self).allSatisfy(\.isSound)
  }

  /// These paths, and another record's where there is none here.
  package func over(_ other: FeedbackRecord) -> FeedbackRecord {
    FeedbackRecord(left: left ?? other.left, right: right ?? other.right)
  }

  /// One ear's path, full scale to full scale.
  package struct Ear: Sendable, Codable, Hashable {
    /// s since 1970-01-01 UTC.
    package var measured: Double
    /// ALSA names of the devices.
    package var capture: String
    package var playback: String
    /// Hz.
    package var rate: Double
    /// Level of the test sound, dB SPL.
    package var level: Double
    /// From output to the first trace in the input, s; nil: nothing found.
    package var delay: Double?
    /// The devices' own part by their word, s.
    package var deviceDelay: Double?
    /// Samples from the first trace on.
    package var response: [Double]
    /// Hz, rising.
    package var frequencies: [Double]
    /// Greatest |F| about each frequency, dB. - Shape: as ``frequencies``.
    package var levels: [Double]
    /// Reading of noise alone, dB. - Shape: as ``frequencies``.
    package var noise: [Double]

    enum CodingKeys: String, CodingKey {
      case capture, playback, response
      case measured = "measured_unix_seconds"
      case rate = "rate_hz"
      case level = "level_db_spl"
      case delay = "delay_seconds"
      case deviceDelay = "device_delay_seconds"
      case frequencies = "frequencies_hz"
      case levels = "levels_db"
      case noise = "noise_db"
    }

    /// Longest response accepted, samples: 20 ms at 96 kHz, twice what a test gives.
    static let responses = 1920
    /// Most frequencies accepted: four times what a test gives.
    static let cells = 400

    /// True when the numbers can be those of a path: finite, of one length, rising, in range.
    package var isSound: Bool {
      let isShaped =
        (1...Self.cells).contains(frequencies.count) && levels.count == frequencies.count
        && noise.count == frequencies.count && response.count <= Self.responses
      let isRising = zip(frequencies, frequencies.dropFirst()).allSatisfy { $0 < $1 }
      let isInRange =
        frequencies.allSatisfy { (20...48_000).contains($0) }
        && (levels + noise).allSatisfy { (-200...120).contains($0) }
        && response.allSatisfy { (-1e6...1e6).contains($0) } && (8000...192_000).contains(rate)
        && Timestamp.times.contains(measured) && (-200...200).contains(level)
      // Names are shown on terminals.
      let areNames = [capture, playback].allSatisfy { name in
        (1...256).contains(name.utf8.count)
          && !name.unicodeScalars.contains {
            [.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
          }
      }
      let times = [delay, deviceDelay].compactMap(\.self)
      return areNames && isShaped && isRising && isInRange && times.allSatisfy { (0...10).contains($0) }
        && (0...1e11).contains(measured) && (0...140).contains(level)
    }
  }
}
