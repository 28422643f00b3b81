import Acoustics

extension BandLayout {
  /// Level of one band in speech, dB SPL; silence where speech has no power.
  func speechLevel(inBand band: Int, overall: SoundPressureLevel) -> SoundPressureLevel {
    LongTermAverageSpeechSpectrum.bandLevel(from: edges[band], to: edges[band + 1], overall: overall)
  }
}
