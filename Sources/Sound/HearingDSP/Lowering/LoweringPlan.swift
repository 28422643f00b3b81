import Acoustics
import Fitting
import Glibc

/// One ear's frequency lowering as the audio thread reads it.
///
/// - Threads: `any`.
struct LoweringPlan: Equatable, Sendable {
  /// Highest frequency moved, Hz: the sounds that lowering is for, /s/ and other fricatives, end there (own
  /// choice).
  static let highest = 11_000.0

  var isOn = false
  /// Cutoff in bins of a frame.
  private(set) var cutoff: Float = 0
  /// Octaves out over octaves in.
  private(set) var inverseRatio: Float = 1
  /// First and last bin in which a peak is looked for.
  private(set) var firstBin = 1
  private(set) var lastBin = 1
  /// Filter that keeps the plain sound below the cutoff.
  private(set) var edge = FilterSections()

  /// Nothing is moved.
  init() {}

  /// - Parameter lowering: nil: nothing is moved.
  init(_ lowering: FrequencyLowering?, geometry: ChainGeometry) {
    guard let lowering else { return }
    let length = Self.frameLength(geometry)
    let position = lowering.cutoff * Double(length) / geometry.sampleRate
    isOn = true
    cutoff = Float(position)
    inverseRatio = Float(1 / lowering.ratio)
    // From three bins below, so that a tone there is found with all its main lobe and not taken for one
    // above.
    firstBin = max(1, Int(position) - 3)
    lastBin = min(length / 2 - 3, Int(Self.highest * Double(length) / geometry.sampleRate))
    edge = FilterSections(lowPassAt: lowering.cutoff, sampleRate: geometry.sampleRate)
  }

  /// Samples per frame, 2.9 ms at 44.1 kHz, by which lowered sound is later: a hiss keeps its sharpness,
  /// and bins 345 Hz apart still give a whistle's frequency to a few hertz.
  static func frameLength(_ geometry: ChainGeometry) -> Int { geometry.filterLength / 4 }
}

extension FilterSections {
  /// Poles and zeros of the prototype at 1 rad/s and its gain at 0 Hz, −0.5 dB:
  /// `scipy.signal.ellipap(4, 0.5, 30)`; the pole near the axis goes with the zero near it.
  private static let elliptic = [
    (re: -0.473_039_53, im: 0.551_887_73, zero: 2.926_405_63),
    (re: -0.109_910_02, im: 1.022_644_06, zero: 1.395_864_64),
  ]

  /// Low-pass of order 4 that leaves the plain sound below the cutoff: elliptic, because no other falls so
  /// steeply with so little delay below it. Ripple 0.5 dB, 30 dB down from 1.33 times the cutoff on; 0.11 ms
  /// at 0 Hz for 3 kHz, and 23 µs for the second of the two sections.
  init(lowPassAt cutoff: Double, sampleRate: Double) {
    // Bilinear, exact at the cutoff.
    let w = tan(.pi * cutoff / sampleRate)
    for (lane, pole) in Self.elliptic.enumerated() {
      let (d, m) = (-pole.re * w, (pole.re * pole.re + pole.im * pole.im) * w * w)
      let zero = pole.zero * pole.zero * w * w
      // Gain 1 at 0 Hz of each section; the ripple lies 0.5 dB above.
      set(lane, d: d, m: m, scale: m / zero, zeros: (1 + zero, 2 * (zero - 1), 1 + zero))
    }
  }
}

/// One ear's transition from one lowering to the next: faded out to the plain sound, and from there in to
/// the other.
///
/// - Threads: `audio`.
struct LoweringEar {
  /// Lowering in force.
  private(set) var plan = LoweringPlan()
  private var next = LoweringPlan()
  /// Share of the lowered sound, 0...1.
  private(set) var share: Float = 0
  private var step: Float = 0
  /// The lowering in force is the wanted one.
  private var isRising = false

  /// The plain sound is heard, and no lowering is to come.
  var isIdle: Bool { share == 0 && !next.isOn }

  /// Moves to another lowering, `frames` out and `frames` in.
  mutating func retarget(to wanted: LoweringPlan, frames: Float) {
    next = wanted
    isRising = wanted.isOn && wanted == plan
    step = 1 / frames
  }

  /// Puts the next lowering in force when this one has faded out.
  ///
  /// - Returns: True when it did.
  mutating func processChange() -> Bool {
    guard share == 0, next.isOn, next != plan else { return false }
    plan = next
    isRising = true
    return true
  }

  /// Share of the next sample.
  @inline(__always) mutating func process() -> Float {
    share = isRising ? min(1, share + step) : max(0, share - step)
    return share
  }
}
