import Base

extension StatusReport.Fitting {
  /// Sentence on the part of the prescribed gain that is not heard for want of a calibration, and how to get it; nil: all is.
  package var heldBackWords: String? {
    guard let cap = gainCapDB, let prescribed = prescribedGainDB else { return nil }
    return "The prescription asks for a gain of up to \(NumberText.fixed(prescribed, 0)) dB, and "
      + "\(NumberText.fixed(prescribed - cap, 0)) dB of it are not heard until microphone and earphones are calibrated: "
      + "auricle calibrate"
  }
}
