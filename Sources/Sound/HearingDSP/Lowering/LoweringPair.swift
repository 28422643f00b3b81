import Glibc
import Realtime

/// Lowers both ears' high sounds before anything else is made of them, so that gain, noise reduction and limits see
/// them where they are heard.
///
/// The plain sound passes a low-pass at the cutoff, with its delay only; what lies above is moved in frames of its
/// own (``PeakShift``) and comes ``LoweringPlan/frameLength(_:)`` later. Off, the sound is not touched.
///
/// - Threads: built on `control`, run on `audio`.
struct LoweringPair: ~Copyable {
  /// Noise comes out 2 dB softer than it went in, because neighbouring peaks part and join at random (measured), a tone
  /// as it was. Half of that is given to both: each is within 1 dB.
  private static let balance = 1.0

  private let length: Int
  private let hop: Int
  private var left = LoweringEar()
  private var right = LoweringEar()
  private var edge = EdgeFilter()
  private let transform: PairTransform
  private var spectrum: PairSpectrum
  private var leftShift: PeakShift
  private var rightShift: PeakShift
  private var leftMoved: HalfSpectrum
  private var rightMoved: HalfSpectrum
  /// What came in last, interleaved; the newest frames up to ``filled`` of the last hop.
  private var history: AlignedBuffer<Float>
  private var windowed: AlignedBuffer<Float>
  private var pair: AlignedBuffer<Float>
  private var time: AlignedBuffer<Float>
  /// Overlapping frames added up; the first hop is complete.
  private var sum: AlignedBuffer<Float>
  private var analysisWindow: AlignedBuffer<Float>
  private var synthesisWindow: AlignedBuffer<Float>
  private var filled = 0
  private let sampleRate: Float

  /// - Throws: ``ChainError/noPlan(length:)``.
  init(geometry: ChainGeometry) throws(ChainError) {
    length = LoweringPlan.frameLength(geometry)
    hop = length / 4
    sampleRate = Float(geometry.sampleRate)
    transform = try PairTransform(length: length)
    spectrum = PairSpectrum(length: length)
    leftShift = PeakShift(length: length, hop: length / 4)
    rightShift = PeakShift(length: length, hop: length / 4)
    leftMoved = HalfSpectrum(length: length)
    rightMoved = HalfSpectrum(length: length)
    history = AlignedBuffer(count: 2 * length)
    windowed = AlignedBuffer(count: 2 * length)
    pair = AlignedBuffer(count: 2 * (length + 1))
    time = AlignedBuffer(count: 2 * length)
    sum = AlignedBuffer(count: 2 * length)
    analysisWindow = AlignedBuffer(count: 2 * length)
    synthesisWindow = AlignedBuffer(count: 2 * length)
    // Four Hann windows squared add up to 3/2; the spectra come doubled and the inverse transform `length` times.
    let scale = pow(10, Self.balance / 20) / (1.5 * 2 * Double(length))
    for n in 0..<2 * length {
      let hann = 0.5 - 0.5 * cos(2 * .pi * Double(n / 2) / Double(length))
      analysisWindow[n] = Float(hann)
      synthesisWindow[n] = Float(scale * hann)
    }
  }

  /// Sets out for other lowerings.
  ///
  /// - Parameter time: Of the way, s; twice that from one lowering to another.
  mutating func retarget(_ leftPlan: LoweringPlan, _ rightPlan: LoweringPlan, time: Double) {
    let way = max(1, Float(time) * sampleRate)
    left.retarget(leftPlan, frames: way)
    right.retarget(rightPlan, frames: way)
  }

  /// Forgets everything heard.
  mutating func reset() {
    history.fill(0)
    sum.fill(0)
    filled = 0
    edge.set(left.plan.edge, isLeft: true)
    edge.set(right.plan.edge, isLeft: false)
  }

  /// Lowers the newest `count` frames of a pair in place.
  ///
  /// - Parameter frames: Oldest first, interleaved `left, right`.
  mutating func apply(to frames: inout AlignedBuffer<Float>, count: Int) {
    if left.isIdle && right.isIdle { return }
    if left.turn() { edge.set(left.plan.edge, isLeft: true) }
    if right.turn() { edge.set(right.plan.edge, isLeft: false) }
    precondition(2 * count <= frames.count && filled < hop)
    let samples = unsafe frames.pointer + (frames.count - 2 * count)
    var done = 0
    while done < count {
      let part = min(hop - filled, count - done)
      unsafe mix(samples + 2 * done, count: part)
      done += part
      filled += part
      if filled == hop { turnFrame() }
    }
  }

  /// Notes samples for the frame to come and puts what was moved in their place; not beyond the hop's end.
  @inline(__always)
  private mutating func mix(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    precondition(filled + count <= hop && history.count == 2 * length && sum.count == 2 * length)
    let noted = unsafe history.pointer + 2 * (length - hop + filled)
    let moved = unsafe sum.pointer + 2 * filled
    // Copies of their own, which stay in registers.
    var (edge, left, right) = (self.edge, self.left, self.right)
    for n in 0..<count {
      let (l, r) = unsafe (samples[2 * n], samples[2 * n + 1])
      unsafe noted[2 * n] = l
      unsafe noted[2 * n + 1] = r
      let low = edge.step(l, r)
      let (leftShare, rightShare) = (left.advance(), right.advance())
      let (leftChange, rightChange) = unsafe (
        low.left + moved[2 * n] - l, low.right + moved[2 * n + 1] - r
      )
      // An ear without lowering keeps every bit.
      unsafe samples[2 * n] = l + leftShare * leftChange
      unsafe samples[2 * n + 1] = r + rightShare * rightChange
    }
    (self.edge, self.left, self.right) = (edge, left, right)
  }

  /// Moves one frame and adds it to what is to be heard.
  private mutating func turnFrame() {
    filled = 0
    precondition(windowed.count == history.count && sum.count == history.count)
    for n in 0..<2 * length {
      unsafe windowed[unchecked: n] = history[unchecked: n] * analysisWindow[unchecked: n]
    }
    history.shiftDown(by: 2 * hop)
    spectrum.read(windowed, transform: transform)
    Self.move(left.plan, spectrum.left, &leftShift, &leftMoved)
    Self.move(right.plan, spectrum.right, &rightShift, &rightMoved)
    join()
    transform.inverse(pair, into: &time)
    sum.shiftDown(by: 2 * hop)
    for n in 2 * (length - hop)..<2 * length { sum[n] = 0 }
    for n in 0..<2 * length {
      unsafe sum[unchecked: n] += time[unchecked: n] * synthesisWindow[unchecked: n]
    }
  }

  /// One ear's moved spectrum; nothing when nothing is to be moved.
  private static func move(
    _ plan: LoweringPlan, _ spectrum: borrowing HalfSpectrum, _ shift: inout PeakShift,
    _ moved: inout HalfSpectrum
  ) {
    if plan.isOn { shift.apply(plan, to: spectrum, into: &moved) }
  }

  /// Puts the pair together, `Z[k] = L + jR` and `Z[N−k] = L* + jR*`.
  private mutating func join() {
    precondition(leftMoved.half == length / 2 && rightMoved.half == length / 2)
    let z = unsafe pair.pointer
    let (a, b, c, d) = unsafe (leftMoved.re, leftMoved.im, rightMoved.re, rightMoved.im)
    for k in stride(from: 0, to: length / 2, by: 4) {
      let (leftRe, leftIm) = unsafe (Lanes.forward(a, k), Lanes.forward(b, k))
      let (rightRe, rightIm) = unsafe (Lanes.forward(c, k), Lanes.forward(d, k))
      unsafe Lanes.storeInterleaved(leftRe - rightIm, leftIm + rightRe, z, 2 * k)
      unsafe Lanes.storeInterleavedBackwards(leftRe + rightIm, rightRe - leftIm, z, 2 * (length - k - 3))
    }
  }
}
