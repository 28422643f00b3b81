import Acoustics
import AudioIO
import Control
import Engine

/// The sound devices of this machine, as `auricle devices --json` prints them.
package struct DevicesReport: Sendable, Codable, Equatable {
  package private(set) var schema = 103
  package let devices: [Device]

  /// One ALSA device.
  package struct Device: Sendable, Codable, Hashable {
    /// ALSA name to write into the configuration, `hw:CARD=PCH,DEV=0`.
    package let name: String
    /// The card's own name.
    package let description: String
    package let capture: Direction?
    package let playback: Direction?
    /// True for one that is taken when the configuration names none: that of a calibration, otherwise the first card.
    package let isDefault: Bool
    /// Maker, product and the card's own name, by which a calibration knows it; nil: not known.
    package var model: String?
    /// Ends, `microphone` and `earphone`, whose calibration was made with this model; nil: none.
    package var calibratedEnds: [String]?
    /// Kind of way that sound takes; nil: not known.
    package var latencyClass: LatencyClass?
    /// Delay beyond the buffer that is to be expected, s: least and most; nil: not known.
    package var expectedDelaySeconds: [Double]?
    /// Delay of the loop that ends in it as it was measured, s; nil: nobody has.
    package var measuredDelaySeconds: Double?
    /// Reason to choose another device, a sentence without its full stop; nil: none.
    package var caution: String?
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

/// Outcome of reading the configuration again, as `auricle reload --json` prints it.
package struct ReloadReport: Sendable, Codable, Hashable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  package private(set) var schema = 101
  /// Keys whose new value, or whose file's new content, is in force.
  package let applied: [String]
  /// Keys for whose new value the devices were closed and opened again.
  package private(set) var reopened: [String]
  /// Keys whose new value waits until the daemon is started again.
  package let restartNeeded: [String]
  /// Parts that could not be read again though the rest was, whole sentences.
  package var notes: [String] = []
  /// Keys whose new value is not in force because the device refused it.
  package private(set) var refused: [String] = []
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
    refused = try values.decodeIfPresent([String].self, forKey: .refused) ?? []
    fitting = try values.decodeIfPresent(StatusReport.Fitting.self, forKey: .fitting)
  }

  /// The devices refused what they were opened again for.
  package mutating func refuseDevices(_ reason: String) {
    (refused, reopened) = (reopened, [])
    notes.append(reason)
  }
}

extension DevicesReport {
  /// Rates that this program works at, Hz.
  package static let rates = [44_100, 48_000, 96_000]

  /// The devices of this machine.
  ///
  /// - Parameters:
  ///   - record: Of delays that were measured; nothing by default.
  ///   - hearing: With the calibrations of the configuration; none by default.
  package init(
    _ devices: [DeviceDescription], measured record: FeedbackRecord = FeedbackRecord(),
    calibrated hearing: HearingSettings = HearingSettings()
  ) {
    let first = devices.usual?.name
    let calibrations = [hearing.microphones.device, hearing.earphones.device]
    let taken = calibrations.compactMap { calibration -> String? in
      guard let name = calibration.homeName else { return first }
      return devices.first { $0.isCalled(name) }?.name
    }
    self.init(
      devices: devices.map { device in
        let link = BluetoothLink(deviceName: device.name)
        let measured = record.delay(of: device.name)
        let model = device.model.flatMap { DeviceIdentity($0) }
        let ends = Configuration.End.allCases.filter {
          hearing.calibratedIdentity(of: $0)?.match(model) == .same
        }
        return Device(
          name: device.name, description: device.title,
          capture: Self.direction(device, .capture, device.capture),
          playback: Self.direction(device, .playback, device.playback),
          isDefault: taken.contains(device.name), model: model?.description,
          calibratedEnds: ends.isEmpty ? nil : ends.map(\.rawValue),
          latencyClass: device.latencyClass,
          expectedDelaySeconds: link.map { [$0.expectedDelay.lowerBound, $0.expectedDelay.upperBound] },
          measuredDelaySeconds: measured,
          caution: link?.caution(measured: measured) ?? device.hiddenDelay?.explanation)
      })
  }

  private static func direction(
    _ device: DeviceDescription, _ direction: StreamDirection, _ offer: DeviceOffer?
  ) -> Direction? {
    guard device.directions.contains(direction) else { return nil }
    if direction == .capture, device.latencyClass == .bluetooth {
      return Direction(
        channels: 0, ratesHz: [], formats: [], problem: "refused: \(BluetoothLink.captureRefusal)")
    }
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
