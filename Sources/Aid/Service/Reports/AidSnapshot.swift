import Acoustics
import Engine
import HearingDSP
import Realtime

/// A running aid at one moment, from which reports are written.
struct AidSnapshot: Sendable {
  var state: StatusReport.State
  var reading = AidReading()
  var devices: AidDevices?
  /// Times devices were opened.
  var opens = 0
  var scheduling: Scheduling?
  var hearing = HearingSettings()
  /// Models of the devices in use.
  var found = FoundDevices()
  /// The chain's own delay beyond its block, s; nil while no chain runs.
  var chainDelay: Double?
  var memory: MemoryLock

  /// True while sound flows, muted or not.
  var isSounding: Bool { devices != nil && (state.name == .running || state.name == .muted) }
}

/// Delay of the chain beyond that of its blocks.
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
