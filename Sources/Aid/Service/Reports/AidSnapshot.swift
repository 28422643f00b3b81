import Acoustics
import AudioIO
import Control
import Engine
import HearingDSP
import Realtime

/// Everything about a running aid at one moment, from which reports are written.
struct AidSnapshot: Sendable {
  var state: StatusReport.State
  var reading = AidReading()
  var devices: AidDevices?
  /// Times devices were opened.
  var opens = 0
  var scheduling: Scheduling?
  var hearing = HearingSettings()
  var configuration = LoadedConfiguration.defaults
  var prescription: StatusReport.Prescription?
  var program: ProgramReport?
  var feedback: StatusReport.Feedback?
  var procedure: StatusReport.Procedure?
  /// The chain's own delay beyond its block, s; nil while no chain runs.
  var chainDelay: Double?
  var memory: MemoryLock

  /// Whether sound flows, muted or not.
  var isSounding: Bool { devices != nil && (state.name == .running || state.name == .muted) }

  /// The same with a note of what keeps things from being read and kept, beside the prescription, or beside the
  /// program where no book is.
  func noting(_ trouble: String?) -> AidSnapshot {
    guard let trouble else { return self }
    var noting = self
    if let prescription {
      noting.prescription = prescription.with(note: trouble)
    } else {
      noting.program?.notes.append(trouble)
    }
    return noting
  }
}

extension StatusReport.State {
  init(of state: AidState, isMuted: Bool, since: Double) {
    let (name, reason): (Name, String?) =
      switch state {
      case .stopped: (.stopped, nil)
      case .starting: (.starting, nil)
      case .running: (.running, nil)
      case .muted: (.muted, nil)
      case .waitingForDevice(let reason): (.waitingForDevice, reason)
      case .faulted(let reason): (.faulted, reason)
      }
    // The state was read a moment before or after; running and muted say it themselves.
    let isWished = name == .running ? false : name == .muted || isMuted
    self.init(name, reason: reason, isMuted: isWished, since: since)
  }

  /// Whether name, reason and mute are the same; the time is not looked at.
  func isSame(as other: Self) -> Bool { isAlike(other) && isMuted == other.isMuted }

  /// Whether name and reason are the same.
  func isAlike(_ other: Self) -> Bool { name == other.name && reason == other.reason }
}

/// What the chain itself adds to the delay of its blocks.
enum ChainDelay {
  /// Group delay at 1 kHz with the gains that speech of 65 dB SPL gets, mean of both ears, s.
  ///
  /// 1 kHz and 65 dB SPL: where a hearing aid's delay is usually quoted, at the level of ordinary speech.
  ///
  /// - Threads: control; takes some milliseconds.
  static func seconds(for hearing: HearingSettings, _ geometry: ChainGeometry) -> Double? {
    guard let delay = try? GroupDelay(bands: hearing.bands, geometry: geometry) else { return nil }
    var sum = 0.0
    for ear in Ear.allCases {
      guard let fitting = try? hearing.fitting(for: ear) else { return nil }
      let gains = fitting.curves.enumerated().map { band, curve in
        let edges = hearing.bands.edges
        let speech = LongTermAverageSpeechSpectrum.bandLevel(
          from: edges[band], to: edges[band + 1], overall: SoundPressureLevel(65))
        // A band without speech keeps the gain of a soft sound.
        return curve.gain(at: speech.decibels.isFinite ? speech : SoundPressureLevel(30))
      }
      sum += delay.delay(gains: gains, at: 1000)
    }
    return sum / 2
  }
}
