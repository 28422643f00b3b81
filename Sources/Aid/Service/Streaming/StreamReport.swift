import Base
import Engine

extension StatusReport {
  /// Calls and music from another program, heard through the prescription.
  package struct Stream: Sendable, Codable, Hashable {
    package enum State: String, Sendable, Codable, CaseIterable {
      /// Turned off; its device is closed.
      case off
      /// Turned on, and nothing is heard of it: see the reason.
      case waiting
      /// It is played, and there is nothing in it.
      case silent
      case playing
    }

    package let state: State
    /// Reason for which it waits, a clause.
    package var reason: String?
    /// ALSA name of its device.
    package let device: String
    package var rateHz: Int?
    /// dB relative to its calibration, by which −20 dB FS are speech at 65 dB SPL.
    package let level: ProgramReport.Adjustment
    /// The level that is heard, where the volume that is turned up holds it lower, dB; nil: the same.
    package var heldLevelDB: Double?
    /// dB: above 0 the left ear is so much softer, below 0 the right one.
    package let balanceDB: Double
    /// Attenuation of the microphones while there is sound in it, dB.
    package let microphonesLoweredDB: Double
    /// The same now.
    package let microphonesLoweredNowDB: Double
    /// Level as it comes, dB FS; nil: silence.
    package var inputLevelDBFS: Double?
    /// Excess of its clock's rate over the aid's, parts per million; nil: not known yet.
    package var driftPPM: Double?
    /// Delay beyond that of the aid, s.
    package var delaySeconds: Double?
    /// Times that it broke off while sound was meant to follow, since the devices were opened.
    package let interruptions: Int
  }
}

extension StatusReport.Stream {
  /// Level above which there is sound in it, dB FS: as the microphones are lowered for it.
  private static let sounding = -60.0

  /// - Parameters:
  ///   - settings: As set; heard or not.
  ///   - isOn: True when it is turned on.
  ///   - limits: Of the prescription.
  ///   - volume: As it is heard, dB.
  ///   - isSounding: True while the aid's sound flows.
  ///   - test: Name of the test under way, which plays in place of the aid; nil: none.
  ///   - hanging: ALSA name of a device from which the stream's thread does not come back; nil: there is none.
  init(
    _ reading: StreamingReading, device: String, settings: StreamingSettings, isOn: Bool,
    limits: AdjustmentLimits, volume: Double, isSounding: Bool, test: String? = nil, hanging: String? = nil,
    note: String?
  ) {
    let held = settings.held(within: limits)
    let heard = settings.heardLevel(within: limits, volume: volume)
    let state: State
    var reason: String?
    switch reading.state {
    case _ where !isOn: (state, reason) = (.off, note)
    // Whatever was told before, of whichever device.
    case _ where hanging != nil: (state, reason) = (.waiting, hanging.map(Self.trouble))
    case .off: (state, reason) = (.waiting, "it is being opened")
    case .waiting(let cause): (state, reason) = (.waiting, cause)
    case .flowing where !isSounding || !reading.played.isHeard:
      (state, reason) = (.waiting, test.map { "a \($0) is under way" } ?? "it is about to be heard")
    case .flowing: state = reading.level > Self.sounding ? .playing : .silent
    }
    let isFlowing = state == .playing || state == .silent
    self.init(
      state: state, reason: reason, device: device, rateHz: isFlowing ? reading.format?.rate : nil,
      level: ProgramReport.Adjustment(held.level, StreamingSettings.levels(within: limits)),
      heldLevelDB: heard < held.level ? heard : nil, balanceDB: held.balance,
      microphonesLoweredDB: held.microphoneReduction,
      microphonesLoweredNowDB: isFlowing ? (reading.played.microphoneReduction * 10).rounded() / 10 : 0,
      inputLevelDBFS: isFlowing && reading.level > -150 ? reading.level : nil,
      driftPPM: isFlowing ? reading.drift.partsPerMillion?.finite : nil,
      delaySeconds: isFlowing ? reading.delay : nil,
      interruptions: Int(clamping: reading.played.interruptions))
  }

  /// Reason for which a device that hangs keeps the stream silent, a clause.
  static func trouble(ofHanging device: String) -> String {
    "\(device) does not answer, its sound server may hang: end the daemon and start it again"
  }

  /// State in words: `playing`, `waiting: no such device hw:CARD=Loopback`, without a full stop.
  package var words: String { state.rawValue + (reason.map { ": \($0)" } ?? "") }
}

/// Outcome of `stream.set`, as `auricle stream --json` prints it.
package struct StreamAnswer: Sendable, Codable, Hashable {
  package private(set) var schema = 100
  /// One or more whole sentences for the person who asked.
  package let message: String
  package let stream: StatusReport.Stream
  /// The state of the aid's sound.
  package var state: StatusReport.State?

  package init(message: String, stream: StatusReport.Stream, state: StatusReport.State? = nil) {
    (self.message, self.stream, self.state) = (message, stream, state)
  }
}

/// A stream in words.
package enum StreamText {
  /// `playing, level 0 dB, microphones 6 dB lower`, without a full stop.
  package static func line(_ stream: StatusReport.Stream) -> String {
    var parts = [
      "\(stream.words) (\(stream.device))",
      "level \(NumberText.signed(stream.level.valueDB)) dB\(held(stream))",
    ]
    if stream.balanceDB != 0 { parts.append(balance(stream.balanceDB)) }
    if stream.microphonesLoweredNowDB > 0 {
      parts.append("microphones \(NumberText.fixed(stream.microphonesLoweredNowDB)) dB lower")
    }
    if let drift = stream.driftPPM { parts.append("clock \(NumberText.signed(drift.rounded())) ppm") }
    if let delay = stream.delaySeconds { parts.append("\(NumberText.milliseconds(delay)) later") }
    if stream.interruptions > 0 {
      parts.append("broke off \(stream.interruptions == 1 ? "once" : "\(stream.interruptions) times")")
    }
    return parts.joined(separator: ", ")
  }

  /// ` (held to +2 dB by the volume)`; empty where it is heard as set.
  package static func held(_ stream: StatusReport.Stream) -> String {
    stream.heldLevelDB.map { " (held to \(NumberText.signed($0)) dB by the volume)" } ?? ""
  }

  /// `left ear 3 dB softer`, `both ears alike`.
  package static func balance(_ value: Double) -> String {
    guard value != 0 else { return "both ears alike" }
    return "\(value > 0 ? "left" : "right") ear \(NumberText.fixed(abs(value))) dB softer"
  }
}
