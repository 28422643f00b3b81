public import Acoustics
public import HearingDSP

/// Sound before and behind the aid at one moment, both ears, and the gain between them with its parts.
///
/// All of it belongs to the same hop: the spectra are those of the newest sound up to its end.
///
/// - Threads: `any`.
public struct SpectrumFrame: Sendable, Equatable {
  /// Time of the hop's end since the watching began, s, with the time in which sound was lost or the devices were closed.
  public var time: Double
  /// ``ChainParameters/number`` of the setting in force; 0 while a procedure plays.
  public var setting: Int
  /// Places of the numbers on the frequency axis.
  public var scale: SpectrumScale
  /// Each ear's.
  public var ears: Binaural<EarSpectrum>
  /// Scene around the wearer.
  public var scene: SceneReading
  /// Greatest share of a period that a block took since the frame before, 0...1.
  public var load: Double
}

/// Frequencies that a frame's numbers stand for.
///
/// - Threads: `any`.
public struct SpectrumScale: Sendable, Equatable {
  /// Distance of the bins from 0 Hz on, Hz.
  public let binWidth: Double
  /// Bins below half the sampling rate.
  public let binCount: Int
  /// Third octaves from 100 Hz to 16 kHz that fit below half the sampling rate.
  public let thirdOctaves: [ThirdOctave]
  /// The chain's bands.
  public let bands: BandLayout

  init(_ geometry: ChainGeometry, bands: BandLayout) {
    binWidth = geometry.sampleRate / Double(geometry.filterLength)
    binCount = geometry.filterLength / 2
    thirdOctaves = ThirdOctave.all(below: geometry.sampleRate / 2)
    self.bands = bands
  }
}

/// One ear's part of a frame.
///
/// - Threads: `any`.
public struct EarSpectrum: Sendable, Equatable {
  /// Sound at the microphone.
  public var input: SoundSpectrum
  /// Sound at the ear.
  public var output: SoundSpectrum
  /// Gain of each band; empty while a procedure plays.
  public var gains: [BandGain]
  /// Gain that the setting asks for at each band's level averaged over a second, dB: that of steady sound, where
  /// ``BandGain/target`` follows each syllable. Empty while a procedure plays.
  public var targets: [Double]
  /// Greatest magnitude of the canceller's estimate of the path back in each band, digital full scale to digital
  /// full scale, dB; empty while a procedure plays.
  public var feedbackEstimate: [Double]
}

/// Levels of one sound by frequency, dB SPL.
///
/// - Threads: `any`.
public struct SoundSpectrum: Sendable, Equatable {
  /// Level of the whole.
  public var level: Double
  /// Level of each bin of the chain's own transform, Hann window: the powers of all bins add up to the whole.
  public var bins: [Double]
  /// Level of each third octave.
  public var thirdOctaves: [Double]
  /// Level of each of the chain's bands.
  public var bands: [Double]
}
