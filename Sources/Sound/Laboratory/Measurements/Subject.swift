import Engine
import HearingDSP

/// Object of a measurement: a fitting, the sizes of its chain, and the stated data of the devices around
/// it.
///
/// - Threads: any.
package struct Subject: Sendable {
  /// Prescription, times, limits and calibrations; no program, volume and tone as prescribed, as ANSI/ASA
  /// S3.22 asks.
  package var hearing: HearingSettings {
    didSet { hearing = Self.standard(hearing) }
  }
  package var geometry: ChainGeometry
  /// Periods of the device's buffer, of which each delays the sound by itself.
  package var periods: Int
  /// Stated delay of converters and radio, s.
  package var deviceLatency: Double
  /// Bits of the microphone's converter.
  package var converterBits: Int
  /// Stated noise of the microphone itself, dBA SPL; nil: not stated, so not in the figures.
  package var microphoneNoise: Double?
  /// Length of the speech-like signal, s; the first 15 are left out.
  package var speechSeconds: Double

  package init(
    hearing: HearingSettings, geometry: ChainGeometry, periods: Int = 3, deviceLatency: Double = 0,
    converterBits: Int = 24, microphoneNoise: Double? = nil, speechSeconds: Double = 60
  ) {
    self.hearing = Self.standard(hearing)
    self.geometry = geometry
    self.periods = periods
    self.deviceLatency = deviceLatency
    self.converterBits = converterBits
    self.microphoneNoise = microphoneNoise
    self.speechSeconds = speechSeconds
  }

  private static func standard(_ hearing: HearingSettings) -> HearingSettings {
    var plain = hearing
    plain.program = nil
    plain.adjustment = .none
    return plain
  }

  /// Delay of blocks and periods in addition to the chain's own, s.
  package var blockLatency: Double {
    Double(periods * geometry.blockFrames) / geometry.sampleRate
  }
}
