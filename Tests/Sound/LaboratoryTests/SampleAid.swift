import Acoustics
import Engine
import Fitting
import HearingDSP

@testable import Laboratory

/// Aids to lie on the bench.
enum SampleAid {
  /// The shipped default for a standard audiogram, with the sample calibration.
  static func subject(
    _ audiogram: StandardAudiogram, rate: Double = 44_100, frames: Int = 64
  ) throws -> Subject {
    var hearing = HearingSettings(audiograms: Binaural(both: audiogram.audiogram))
    // The configuration's default times.
    hearing.dynamics = Dynamics(attack: 0.005, release: 0.05)
    hearing.microphones = SampleCalibration.microphones
    hearing.earphones = SampleCalibration.earphones
    return Subject(
      hearing: hearing, geometry: try ChainGeometry(sampleRate: rate, blockFrames: frames))
  }
}
