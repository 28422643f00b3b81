/// One ear's curves of an electroacoustic verification.
package struct VerificationCurves: Sendable, Equatable {
  /// Gain for speech of one level: measured and asked for, dB.
  package struct Gain: Sendable, Equatable {
    /// Such as "65".
    package var name: String
    package var measured: [SpectrumPoint]
    package var target: [SpectrumPoint]

    package init(name: String, measured: [SpectrumPoint], target: [SpectrumPoint]) {
      self.name = name
      self.measured = measured
      self.target = target
    }
  }

  /// An input–output curve, dB SPL.
  package struct InputOutput: Sendable, Equatable {
    /// Such as "1k" or "noise".
    package var name: String
    /// Levels of the input.
    package var inputs: [Double]
    /// Levels of the output, one for each.
    package var outputs: [Double]

    package init(name: String, inputs: [Double], outputs: [Double]) {
      self.name = name
      self.inputs = inputs
      self.outputs = outputs
    }
  }

  /// 30th, 65th and 99th percentile of speech in third octaves, dB SPL.
  package struct Speech: Sendable, Equatable {
    package var valleys: [SpectrumPoint]
    package var middle: [SpectrumPoint]
    package var peaks: [SpectrumPoint]

    package init(valleys: [SpectrumPoint], middle: [SpectrumPoint], peaks: [SpectrumPoint]) {
      self.valleys = valleys
      self.middle = middle
      self.peaks = peaks
    }
  }

  package var gains: [Gain]
  /// Output for tones of 60 dB SPL, dB SPL.
  package var response: [SpectrumPoint]
  /// Output for tones of 90 dB SPL, dB SPL.
  package var loudResponse: [SpectrumPoint]
  package var inputOutput: [InputOutput]
  package var speechInput: Speech
  package var speechOutput: Speech
  /// Group delay of the chain, ms.
  package var delays: [SpectrumPoint]

  package init(
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
