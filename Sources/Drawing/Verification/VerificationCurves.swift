/// One ear's curves of an electroacoustic verification.
public struct VerificationCurves: Sendable, Equatable {
  /// Gain for speech of one level: measured and asked for, dB.
  public struct Gain: Sendable, Equatable {
    /// Such as "65".
    public var name: String
    public var measured: [SpectrumPoint]
    public var target: [SpectrumPoint]

    public init(name: String, measured: [SpectrumPoint], target: [SpectrumPoint]) {
      self.name = name
      self.measured = measured
      self.target = target
    }
  }

  /// An input–output curve, dB SPL.
  public struct InputOutput: Sendable, Equatable {
    /// Such as "1k" or "noise".
    public var name: String
    /// Levels of the input.
    public var inputs: [Double]
    /// Levels of the output, one for each.
    public var outputs: [Double]

    public init(name: String, inputs: [Double], outputs: [Double]) {
      self.name = name
      self.inputs = inputs
      self.outputs = outputs
    }
  }

  /// 30th, 65th and 99th percentile of speech in third octaves, dB SPL.
  public struct Speech: Sendable, Equatable {
    public var valleys: [SpectrumPoint]
    public var middle: [SpectrumPoint]
    public var peaks: [SpectrumPoint]

    public init(valleys: [SpectrumPoint], middle: [SpectrumPoint], peaks: [SpectrumPoint]) {
      self.valleys = valleys
      self.middle = middle
      self.peaks = peaks
    }
  }

  public var gains: [Gain]
  /// Output for tones of 60 dB SPL, dB SPL.
  public var response: [SpectrumPoint]
  /// Output for tones of 90 dB SPL, dB SPL.
  public var loudResponse: [SpectrumPoint]
  public var inputOutput: [InputOutput]
  public var speechInput: Speech
  public var speechOutput: Speech
  /// Group delay of the chain, ms.
  public var delays: [SpectrumPoint]

  public init(
    gains: [Gain], response: [SpectrumPoint], loudResponse: [SpectrumPoint], inputOutput: [InputOutput],
    speechInput: Speech, speechOutput: Speech, delays: [SpectrumPoint]
  ) {
    self.gains = gains
    self.response = response
    self.loudResponse = loudResponse
    self.inputOutput = inputOutput
    self.speechInput = speechInput
    self.speechOutput = speechOutput
    self.delays = delays
  }
}
