/// Speed with which gain follows level, and the link between the ears.
///
/// - Threads: `any`.
public struct Dynamics: Sendable, Equatable {
  /// Attack time by the standard's step, s: from the step 55 → 90 dB SPL until the output stays within 3
  /// dB of its steady value (ANSI/ASA S3.22; the 3 dB from memory).
  public var attack: Double
  /// Release time by the standard's step, s: from the step 90 → 55 dB SPL until the output stays within 4
  /// dB of its steady value (ANSI/ASA S3.22; the 4 dB from memory). With an ``average``: after a sound too
  /// short to move that; after a long one ``SlowAverage/release`` counts.
  public var release: Double
  /// Slow average that sets the gain while the momentary level does not exceed it by much. Default nil:
  /// ``attack`` and ``release`` alone.
  public var average: SlowAverage?
  /// Share of the level difference between the ears that is taken out before gain is computed, 0...1.
  /// Default 0; at 1 both ears follow the louder one, so that compression keeps the difference between the
  /// ears.
  public var binauralLink: Double

  /// Attack times accepted, s: from the fastest that the level windows allow at every rate to the slowest
  /// of any use.
  public static let attackRange = 0.005...2.0
  /// Release times accepted, s: shorter than 20 ms follows the waveform of low tones.
  public static let releaseRange = 0.02...10.0

  /// Two speeds for speech: fast 5 and 80 ms, slow 325 ms and 1 s, 8 dB between them (dual front-end AGC,
  /// see ``SlowAverage``).
  public static let speech = Dynamics(attack: 0.005, release: 0.08, average: SlowAverage())

  /// Two speeds for music: slow 1 s and 3 s (the app's choice for music is 3 s), and the fast half only for
  /// a beat 12 dB above the average, own choice.
  public static let music = Dynamics(
    attack: 0.01, release: 0.15, average: SlowAverage(attack: 1, release: 3, threshold: 12))

  /// Times in s; the defaults are one fast speed, without an average and without a link.
  public init(
    attack: Double = 0.005, release: Double = 0.1, average: SlowAverage? = nil, binauralLink: Double = 0
  ) {
    (self.attack, self.release, self.average, self.binauralLink) = (attack, release, average, binauralLink)
  }

  /// Release time found by a measurement by the standard, s: its 90 dB SPL last long enough to move the
  /// average.
  public var standardRelease: Double { average?.release ?? release }

  /// Refuses times that the chain cannot reach.
  func check() throws(ChainError) {
    try ChainError.check(.time, attack, "attack", in: Self.attackRange)
    try ChainError.check(.time, release, "release", in: Self.releaseRange)
    try ChainError.check(.share, binauralLink, "binaural link", in: 0...1)
    try average?.check(against: self)
  }
}

/// Slow half of a compressor with two speeds: the level of the listening situation, which sets the gain
/// while nothing sudden happens.
///
/// The fast half takes over where the momentary level exceeds the average by more than ``threshold``, and
/// hands back when the level has fallen to the average: a loud onset is held at once, and the sound after a
/// short onset keeps its gain. Two voltages of which the fast one acts 8 dB above the slow one: the dual
/// front-end AGC of Moore, Glasberg and Stone (1991, Br. J. Audiol. 25:171–182); the figures here from
/// memory.
///
/// - Threads: `any`.
public struct SlowAverage: Sendable, Equatable {
  /// Attack time by the standard's step, s, as ``Dynamics/attack``: time for which a situation must be
  /// louder to count as a louder one.
  public var attack: Double
  /// Release time by the standard's step, s, as ``Dynamics/release``: release of the whole as a measurement
  /// by the standard finds it.
  public var release: Double
  /// Excess of the momentary level over the average from which the fast half takes over, dB; ``blend``
  /// above that it has taken over wholly.
  public var threshold: Double

  /// Attack times accepted, s: as fast as a syllable, and as slow as walking out of a room.
  public static let attackRange = 0.05...10.0
  /// Release times accepted, s.
  public static let releaseRange = 0.1...30.0
  /// Thresholds accepted, dB: speech peaks lie 12 dB above its average, and at 40 dB the fast half sleeps.
  public static let thresholdRange = 3.0...40.0
  /// Way from the average to the momentary level, dB above ``threshold``. Own choice: gain then moves no
  /// more than four times as fast as the level where the two hand over, and no step is heard.
  public static let blend = 4.0

  /// Times in s, threshold in dB; the defaults are those of ``Dynamics/speech``.
  public init(attack: Double = 0.325, release: Double = 1, threshold: Double = 8) {
    (self.attack, self.release, self.threshold) = (attack, release, threshold)
  }

  /// Refuses times that are faster than the fast half's or that the chain cannot reach.
  func check(against fast: Dynamics) throws(ChainError) {
    let attacks = Self.attackRange.clamped(to: fast.attack...Double.infinity)
    let releases = Self.releaseRange.clamped(to: fast.release...Double.infinity)
    try ChainError.check(.time, attack, "average attack", in: attacks)
    try ChainError.check(.time, release, "average release", in: releases)
    try ChainError.check(.effect, threshold, "average threshold", in: Self.thresholdRange)
  }
}

/// Processing of both ears besides the prescribed gain, as a program chooses it.
///
/// Every number is a greatest effect. The default of each effect is 0, which turns it off.
///
/// - Threads: `any`.
public struct Treatment: Sendable, Equatable {
  /// Greatest attenuation of a band by noise reduction, dB.
  public var noiseReduction = 0.0
  /// Greatest attenuation of a sudden sound, such as clatter of cutlery, dB.
  public var impulseSoftening = 0.0
  /// Softens both ears by the greater of their findings, so that a blow keeps its direction; otherwise each
  /// ear by its own. Default: true.
  public var isSofteningShared = true
  /// Greatest attenuation of low bands while wind blows over the microphone, dB.
  public var windReduction = 0.0
  /// Greatest attenuation of bands that hold nothing but the microphone's own noise, dB.
  public var expansion = 0.0
  /// The microphone's own noise, dB(A) SPL, to which ``expansion`` refers: 94 dB SPL less the
  /// signal-to-noise ratio of its data sheet. Default 30; usual silicon microphones state 64 dB(A) (Knowles
  /// SPH0645LM4H: 65, from memory).
  public var microphoneNoise = 30.0
  /// Measures against acoustic feedback. Default: none.
  public var feedback = FeedbackControl()
  /// Attenuation of the microphones while streamed sound is heard, dB.
  public var streamingReduction = 0.0
  /// Time of the transition from the setting before to this one, s. Default 0.1: slow enough not to click,
  /// quick enough to compare by ear.
  public var transition = 0.1

  /// Greatest effects accepted, dB.
  public static let effects = 0.0...20.0
  /// Microphones' own noises accepted, dB(A) SPL: from the best of laboratories to a telephone's.
  public static let microphoneNoises = 0.0...50.0
  /// Transitions accepted, s.
  public static let transitions = 0.02...30.0

  /// Prescribed gain and nothing else.
  public static let plain = Treatment()

  /// Every effect off.
  public init() {}

  /// Refuses effects, levels and times that the chain cannot produce.
  func check() throws(ChainError) {
    try ChainError.check(.effect, noiseReduction, "noise reduction", in: Self.effects)
    try ChainError.check(.effect, impulseSoftening, "impulse softening", in: Self.effects)
    try ChainError.check(.effect, windReduction, "wind reduction", in: Self.effects)
    try ChainError.check(.effect, expansion, "expansion", in: Self.effects)
    try ChainError.check(.effect, streamingReduction, "streaming reduction", in: Self.effects)
    try ChainError.check(.level, microphoneNoise, "microphone noise", in: Self.microphoneNoises)
    try ChainError.check(.time, transition, "transition", in: Self.transitions)
    try feedback.check()
  }
}

/// Measures against sound that comes from the earphone back to the microphone.
///
/// - Threads: `any`.
public struct FeedbackControl: Sendable, Equatable {
  /// Turns the adaptive canceller on, which works only where ``loopDelay`` is known. Default: off.
  public var isCancelling = false
  /// Shift of everything above 1.5 kHz, Hz, which keeps harmonic sounds from being taken for feedback.
  /// Default 0: none.
  public var frequencyShift = 0.0
  /// Turns on the notch for a howl that rises all the same. Default: off.
  public var isNotching = false
  /// Time between a sample leaving the chain and its first trace coming back in, s: converters, buffers,
  /// air. Default 0, unknown: the measured paths' own delay is taken, and without measured paths nothing is
  /// cancelled.
  public var loopDelay = 0.0
  /// The same of a loop that is longer than ``loopDelays``, in which nothing is cancelled and a howl is found
  /// by its level alone, s. Default 0: the loop is within them.
  public var wholeDelay = 0.0
  /// True when ``loopDelay`` was measured, or is a measured path's; otherwise it is what the devices tell,
  /// and the loop may be longer, where a howl is looked for too. Default: true.
  public var isDelayMeasured = true
  /// Part of ``loopDelay`` that the devices tell of themselves, s. Where both change by the same, what was
  /// learned of the path stays; with any other change of the delay the canceller begins anew. Default 0.
  public var deviceDelay = 0.0

  /// Range in which paths are strong and the canceller follows them in full, Hz: the flanks of vent and
  /// earphone lie outside.
  public static let cancelledFrequencies = 1500.0...6000.0
  /// Shifts accepted, Hz.
  public static let frequencyShifts = 0.0...30.0
  /// Loop delays accepted, s: the hard ceiling of the whole loop.
  public static let loopDelays = 0.0...0.05
  /// Whole delays accepted, s: that ceiling, and 0.3 s that devices behind a radio link do not tell.
  public static let wholeDelays = 0.0...0.35

  /// All measures off.
  public init() {}

  /// Loop delay in force, s: as set, otherwise the least of the measured ones.
  func loopDelay(measured paths: [FeedbackPath]) -> Double {
    loopDelay > 0 ? loopDelay : paths.map { $0.delay }.min() ?? 0
  }

  /// Refuses shifts and delays that the chain cannot produce.
  func check() throws(ChainError) {
    try ChainError.check(.effect, frequencyShift, "frequency shift", in: Self.frequencyShifts)
    try ChainError.check(.time, loopDelay, "loop delay", in: Self.loopDelays)
    try ChainError.check(.time, wholeDelay, "whole loop delay", in: Self.wholeDelays)
    try ChainError.check(.time, deviceDelay, "delay of the devices", in: Self.loopDelays)
  }
}
