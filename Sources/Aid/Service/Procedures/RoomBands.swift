import Acoustics
import Procedures

/// The room's octave bands while it was quiet, and the thresholds that they let a hearing test find.
package struct RoomBands: Sendable, Codable, Equatable {
  package struct Band: Sendable, Codable, Equatable {
    /// Hz.
    package let centre: Double
    package let level: SoundPressureLevel
  }

  package struct Verdict: Sendable, Codable, Equatable {
    /// Hz.
    package let frequency: Double
    /// Thresholds from here up are not lifted by the room by more than 2 dB.
    package let lowest: HearingLevel
    /// False: what was heard may be the microphone's own noise, so that the room may be quieter.
    package let isVerified: Bool
  }

  package let bands: [Band]
  package let verdicts: [Verdict]

  /// - Parameters:
  ///   - levels: By the bands' middles, Hz.
  ///   - frequencies: Of the test, Hz.
  init(
    _ levels: [Double: SoundPressureLevel], beside cover: PermissibleAmbientLevels.Cover,
    _ frequencies: [Double]
  ) {
    bands = levels.sorted { $0.key < $1.key }.filter { $0.value.decibels.isFinite }
      .map { Band(centre: $0.key, level: $0.value) }
    let limits = PermissibleAmbientLevels(cover)
    let room = PermissibleAmbientLevels.Room(levels: levels, microphoneNoise: [:])
    verdicts = frequencies.compactMap { frequency in
      switch limits.verdict(at: frequency, in: room) {
      case .valid(let lowest): Verdict(frequency: frequency, lowest: lowest, isVerified: true)
      case .unverifiable(let lowest): Verdict(frequency: frequency, lowest: lowest, isVerified: false)
      case .unknown: nil
      }
    }
  }

  /// Thresholds that the room may have lifted, a sentence; nil: none of these.
  package func caution(_ thresholds: [HearingTestSummary.Threshold]) -> String? {
    let hidden = verdicts.filter { verdict in
      thresholds.contains {
        $0.frequency == verdict.frequency && ($0.level ?? verdict.lowest) < verdict.lowest
      }
    }
    guard !hidden.isEmpty else { return nil }
    let words = hidden.map {
      "\($0.frequency.shortText) Hz below \($0.lowest.decibels.rounded().shortText) dB HL"
    }
    return "The room, or the microphone's own noise, may have lifted thresholds at "
      + words.joined(separator: ", ") + "."
  }
}

extension OutputCalibration {
  /// Cover of the ears by the earphone in use; of one whose attenuation nobody has stated nothing is taken for granted.
  var cover: PermissibleAmbientLevels.Cover {
    switch transducer?.fit {
    case .insert: .insert
    case .supraAural: .supraAural
    case .loose, .soundField, nil: .uncovered
    }
  }
}
