import Acoustics
import AudioIO
import Control
import Engine
import Fitting
import Realtime

extension StatusReport {
  /// The devices, as granted.
  package struct Devices: Sendable, Codable, Hashable {
    package let capture: Stream
    package let playback: Stream
    /// Frames of a block, in which both are processed: the longest of both devices' periods and the one asked for. Nil: of a daemon that is
    /// older than this key.
    package var periodFrames: Int?

    /// One direction.
    package struct Stream: Sendable, Codable, Hashable {
      /// ALSA name as opened.
      package let name: String
      /// The card's own name.
      package let description: String?
      package let rateHz: Int
      package let channels: Int
      /// Sample format in ALSA's words, `S32_LE`.
      package let format: String
      package let periodFrames: Int
      package let periods: Int
    }
  }

  /// The prescription in force, in summary.
  package struct Fitting: Sendable, Codable, Hashable {
    /// True when the aid amplifies at all.
    package let isFitted: Bool
    /// The rule's name; nil when not fitted.
    package let rule: String?
    package let compressionRatio: Double?
    /// Ears that have a prescription, `left`, `right`.
    package let ears: [String]
    package let bandCount: Int
    /// Level that the output never exceeds, dB SPL.
    package let maximumOutputDBSPL: Double
    /// True where a clinic's card sets that level, below what the configuration allows; nil: the configuration does.
    package var isMaximumOutputPrescribed: Bool?
    /// Greatest gain while nothing is calibrated, dB; nil: what the rule prescribes.
    package var gainCapDB: Double?
    /// Greatest gain that the prescription asks for, where the cap is below it; nil: the cap takes nothing away.
    package var prescribedGainDB: Double?
    /// Ears in which high sounds are moved down, as prescribed; nil: none.
    package var frequencyLoweringEars: [String]?
    /// Ears to which a prescribed tinnitus sound is added; nil: none.
    package var tinnitusSoundEars: [String]?
    /// Ears whose prescribed tinnitus sound is left out until the earphone is calibrated; nil: none.
    package var heldBackTinnitusSoundEars: [String]?
    /// Ears that hear normally by their audiogram and get gain nevertheless; nil: none.
    package var needlessGainEars: [String]?
    /// Number of cautions about the audiograms themselves, as `auricle check` and `auricle rx show` tell them; nil: none.
    package var audiogramCautions: Int?
  }

  /// Calibration of the levels in this report.
  package struct Calibration: Sendable, Codable, Hashable {
    package let microphone: End
    package let earphone: End

    package struct End: Sendable, Codable, Hashable {
      package let status: CalibrationStatus
      package let device: String?
      package let date: String?
      /// Reason for which the status is lower than what is stated, a sentence without its full stop; nil: it is not.
      package var caveat: String?
      /// Models of the device that was calibrated and of the one in use; nil: neither is known.
      package var identity: Identity?

      package struct Identity: Sendable, Codable, Hashable {
        /// `Headset (usb:v046Dp0A4D)`; nil: not known.
        package let calibrated: String?
        package let found: String?
        package let match: DeviceIdentity.Match
      }
    }
  }

  /// Delay from microphone to earphone.
  package struct Latency: Sendable, Codable, Hashable {
    /// From the devices' own delay figures, both directions, as far as they are believed, plus the chain's, s; nil until
    /// measured.
    package let loopSeconds: Double?
    /// The chain's own delay beyond its block, s; nil for those who have no role.
    package let chainSeconds: Double?
    /// By a measurement with the devices, rate and period in use; nil: there is none.
    package var measured: Measured?

    /// Delay by a measurement through a cable or the air.
    package struct Measured: Sendable, Codable, Hashable {
      /// The longer ear's with the devices' delay now, plus the chain's, s.
      package let loopSeconds: Double
      /// Time of the measurement, s since 1970-01-01 UTC.
      package let measuredUnixSeconds: Double
    }
  }

  /// Priority of the audio thread.
  package struct Realtime: Sendable, Codable, Hashable {
    package let isGranted: Bool
    /// `SCHED_FIFO`, `SCHED_RR` or `SCHED_OTHER`.
    package let policy: String
    package let priority: Int
    /// Reason for which it was not granted.
    package let reason: String?
  }

  /// Lock that keeps memory from being paged out.
  package struct Memory: Sendable, Codable, Hashable {
    package let isLocked: Bool
    /// Reason for which it is not locked.
    package let reason: String?
  }

  /// The clocks of the two directions.
  package struct Clock: Sendable, Codable, Hashable {
    /// True when one clock drives both.
    package let isShared: Bool
    /// Excess of playback's clock rate over capture's, parts per million; negative when it is the slower. Nil while it is not
    /// known: in the first seconds after the devices were opened.
    package let driftPPM: Double?
  }

  /// The prescription that is heard, from the book; without names and thresholds, which are health data.
  package struct Prescription: Sendable, Codable, Hashable {
    /// Number in the book, by which commands call it; nil: of a book that cannot be read.
    package var number: Int?
    /// Number that the clinic gave it.
    package let serial: Int?
    package let clinic: String?
    /// Word of the environment it is for.
    package let environment: String?
    /// End of the trial, s since 1970-01-01 UTC; nil: no trial.
    package var trialEndsUnixSeconds: Double?
    /// Expiry, s since 1970-01-01 UTC.
    package var expiresUnixSeconds: Double?
    /// End of a developer's pass that is open, s since 1970-01-01 UTC.
    package var developerModeUntilUnixSeconds: Double?
    /// Notes for the wearer, whole sentences: it has expired, the book cannot be read.
    package var notes: [String] = []
  }
}

extension StatusReport.Devices.Stream {
  init(_ name: String, _ format: StreamFormat) {
    self.init(
      name: name, description: nil, rateHz: format.rate, channels: format.channels,
      format: format.format.rawValue, periodFrames: format.period,
      periods: format.period > 0 ? format.buffer / format.period : 0)
  }
}

extension StatusReport.Devices {
  /// Frames of a block, also of an older daemon.
  package var blockFrames: Int { periodFrames ?? max(capture.periodFrames, playback.periodFrames) }

  /// Time that the sound spends in the buffers, s: a block of capture, and playback's blocks.
  ///
  /// - Parameter periods: Configured ones; nil: not known, so that all of playback's buffer counts.
  func buffersSeconds(periods: Int?) -> Double {
    let played =
      periods.map { Double($0) * Double(blockFrames) }
      ?? Double(playback.periods) * Double(playback.periodFrames)
    return playback.rateHz > 0 ? (Double(blockFrames) + played) / Double(playback.rateHz) : 0
  }
}

extension StatusReport.Fitting {
  package init(_ hearing: HearingSettings) {
    let ears = hearing.fittedEars.map(\.rawValue)
    let isFitted = !ears.isEmpty
    let target = hearing.plan.target
    let needless = hearing.needlessGains.map(\.ear)
    let cautions = hearing.audiograms.map { AudiogramReview($0).cautions.count } ?? 0
    func names(_ isOn: (Ear) -> Bool) -> [String]? {
      let ears = Ear.allCases.filter(isOn).map(\.rawValue)
      return ears.isEmpty ? nil : ears
    }
    self.init(
      isFitted: isFitted, rule: isFitted ? target.name : nil,
      compressionRatio: isFitted ? target.compressionRatio : nil, ears: ears,
      bandCount: hearing.bands.count, maximumOutputDBSPL: hearing.outputCeiling.decibels,
      // Without a card the plan has no ceiling of its own (``HearingSettings/plan(by:)``).
      isMaximumOutputPrescribed: hearing.plan.outputCeiling < hearing.maximumOutput ? true : nil,
      gainCapDB: isFitted ? hearing.gainCap : nil,
      prescribedGainDB: isFitted ? hearing.greatestGainHeldBack.map { ($0 * 10).rounded() / 10 } : nil,
      frequencyLoweringEars: names { hearing.lowering(for: $0) != nil },
      tinnitusSoundEars: names { hearing.tinnitusSound(for: $0) != nil },
      heldBackTinnitusSoundEars: names { hearing.isTinnitusSoundHeldBack(for: $0) },
      needlessGainEars: names { needless.contains($0) }, audiogramCautions: cautions > 0 ? cautions : nil)
  }
}

extension StatusReport.Calibration {
  init(_ hearing: HearingSettings, found: FoundDevices) {
    self.init(
      microphone: End(hearing.microphones.device, found: found.microphone),
      earphone: End(hearing.earphones.device, found: found.earphone))
  }
}

extension StatusReport.Calibration.End {
  init(_ device: DeviceCalibration, found: DeviceIdentity? = nil) {
    let isKnown = device.status != .none
    self.init(
      status: device.status, device: isKnown ? device.device : nil, date: device.date.map { "\($0)" },
      caveat: device.caveat)
    guard device.identity != nil || found != nil else { return }
    identity = Identity(
      calibrated: device.identity?.description, found: found?.description,
      match: device.identity?.match(found) ?? .unknown)
  }
}

extension StatusReport.Latency {
  /// Nil while no sound flows.
  init?(_ aid: AidSnapshot) {
    guard aid.isSounding, let devices = aid.devices, let chain = aid.chainDelay else { return nil }
    let rate = Double(devices.playback.rate)
    self.init(
      loopSeconds: aid.reading.believedLatency.flatMap { (Double($0) / rate + chain).finite },
      chainSeconds: chain, measured: Measured(aid.hearing.feedback, chain: chain))
  }
}

extension StatusReport.Latency {
  /// The same without the chain's part, which follows from the gain (``ChainDelay``). In whole milliseconds it is lost in the delay of the
  /// devices.
  var withoutHearing: StatusReport.Latency {
    func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
    return StatusReport.Latency(
      loopSeconds: loopSeconds.map(rounded), chainSeconds: nil,
      measured: measured.map {
        Measured(loopSeconds: rounded($0.loopSeconds), measuredUnixSeconds: $0.measuredUnixSeconds)
      })
  }
}

extension StatusReport.Latency.Measured {
  /// Nil: nothing was measured with these devices.
  init?(_ feedback: FeedbackKnowledge, chain: Double) {
    let ears = Ear.allCases.compactMap { ear in
      feedback.measuredDelay(for: ear).map { (delay: $0, moment: feedback.delays[ear]?.moment ?? 0) }
    }
    guard let longer = ears.max(by: { $0.delay < $1.delay }), (longer.delay + chain).isFinite else {
      return nil
    }
    self.init(loopSeconds: longer.delay + chain, measuredUnixSeconds: longer.moment)
  }
}

extension StatusReport.Realtime {
  init(_ scheduling: Scheduling?) {
    let reason: String
    switch scheduling {
    case .realtime(let priority, let policy):
      self.init(isGranted: true, policy: policy.rawValue, priority: priority, reason: nil)
      return
    case .ordinary(let cause, _): reason = "\(cause)"
    case nil: reason = Self.noThread
    }
    self.init(isGranted: false, policy: "SCHED_OTHER", priority: 0, reason: reason)
  }

  /// Reason of an aid that is stopped.
  static let noThread = "there is no audio thread now"

  /// True where there is a thread that the priority is of.
  var hasThread: Bool { reason != Self.noThread }
}

extension StatusReport.Memory {
  init(_ lock: MemoryLock) {
    // The label says already that it is not.
    let (words, label) = ("\(lock)", "memory is not locked: ")
    let reason = words.hasPrefix(label) ? String(words.dropFirst(label.count)) : words
    let isLocked = if case .refused = lock { false } else { true }
    self.init(isLocked: isLocked, reason: isLocked ? nil : reason)
  }
}

extension Double {
  /// The number, unless it is infinite or not a number: JSON has neither.
  var finite: Double? { isFinite ? self : nil }
}

extension StatusReport.Fitting {
  /// The same without rule, ears and what they are prescribed; of a limit it stays known who sets it, for the remedy differs.
  var withoutHearing: StatusReport.Fitting {
    StatusReport.Fitting(
      isFitted: isFitted, rule: nil, compressionRatio: nil, ears: [], bandCount: bandCount,
      maximumOutputDBSPL: maximumOutputDBSPL, isMaximumOutputPrescribed: isMaximumOutputPrescribed)
  }
}
