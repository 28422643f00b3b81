import Acoustics
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
  private var edge = SectionRow()
  private let transform: PairTransform
  private var spectrum: PairSpectrum
  private var shifts: Binaural<PeakShift>
  private var moved: Binaural<HalfSpectrum>
  private var synthesis: PairSynthesis
  /// Newest input, interleaved; the newest frames up to ``filled`` of the last hop.
  private var history: Buffer
  private var windowed: Buffer
  private var time: Buffer
  /// Overlapping frames added up; the first hop is complete.
  private var sum: Buffer
  private var analysisWindow: Buffer
  private var synthesisWindow: Buffer
  private var filled = 0
  private let sampleRate: Float

  /// - Throws: ``ChainError/noPlan(length:)``.
  init(geometry: ChainGeometry) throws(ChainError) {
    let length = LoweringPlan.frameLength(geometry)
    self.length = length
    hop = length / 4
    sampleRate = Float(geometry.sampleRate)
    transform = try PairTransform(length: length)
    spectrum = PairSpectrum(length: length)
    shifts = Binaural { _ in PeakShift(length: length, hop: length / 4) }
    moved = Binaural { _ in HalfSpectrum(length: length) }
    synthesis = PairSynthesis(length: length)
    history = AlignedBuffer(count: 2 * length)
    windowed = AlignedBuffer(count: 2 * length)
    time = AlignedBuffer(count: 2 * length)
    sum = AlignedBuffer(count: 2 * length)
    analysisWindow = AlignedBuffer(count: 2 * length)
    synthesisWindow = AlignedBuffer(count: 2 * length)
    // Four Hann windows squared add up to 3/2; the spectra come doubled and the inverse transform `length`
    // times.
    let scale = pow(10, Self.balance / 20) / (1.5 * 2 * Double(length))
    for n in 0..<2 * length {
      let hann = 0.5 - 0.5 * cos(2 * .pi * Double(n / 2) / Double(length))
      analysisWindow[n] = Float(hann)
      synthesisWindow[n] = Float(scale * hann)
    }
  }

  /// Moves to other lowerings.
  ///
  /// - Parameter time: Of the transition, s; twice that from one lowering to another.
  mutating func retarget(to plans: Binaural<LoweringPlan>, time: Double) {
    let frames = max(1, Float(time) * sampleRate)
    ears.forEach(plans) { $0.retarget(to: $1, frames: frames) }
  }

  /// Clears everything remembered of the sound.
  mutating func reset() {
    history.fill(0)
    sum.fill(0)
    filled = 0
    edge.retarget(.left, to: ears.left.plan.edge)
    edge.retarget(.right, to: ears.right.plan.edge)
  }

  /// Lowers the newest `count` frames of a pair in place.
  ///
  /// - Parameter frames: Oldest first, interleaved `left, right`.
  mutating func process(_ frames: inout Buffer, count: Int) {
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
    var (edge, left, right) = (self.edge, ears.left, ears.right)
    for n in 0..<count {
      let (l, r) = unsafe (samples[2 * n], samples[2 * n + 1])
      unsafe stored[2 * n] = l
      unsafe stored[2 * n + 1] = r
      let low = edge.process(l, r)
      let (leftShare, rightShare) = (left.process(), right.process())
      let (leftChange, rightChange) = unsafe (low[1] + moved[2 * n] - l, low[5] + moved[2 * n + 1] - r)
      // An ear without lowering keeps every bit.
      unsafe samples[2 * n] = l + leftShare * leftChange
      unsafe samples[2 * n + 1] = r + rightShare * rightChange
    }
    (self.edge, ears.left, ears.right) = (edge, left, right)
  }

  /// Moves one frame and adds it to the sound to come.
  private mutating func processFrame() {
    filled = 0
    precondition(windowed.count == history.count && sum.count == history.count)
    for n in 0..<2 * length {
      unsafe windowed[unchecked: n] = history[unchecked: n] * analysisWindow[unchecked: n]
    }
    history.shiftDown(by: 2 * hop)
    spectrum.process(windowed, transform: transform)
    let (left, right) = (ears.left.plan, ears.right.plan)
    if left.isOn { shifts.left.process(spectrum.ears.left, plan: left, into: &moved.left) }
    if right.isOn { shifts.right.process(spectrum.ears.right, plan: right, into: &moved.right) }
    synthesis.process(moved, transform: transform, into: &time)
    sum.shiftDown(by: 2 * hop)
    for n in 2 * (length - hop)..<2 * length { sum[n] = 0 }
    for n in 0..<2 * length {
      unsafe sum[unchecked: n] += time[unchecked: n] * synthesisWindow[unchecked: n]
    }
  }
}
