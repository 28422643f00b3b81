public import Acoustics
import Glibc

/// Makes the samples of stimuli for one device. The same stimulus and seed make the same samples.
///
/// - Threads: any.
public struct StimulusRendering: Sendable {
  /// Earphone that plays, by which dB HL become samples.
  public let calibration: OutputCalibration
  /// Hz.
  public let rate: Double
  /// Loudest sound of each ear in its coupler; nothing above is made.
  public let limit: Binaural<SoundPressureLevel>
  /// Greatest peak of each ear, as the level of a sine that has it.
  public let greatest: Binaural<FullScaleLevel>

  /// Highest frequency as a share of the rate: up to there the converters' filters are flat (own choice; 20 kHz at 44.1 kHz).
  private static let highest = 0.454
  /// Greatest peak, dB FS: what is above could be cut by a converter (ResearchKit refuses from −1 dB FS).
  public static let greatestPeak = FullScaleLevel(-1)

  /// - Parameter greatest: The most that the aid's limits let through in the digits; held to ``greatestPeak``.
  public init(
    calibration: OutputCalibration, rate: Double, limit: Binaural<SoundPressureLevel>,
    greatest: Binaural<FullScaleLevel> = Binaural(both: greatestPeak)
  ) {
    (self.calibration, self.rate, self.limit) = (calibration, rate, limit)
    self.greatest = Binaural { min(greatest[$0], Self.greatestPeak) }
  }

  /// Samples of one earphone, full scale ± 1.
  ///
  /// - Parameter seed: Of noise.
  /// - Throws: ``StimulusRefusal``; nothing is played softer instead.
  public func samples(of stimulus: Stimulus, seed: UInt64 = 0) throws(StimulusRefusal) -> [Float] {
    let level = try checked(stimulus)
    let frames = Int((stimulus.duration * rate).rounded())
    // Before it is checked: of noise, the greatest sample is known only then.
    var sound =
      stimulus.signal.isNoise
      ? BandNoise(level.bands, rate: rate, frames: frames, seed: seed).samples
      : tone(stimulus, peak: level.digital.sinePeak, frames: frames)
    let edge = Stimulus.edge(at: stimulus.signal == .broadNoise ? 1000 : stimulus.frequency)
    for frame in 0..<frames { sound[frame] *= envelope(Double(frame) / rate, of: stimulus, edge: edge) }
    // A tone's samples may all lie beside its peaks.
    let peak =
      stimulus.signal.isNoise
      ? FullScaleLevel(sinePeak: sound.reduce(0) { max($0, abs($1)) }) : level.digital
    let allowed = greatest[stimulus.ear]
    guard peak <= allowed + Self.rounding else {
      throw StimulusRefusal(
        .fullScale, stimulus, found: peak.description, allowed: allowed.description)
    }
    return sound.map { Float($0) }
  }

  /// Level in the digits, where the stimulus may be played.
  ///
  /// - Throws: ``StimulusRefusal``.
  public func checked(_ stimulus: Stimulus) throws(StimulusRefusal) -> StimulusLevel {
    guard stimulus.duration.isFinite, (0.05...120).contains(stimulus.duration),
      stimulus.level.decibels.isFinite
    else {
      throw StimulusRefusal(
        .nonsense, stimulus, found: "\(stimulus.duration) s at \(stimulus.level)", allowed: "0.05 to 120 s")
    }
    if let rise = stimulus.rise, !(0...stimulus.duration).contains(rise) {
      throw StimulusRefusal(
        .nonsense, stimulus, found: "a rise of \(rise) s", allowed: "0 to \(stimulus.duration) s")
    }
    let top = stimulus.signal == .broadNoise ? 8980 : stimulus.frequency * 1.13
    guard stimulus.frequency > 0, top <= Self.highest * rate else {
      throw StimulusRefusal(
        .rate, stimulus, found: "\(stimulus.frequency) Hz",
        allowed: "at most \((Self.highest * rate / 1.13).rounded()) Hz at \(rate) Hz")
    }
    let level: StimulusLevel
    do { level = try StimulusLevel(stimulus, by: calibration) } catch {
      throw StimulusRefusal(
        .earphone, stimulus, found: "\(error)", allowed: "a frequency that the earphone's tables have")
    }
    guard level.sound <= limit[stimulus.ear] + Self.rounding else {
      throw StimulusRefusal(
        .limit, stimulus, found: level.sound.description, allowed: limit[stimulus.ear].description)
    }
    return level
  }

  /// dB: a level worked out there and back is not refused for its last digit.
  private static let rounding = 1e-6

  private func tone(_ stimulus: Stimulus, peak: Double, frames: Int) -> [Double] {
    let isWarbled = stimulus.signal == .warble
    let (depth, rhythm) = Stimulus.warble
    let deviation = isWarbled ? stimulus.frequency * depth / rhythm : 0
    return (0..<frames).map { frame in
      let time = Double(frame) / rate
      let phase = 2 * .pi * stimulus.frequency * time + deviation * sin(2 * .pi * rhythm * time)
      return peak * sin(phase)
    }
  }

  /// Share of full level, 0…1, at a time since the beginning, s.
  private func envelope(_ time: Double, of stimulus: Stimulus, edge: Double) -> Double {
    let (on, off) = Stimulus.pulse
    var (place, length) = (time, stimulus.duration)
    if stimulus.signal == .pulsed {
      // Pulses are whole: what is left of the time after the last one is silent.
      let pulse = (time / (on + off)).rounded(.down)
      guard pulse * (on + off) + on <= stimulus.duration + 0.5 / rate else { return 0 }
      (place, length) = (time - pulse * (on + off), on)
    }
    let distance = min(place, length - place)
    guard distance > 0 else { return 0 }
    let share = distance < edge ? 0.5 - 0.5 * cos(.pi * distance / edge) : 1
    guard let rise = stimulus.rise, time < rise else { return share }
    return share * pow(10, Stimulus.growth * (time - rise) / 20)
  }
}

/// Reason for which a stimulus is not made.
///
/// - Threads: any.
public struct StimulusRefusal: Error, Sendable, Equatable, CustomStringConvertible {
  /// Bound that the stimulus lies beyond.
  public enum Bound: Sendable, Equatable {
    /// The earphone's limit, the aid's, or the procedure's.
    case limit
    /// The digits end there.
    case fullScale
    /// The device's rate.
    case rate
    /// The earphone's tables.
    case earphone
    /// Numbers that mean nothing.
    case nonsense
  }

  /// Bound by which it is refused.
  public let bound: Bound
  /// As it was asked for.
  public let stimulus: Stimulus
  /// Value beyond the bound, with its unit, or the reason; a clause for a message.
  public let found: String
  /// Values that the bound lets through, with their unit; a clause for a message.
  public let allowed: String

  init(_ bound: Bound, _ stimulus: Stimulus, found: String, allowed: String) {
    (self.bound, self.stimulus, self.found, self.allowed) = (bound, stimulus, found, allowed)
  }

  /// A sound that its procedure's plan does not allow: a fault of this program, or a record that was edited.
  public init(beyondPlan stimulus: Stimulus) {
    self.init(.limit, stimulus, found: "\(stimulus.level)", allowed: "what the procedure's plan has")
  }

  public var description: String {
    let name = "\(stimulus.level) at \(stimulus.frequency) Hz in the \(stimulus.ear.rawValue) ear"
    return switch bound {
    case .limit: "\(name) would be \(found): at most \(allowed) may be played"
    case .fullScale: "\(name) would reach \(found): the device plays at most \(allowed)"
    case .rate: "\(name): found \(found), expected \(allowed)"
    case .earphone: "\(name): \(found)"
    case .nonsense: "\(name): found \(found), expected \(allowed)"
    }
  }
}
