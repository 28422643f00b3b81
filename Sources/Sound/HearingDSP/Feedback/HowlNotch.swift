import Realtime

/// Section at the frequency of a howl, or of a suspected one: a notch of 30 dB, or a turn of the phase that
/// keeps the level; both fade.
///
/// `y = x + (cos θ − 1 − 0.97·depth)·B{x} + sin θ·Q{x}` with the band B (1 at the frequency) and its
/// quadrature Q (j there) of one state-variable filter in trapezoidal form (A. Simper 2013, "Solving the
/// continuous SVF equations using trapezoidal integration and equivalent currents").
///
/// - Threads: `audio`.
struct HowlNotch {
  /// Inverse quality of the filter when it notches, √(10^(30/20))/1.5: the peaking section of the audio-EQ
  /// cookbook (R. Bristow-Johnson) with a third of an octave, so that a howl cannot slip beside it.
  private static var notchWidth: Float { 3.748_94 }
  /// Of the turn: the phase moves within a third of an octave, no level by more than 1 dB.
  private static var turnWidth: Float { 1.0 / 3 }
  /// 1 − 10^(−30/20).
  private static var depthOfNotch: Float { 0.968_377 }

  /// Wanted share of the notch, 0...1.
  private var target: Float = 0
  /// Wanted angle, half turns.
  private var angle: Float = 0
  private var depth: Float = 0
  private var turned: Float = 0
  private var speed: Float = 0
  private var inPhase: Float = 0
  private var quadrature: Float = 0
  private var width: Float = 1
  private var a1: Float = 1
  private var a2: Float = 0
  private var a3: Float = 0
  private var s1: Float = 0
  private var s2: Float = 0

  @inline(__always) var isActive: Bool { target > 0 || depth > 0 || angle != 0 || turned != 0 }

  /// Fades a notch in.
  ///
  /// - Parameter place: Half turns per sample, 2·f/rate.
  mutating func retargetNotch(at place: Float) {
    tune(place, width: Self.notchWidth)
    target = 1
    angle = 0
  }

  /// Turns the phase; tunes the filter when it was idle.
  ///
  /// - Parameters:
  ///   - place: Half turns per sample.
  ///   - angle: In the end, half turns.
  ///   - speed: Half turns per sample.
  mutating func retargetTurn(at place: Float, by angle: Float, speed: Float) {
    if !isActive { tune(place, width: Self.turnWidth) }
    self.angle = angle
    self.speed = speed
  }

  /// Fades out.
  mutating func retargetToNothing() {
    target = 0
    angle = 0
  }

  private mutating func tune(_ turn: Float, width next: Float) {
    let direction = ComplexExponential.direction(turn)
    // Up to half a half turn both signs are plus, beyond both change.
    let sign: Float = direction.sign == 0 ? 1 : -1
    let (c, s) = (direction.cosine * sign, direction.sine * sign)
    // tan(πf/rate) = sin(2πf/rate)/(1 + cos(2πf/rate)).
    let g = s / max(1 + c, 1e-4)
    width = next
    a1 = 1 / (1 + g * (g + width))
    a2 = g * a1
    a3 = g * a2
    if !isActive { (s1, s2, inPhase, quadrature) = (0, 0, 0, 0) }
  }

  /// - Parameter step: Most by which the depth moves per sample.
  mutating func process(_ samples: inout Samples, from start: Int, frames: Int, step: Float) {
    depth = Self.moved(depth, to: target, by: step * Float(frames))
    // A notch that takes the turn's place moves the angle back at the speed of its own depth.
    turned = Self.moved(turned, to: angle, by: (target > 0 ? step : speed) * Float(frames))
    let direction = ComplexExponential.direction(turned)
    let sign: Float = direction.sign == 0 ? 1 : -1
    let share = 1 / Float(frames)
    let inPhaseStep = (sign * direction.cosine - 1 - Self.depthOfNotch * depth - inPhase) * share
    let quadratureStep = (sign * direction.sine - quadrature) * share
    for n in start..<start + frames {
      inPhase += inPhaseStep
      quadrature += quadratureStep
      let x = samples[n]
      let v3 = x - s2
      let v1 = a1 * s1 + a2 * v3
      let v2 = s2 + a2 * s1 + a3 * v3
      s1 = 2 * v1 - s1
      s2 = 2 * v2 - s2
      let band = width * v1
      // (high − low)·width/2.
      let turnedBand = 0.5 * width * (x - band) - width * v2
      samples[n] = x + inPhase * band + quadrature * turnedBand
    }
    if !((s1 + s2) * 0 == 0) { (s1, s2) = (0, 0) }
  }

  @inline(__always) private static func moved(_ value: Float, to target: Float, by most: Float) -> Float {
    value < target ? min(target, value + most) : max(target, value - most)
  }
}

/// Two sections of an ear: one notches, the other probes, so that a howl beside a notched one is found and
/// notched too.
///
/// - Threads: `audio`.
struct HowlSections {
  private(set) var sections = InlineArray<2, HowlNotch>(repeating: HowlNotch())
  /// Section that probes; the other one notches.
  private(set) var probing = 0
  /// Most by which a depth moves per sample.
  let step: Float

  @inline(__always) var isActive: Bool { sections[0].isActive || sections[1].isActive }

  /// Notches and turns one hop in place.
  mutating func process(_ samples: inout Samples, from start: Int, frames: Int) {
    for index in 0..<2 where sections[index].isActive {
      sections[index].process(&samples, from: start, frames: frames, step: step)
    }
  }

  /// Turns the phase at a frequency.
  ///
  /// - Parameters:
  ///   - place: Half turns per sample.
  ///   - angle: Half turns.
  ///   - speed: Half turns per sample.
  mutating func retargetTurn(at place: Float, by angle: Float, speed: Float) {
    sections[probing].retargetTurn(at: place, by: angle, speed: speed)
  }

  /// Turns the probing section into a notch. The older notch fades out, and its section probes next.
  mutating func retargetNotch(at place: Float) {
    sections[probing].retargetNotch(at: place)
    probing = 1 - probing
    resetTurn()
  }

  /// Turns the phase back.
  mutating func resetTurn() { sections[probing].retargetToNothing() }

  /// Fades the notch out.
  mutating func resetNotch() { sections[1 - probing].retargetToNothing() }
}
