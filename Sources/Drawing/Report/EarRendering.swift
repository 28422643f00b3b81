public import Acoustics

/// What one ear was given, and what came out for it.
///
/// Frequencies are in Hz and rise, times are in s and rise. A list may be empty; its part of the picture is
/// then left out.
public struct EarRendering: Sendable, Equatable {
  /// The listener's hearing, when known.
  public var audiogram: Audiogram?
  /// Insertion gain the fitting rule asks for at the levels of this input, dB.
  public var targetGain: [SpectrumPoint] = []
  /// Output minus input third-octave level, dB; not a number where the input is too weak to tell.
  public var achievedGain: [SpectrumPoint] = []
  /// Third-octave levels of the input, dB SPL.
  public var input: [SpectrumPoint] = []
  /// Third-octave levels of the output, dB SPL.
  public var output: [SpectrumPoint] = []
  /// Highest band level the limiter lets through, dB SPL.
  public var outputLimit: [SpectrumPoint] = []
  /// The listener's threshold of hearing for tones, dB SPL in the same coupler as the output.
  public var threshold: [SpectrumPoint] = []
  /// Input level with Fast weighting (IEC 61672, 125 ms), dB SPL.
  public var inputCourse: [LevelSample] = []
  /// Output level with Fast weighting, dB SPL.
  public var outputCourse: [LevelSample] = []
  /// Equivalent continuous level of the whole input, dB SPL.
  public var inputLevel: Double?
  /// Equivalent continuous level of the whole output, dB SPL.
  public var outputLevel: Double?
  /// Further figures beside the audiogram, each a name and a value with its unit; room for two beside the
  /// levels and the average.
  public var figures: [KeyFigure] = []

  public init() {}
}
