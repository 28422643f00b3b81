import Acoustics
import Glibc
import HearingDSP

/// Makes frames of the sound and the numbers that a ``SpectrumTap`` hands on.
///
/// Bins come from a window as long as the chain's own; bands and third octaves from one eight times as
/// long, which tells third octaves apart from 125 Hz up.
///
/// - Threads: `control`; one at a time.
struct SpectrumAnalyser: ~Copyable {
  /// Length of the long window over that of the chain's own.
  private static let lengthening = 8

  /// Time constant of the levels for ``EarSpectrum/targets``, s.
  private static let averaging = 1.0

  let geometry: ChainGeometry
  private let scale: SpectrumScale
  private var windows: Windows
  /// Averaged mean square of each band; none before the first frame.
  private var power = Binaural(both: [Double]())

  /// Input and output in a short and a long window.
  private struct Windows: ~Copyable {
    var shortInput, shortOutput, longInput, longOutput: SpectrumWindow
  }

  init(_ geometry: ChainGeometry, bands: BandLayout) {
    self.geometry = geometry
    scale = SpectrumScale(geometry, bands: bands)
    let (length, rate) = (geometry.filterLength, geometry.sampleRate)
    windows = Windows(
      shortInput: SpectrumWindow(length: length, sampleRate: rate),
      shortOutput: SpectrumWindow(length: length, sampleRate: rate),
      longInput: SpectrumWindow(length: Self.lengthening * length, sampleRate: rate),
      longOutput: SpectrumWindow(length: Self.lengthening * length, sampleRate: rate))
  }

  /// True once the windows are full of sound.
  var isReady: Bool { windows.longInput.isFull }

  /// Begins anew, after sound was lost.
  mutating func reset() {
    power = Binaural(both: [])
    windows.shortInput.reset()
    windows.shortOutput.reset()
    windows.longInput.reset()
    windows.longOutput.reset()
  }

  /// Appends sound: left input, right input, left output, right output.
  mutating func append(_ sound: [SIMD4<Float>]) {
    windows.shortInput.process(sound.count) { (sound[$0][0], sound[$0][1]) }
    windows.longInput.process(sound.count) { (sound[$0][0], sound[$0][1]) }
    windows.shortOutput.process(sound.count) { (sound[$0][2], sound[$0][3]) }
    windows.longOutput.process(sound.count) { (sound[$0][2], sound[$0][3]) }
  }

  /// Frame of the sound appended so far.
  ///
  /// - Parameters:
  ///   - frame: Numbers of the hop that ended with it.
  ///   - setting: Setting that was in force; during a procedure the aid's, whose calibration holds.
  ///   - time: s.
  mutating func frame(_ frame: ChainFrame, setting: ChainParameters, time: Double) -> SpectrumFrame {
    let (inputs, longInputs) = (windows.shortInput.processSpectra(), windows.longInput.processSpectra())
    let (outputs, longOutputs) = (windows.shortOutput.processSpectra(), windows.longOutput.processSpectra())
    let hasGains = frame.setting != 0
    average(frame)
    let power = power
    let ears = Binaural<EarSpectrum> { ear in
      let fitting = setting.fittings[ear]
      // A measurement alone is sound that no microphone takes up. Of the aid's output nobody can tell apart what is amplified and what
      // is added, a tinnitus sound or a stream: told is the upper bound, by the level that the limits go by
      // (``HearingSettings/outputLevelStatus``).
      let levels = hasGains ? fitting.outputAtFullScale : fitting.addedAtFullScale
      let earphone = LogFrequencyTable(scale.bands.centres, levels.map(\.decibels))
      let microphone = LogFrequencyTable(
        scale.bands.centres,
        scale.bands.centres.indices.map { fitting.inputAtFullScale(inBand: $0).decibels })
      return EarSpectrum(
        input: sound(inputs[ear], longInputs[ear], fullScale: microphone.held(at:)),
        output: sound(outputs[ear], longOutputs[ear], fullScale: earphone.held(at:)),
        gains: hasGains ? frame.gains(ear, setting: setting) : [],
        targets: hasGains ? targets(power[ear], fitting) : [],
        feedbackEstimate: hasGains
          ? (0..<scale.bands.count).map { Double(frame.ears[ear].feedbackEstimate[$0]) } : [])
    }
    return SpectrumFrame(
      time: time, setting: frame.setting, scale: scale, ears: ears, scene: frame.scene,
      load: Double(frame.load))
  }

  private mutating func average(_ frame: ChainFrame) {
    guard frame.setting != 0 else { return }
    let share = 1 - exp(-SpectrumWatch.interval / Self.averaging)
    for ear in Ear.allCases {
      let now = (0..<scale.bands.count).map { Double(frame.ears[ear].power[$0]) }
      power[ear] = power[ear].isEmpty ? now : zip(power[ear], now).map { $0 + share * ($1 - $0) }
    }
  }

  private func targets(_ power: [Double], _ fitting: EarFitting) -> [Double] {
    zip(fitting.curves, power).enumerated().map { band, sound in
      sound.0.gain(at: fitting.inputAtFullScale(inBand: band) + 10 * log10(2 * sound.1 + 1e-20))
    }
  }

  /// - Parameter fullScale: Level of a full-scale sine at a frequency, dB SPL.
  private func sound(
    _ short: PowerSpectrum, _ long: PowerSpectrum, fullScale: (Double) -> Double
  ) -> SoundSpectrum {
    // A full-scale sine has the mean square ½.
    func level(_ power: Double, at frequency: Double) -> Double {
      10 * log10(2 * power + 1e-20) + fullScale(frequency)
    }
    let half = geometry.sampleRate / 2
    let whole = long.power.enumerated().reduce(0) { sum, bin in
      sum + bin.element * pow(10, fullScale(Double(bin.offset) * long.binWidth) / 10)
    }
    return SoundSpectrum(
      level: 10 * log10(2 * whole + 1e-8),
      bins: short.power.enumerated().map { level($1, at: Double($0) * short.binWidth) },
      thirdOctaves: scale.thirdOctaves.map {
        level(long.power(from: $0.lower, to: $0.upper), at: $0.centre)
      },
      bands: scale.bands.centres.enumerated().map { band, centre in
        let (lower, upper) = (scale.bands.edges[band], min(half, scale.bands.edges[band + 1]))
        return level(long.power(from: lower, to: upper), at: centre)
      })
  }
}
