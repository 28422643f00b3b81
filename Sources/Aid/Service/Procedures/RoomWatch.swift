import Acoustics
import Glibc
import Procedures

/// Listens to the room by a microphone: A-weighted levels of windows of a second, and what the gate makes of them. Sound is not kept.
///
/// The procedure's own tone is taken out by a notch, so that the room is heard beside it. While own noise is on, and for a moment after it,
/// nothing is taken in: a window is a second without it.
///
/// - Threads: the procedure's.
struct RoomWatch {
  private(set) var gate: QuietRoomGate
  private var meter: SoundLevelMeter
  private let rate: Double
  private var notch: ToneNotch?
  private var octaves: OctaveBandMeter
  /// Mean squares of each band in quiet windows, dB SPL as powers, and how many windows they are.
  private var quiet: [Double: (sum: Double, count: Int)] = [:]
  /// Tones that were left out in this window, Hz.
  private var leftOut: Set<Double> = []
  /// Frames of own noise, and of its reverberation, that are still to be passed over.
  private var deaf = 0
  private var hasGap = false

  /// Level below which no microphone hears anything, dB(A): an anechoic room has 0 (own choice).
  private static let leastLevel = 0.0
  /// Time for which a room rings after a sound, s (own choice: a living room's 0.5 s to −60 dB, half of it).
  private static let ringing = 0.25

  /// - Parameter fullScale: Of the microphone.
  /// - Throws: ``AcousticsError`` for a rate that the weighting does not know.
  init(
    _ rule: QuietRoomRule, rate: Double, fullScale: Calibrated<SoundPressureLevel>
  ) throws(AcousticsError) {
    gate = QuietRoomGate(rule)
    meter = try SoundLevelMeter(.a, sampleRate: rate, fullScale: fullScale)
    octaves = try OctaveBandMeter(sampleRate: rate, fullScale: fullScale)
    self.rate = rate
  }

  /// Mean levels of the octave bands over all quiet windows, by their middles, Hz. A window in which a tone was taken out of a band says
  /// nothing of it: the notch of 125 Hz takes 5 dB of that band's noise, that of 250 Hz 2.4 dB.
  var quietBands: [Double: SoundPressureLevel] {
    quiet.mapValues { SoundPressureLevel(10 * log10($0.sum / Double($0.count))) }
  }

  /// Takes a tone out of what is heard from now on.
  ///
  /// - Parameter tone: Hz; nil: none sounds.
  mutating func leaveOut(_ tone: Double?) {
    guard notch?.frequency != tone else { return }
    notch = tone.flatMap { try? ToneNotch(frequency: $0, sampleRate: rate) }
    if let notch { leftOut.insert(notch.frequency) }
  }

  /// True while a procedure may sound.
  var isOpen: Bool { gate.isOpen }

  /// Takes in what the microphones heard since the last call.
  ///
  /// - Parameters:
  ///   - isOwnNoiseOn: True where the procedure's own noise was on meanwhile.
  ///   - isBroken: True where some of it is missing.
  /// - Returns: The windows that have ended, each with its level, dB; nil: nothing was delivered.
  mutating func take(
    _ heard: [SIMD2<Float>], isOwnNoiseOn: Bool, isBroken: Bool
  ) -> [Double?] {
    if isBroken { hasGap = true }
    if isOwnNoiseOn { deaf = Int(Self.ringing * rate) }
    // The louder microphone would need both channels' filters; the left one is as near to the room as the right.
    var samples = heard.map { notch?.process($0.x) ?? $0.x }
    var windows: [Double?] = []
    let passed = isOwnNoiseOn ? samples.count : min(deaf, samples.count)
    if !isOwnNoiseOn { deaf -= passed }
    samples.removeFirst(passed)
    while !samples.isEmpty {
      let room = Int(rate) - Int((meter.duration * rate).rounded())
      let part = Array(samples.prefix(room))
      samples.removeFirst(part.count)
      meter.process(part.span)
      octaves.process(part.span)
      if Int((meter.duration * rate).rounded()) >= Int(rate) { windows.append(endWindow()) }
    }
    return windows
  }

  /// True for a tone between the edges of an octave band.
  private static func isInOctave(_ tone: Double, _ centre: Double) -> Bool {
    abs(log2(tone / centre)) <= 0.5
  }

  private mutating func endWindow() -> Double? {
    let level = meter.equivalentLevel.value.decibels
    defer {
      meter.resetStatistics()
      octaves.resetStatistics()
      leftOut = Set([notch?.frequency].compactMap(\.self))
      hasGap = false
    }
    // Digital silence, and what a filter makes of it, is no room: the microphone is muted or gone.
    guard level > Self.leastLevel, !hasGap else {
      gate.take(.missing)
      return nil
    }
    gate.take(.level(level))
    if level < gate.rule.threshold {
      for (centre, level) in octaves.levels where !leftOut.contains(where: { Self.isInOctave($0, centre) })
      {
        quiet[centre, default: (0, 0)].sum += pow(10, level.value.decibels / 10)
        quiet[centre, default: (0, 0)].count += 1
      }
    }
    return level
  }
}
