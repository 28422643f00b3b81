import Acoustics
import Fitting
import Glibc
import Realtime

/// Lowers both ears' high sounds before any other processing, so that gain, noise reduction and limits act
/// on them at the frequencies at which they are heard.
///
/// The plain sound passes a low-pass at the cutoff, with its delay only; the sound above is moved in frames
/// of its own (``PeakShift``) and comes ``LoweringPlan/frameLength(_:)`` later. Off, the sound is not
/// changed.
///
/// - Threads: built on `control`, run on `audio`.
struct LoweringStage: ~Copyable {
  /// Noise comes out 2 dB softer than it went in, because neighbouring peaks part and join at random
  /// (measured), a tone at its level. Half of that is given to both: each is within 1 dB.
  private static let balance = 1.0

  private let length: Int
  private let hop: Int
  private var ears = Binaural(both: LoweringEar())
  private var edge = SectionRow<SIMD4<Float>>()
  private let transform: InverseTransform
  private var spectrum: PairSpectrum
  private var shifts: Binaural<PeakShift>
  private var moved: Binaural<HalfSpectrum>
  private var synthesis: PairSynthesis
  /// Newest input, interleaved; the newest frames up to ``filled`` of the last hop.
  private var history: Buffer
  /// Windowed frame, and then the moved one.
  private var time: Buffer
  /// Overlapping frames added up; the first hop is complete.
  private var sum: Buffer
  private let window: Buffer
  private let scaledWindow: Buffer
  private var filled = 0
  /// No sound has passed since the beginning or the last ``reset()``: there is nothing that a change could fade.
  private var isFresh = true
  private let sampleRate: Float

  /// - Throws: ``ChainError/noPlan(length:)``.
  init(geometry: ChainGeometry) throws(ChainError) {
    let length = LoweringPlan.frameLength(geometry)
    self.length = length
    hop = length / 4
    sampleRate = Float(geometry.sampleRate)
    transform = try InverseTransform(length: length)
    spectrum = PairSpectrum(length: length)
    shifts = Binaural { _ in PeakShift(length: length, hop: length / 4) }
    moved = Binaural { _ in HalfSpectrum(length: length) }
    synthesis = PairSynthesis(length: length)
    history = AlignedBuffer(count: 2 * length)
    time = AlignedBuffer(count: 2 * length)
    sum = AlignedBuffer(count: 2 * length)
    // Four Hann windows squared add up to 3/2; the spectra come doubled and the inverse transform `length`
    // times.
    let scale = pow(10, Self.balance / 20) / (1.5 * 2 * Double(length))
    let hann = (0..<2 * length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0 / 2) / Double(length)) }
    window = AlignedBuffer(count: 2 * length) { Float(hann[$0]) }
    scaledWindow = AlignedBuffer(count: 2 * length) { Float(scale * hann[$0]) }
  }

  /// Moves to other lowerings; at once where nothing was heard yet.
  ///
  /// - Parameter time: Of the transition, s; twice that from one lowering to another.
  mutating func retarget(to plans: Binaural<LoweringPlan>, time: Double) {
    let frames = max(1, Float(time) * sampleRate)
    ears.forEach(plans) { $0.retarget(to: $1, frames: frames) }
    if isFresh { settle() }
  }

  /// Clears everything remembered of the sound. A transition is over, for the sound rises from silence.
  mutating func reset() {
    history.fill(0)
    sum.fill(0)
    filled = 0
    isFresh = true
    settle()
  }

  /// Puts the wanted lowerings in force.
  private mutating func settle() {
    ears.forEach { $0.resetTransition() }
    edge.retarget(.left, to: ears.left.plan.edge)
    edge.retarget(.right, to: ears.right.plan.edge)
  }

  /// Lowers the newest `count` frames of a pair in place.
  ///
  /// - Parameter frames: Oldest first, interleaved `left, right`.
  mutating func process(_ frames: inout Buffer, count: Int) {
    isFresh = false
    if ears.left.isIdle && ears.right.isIdle { return }
    if ears.left.processChange() { edge.retarget(.left, to: ears.left.plan.edge) }
    if ears.right.processChange() { edge.retarget(.right, to: ears.right.plan.edge) }
    precondition(2 * count <= frames.count && filled < hop)
    let samples = unsafe frames.pointer + (frames.count - 2 * count)
    var done = 0
    while done < count {
      let part = min(hop - filled, count - done)
      unsafe mix(samples + 2 * done, count: part)
      done += part
      filled += part
      if filled == hop { processFrame() }
    }
  }

  /// Stores samples for the frame to come and replaces them by the moved sound; not beyond the hop's end.
  @inline(__always) private mutating func mix(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    precondition(filled + count <= hop && history.count == 2 * length && sum.count == 2 * length)
    let stored = unsafe history.pointer + 2 * (length - hop + filled)
    let moved = unsafe sum.pointer + 2 * filled
    // Copies, which stay in registers.
    var (edge, left, right) = (self.edge, ears.left.fade, ears.right.fade)
    for n in 0..<count {
      let (l, r) = unsafe (samples[2 * n], samples[2 * n + 1])
      unsafe stored[2 * n] = l
      unsafe stored[2 * n + 1] = r
      let low = edge.process(l, r)
      let (leftShare, rightShare) = (left.process(), right.process())
      let (leftChange, rightChange) = unsafe (low[1] + moved[2 * n] - l, low[3] + moved[2 * n + 1] - r)
      // An ear without lowering keeps every bit.
      unsafe samples[2 * n] = l + leftShare * leftChange
      unsafe samples[2 * n + 1] = r + rightShare * rightChange
    }
    (self.edge, ears.left.fade, ears.right.fade) = (edge, left, right)
  }

  /// Moves one frame and adds it to the sound to come.
  private mutating func processFrame() {
    filled = 0
    precondition(time.count == history.count && sum.count == history.count)
    for n in 0..<2 * length { unsafe time[unchecked: n] = history[unchecked: n] * window[unchecked: n] }
    history.shiftDown(by: 2 * hop)
    spectrum.process(time)
    let (left, right) = (ears.left.plan, ears.right.plan)
    if left.isOn { shifts.left.process(spectrum.ears.left, plan: left, into: &moved.left) }
    if right.isOn { shifts.right.process(spectrum.ears.right, plan: right, into: &moved.right) }
    synthesis.process(moved.left, moved.right, transform: transform, into: &time)
    sum.shiftDown(by: 2 * hop)
    for n in 2 * (length - hop)..<2 * length { sum[n] = 0 }
    for n in 0..<2 * length { unsafe sum[unchecked: n] += time[unchecked: n] * scaledWindow[unchecked: n] }
  }
}

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
  /// Factor on a peak by the bin in which it is found, linear: the bands take the response of the microphone away where a sound is heard,
  /// and it was made where the sound came from. Bins lie 344 Hz apart at least, so that as many reach up to ``highest``.
  private(set) var factors = SIMD32<Float>(repeating: 1)
  /// Filter that keeps the plain sound below the cutoff.
  private(set) var edge = FilterSections()

  /// Nothing is moved.
  init() {}

  /// The lowering of a fitting; without one nothing is moved.
  init(_ fitting: EarFitting, bands: BandLayout, geometry: ChainGeometry) {
    guard let lowering = fitting.lowering else { return }
    let length = Self.frameLength(geometry)
    let binWidth = geometry.sampleRate / Double(length)
    let position = lowering.cutoff * Double(length) / geometry.sampleRate
    isOn = true
    cutoff = Float(position)
    inverseRatio = Float(1 / lowering.ratio)
    // From three bins below, so that a tone there is found with all its main lobe and not taken for one
    // above.
    firstBin = max(1, Int(position) - 3)
    lastBin = min(
      length / 2 - 3, factors.scalarCount - 1, Int(Self.highest * Double(length) / geometry.sampleRate))
    edge = FilterSections(lowPassAt: lowering.cutoff, sampleRate: geometry.sampleRate)
    guard let values = fitting.microphoneResponse else { return }
    let response = LogFrequencyTable(bands.centres, values)
    for bin in firstBin...lastBin {
      let octaves = max(0, log2(Double(bin) * binWidth / lowering.cutoff))
      let (source, place) = (exp2(octaves), exp2(octaves / lowering.ratio))
      let excess =
        response.held(at: lowering.cutoff * source) - response.held(at: lowering.cutoff * place)
      factors[bin] = Float(pow(10, -excess / 20))
    }
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
  /// Way between the plain sound and that of the lowering in force.
  var fade = LoweringFade()

  /// The plain sound is heard, and no lowering is to come.
  var isIdle: Bool { fade.share == 0 && !next.isOn }

  /// Moves to another lowering, `frames` out and `frames` in.
  mutating func retarget(to wanted: LoweringPlan, frames: Float) {
    next = wanted
    fade.isRising = wanted.isOn && wanted == plan
    fade.step = 1 / frames
  }

  /// Ends the transition: the wanted lowering is in force and whole.
  mutating func resetTransition() {
    plan = next
    (fade.share, fade.isRising) = (next.isOn ? 1 : 0, next.isOn)
  }

  /// Puts the next lowering in force when this one has faded out.
  ///
  /// - Returns: True when it did.
  mutating func processChange() -> Bool {
    guard fade.share == 0, next.isOn, next != plan else { return false }
    plan = next
    fade.isRising = true
    return true
  }
}

/// Share of the lowered sound, which moves a step with each sample. Apart from the lowerings, so that a loop over samples has it in
/// registers.
///
/// - Threads: `audio`.
struct LoweringFade {
  /// 0...1.
  var share: Float = 0
  var step: Float = 0
  /// The lowering in force is the wanted one.
  var isRising = false

  /// Share of the next sample.
  @inline(__always) mutating func process() -> Float {
    share = isRising ? min(1, share + step) : max(0, share - step)
    return share
  }
}
