import CSamplerate
import Realtime

/// Resamples playback so that it keeps pace with a capture device on another clock.
///
/// Both devices run at the same nominal rate; crystals differ by some ten parts per million, cheap ones by
/// a few hundred. After each block the frames that wait in both devices are compared with the target, and a
/// ``DelayLockedLoop`` turns the difference into a resampling ratio. So the latency is held, not only the
/// absence of xruns.
///
/// The corresponding C library is libsamplerate, with `SRC_SINC_FASTEST` (97 dB signal to noise, 80 % of
/// the band by its documentation), one converter for both channels, so that they cannot drift apart.
///
/// - Threads: created on control; the rest on audio.
/// - Complexity: creation allocates; the rest does not.
@safe
struct RateMatcher: ~Copyable {
  /// Greatest correction, as a share of the rate: ±0.5 %, as in CamillaDSP. Crystals stay a factor of ten
  /// below it.
  static let limit = 0.005

  /// Frames of a block.
  let period: Int
  /// Frames by which the converter lags: half its filter, found by ``prime()``.
  private(set) var delay = 0
  /// Output frames per input frame.
  private(set) var ratio = 1.0
  private var loop: DelayLockedLoop
  private let rate: Double
  private let converter: OpaquePointer?
  private var input: AlignedBuffer<Float>
  private var output: AlignedBuffer<Float>
  /// The last block resampled, one channel each.
  private(set) var left: AlignedBuffer<Float>
  private(set) var right: AlignedBuffer<Float>

  /// A matcher that matches nothing: the devices have one clock.
  init() {
    unsafe self.init(converter: nil, period: 0, rate: 1)
  }

  /// - Parameters:
  ///   - period: Frames of a block.
  ///   - rate: Hz, of both devices.
  /// - Returns: nil when there is no memory.
  init?(period: Int, rate: Int) {
    var code: Int32 = 0
    guard let state = unsafe src_new(Int32(SRC_SINC_FASTEST), 2, &code) else { return nil }
    unsafe self.init(converter: state, period: period, rate: rate)
  }

  private init(converter: OpaquePointer?, period: Int, rate: Int) {
    unsafe self.converter = converter
    self.period = period
    self.rate = Double(rate)
    // An eighth of a block off is more than jitter: widen.
    loop = DelayLockedLoop(
      step: Double(period) / Double(rate), tolerance: Double(max(period / 8, 4)) / Double(rate),
      limit: Self.limit)
    input = AlignedBuffer(count: 2 * period)
    output = AlignedBuffer(count: 2 * Self.room(period))
    left = AlignedBuffer(count: Self.room(period))
    right = AlignedBuffer(count: Self.room(period))
  }

  deinit {
    if let converter = unsafe converter { unsafe src_delete(converter) }
  }

  /// True when there are two clocks to match.
  var isActive: Bool { unsafe converter != nil }

  /// Most frames that one block can become.
  static func room(_ period: Int) -> Int { period + period / 100 + 4 }

  /// Drift of the playback clock against the capture clock, parts per million; positive when playback is
  /// faster.
  var drift: Double { -loop.drift * 1e6 }

  /// Bandwidth of the loop, Hz.
  var bandwidth: Double { loop.bandwidth }

  /// Fills the converter with silence, so that from then on it gives as much as it takes.
  ///
  /// - Returns: false when the converter fails.
  mutating func prime() -> Bool {
    loop.restart()
    ratio = 1 - loop.drift
    input.fill(0)
    reset()
    var taken = 0
    var given = 0
    // The first blocks fill the filter; a short block needs several. The fastest filter is 39 frames long.
    for _ in 0..<16 {
      let made = convert(frames: period)
      if made < 0 { return false }
      taken += period
      given += made
      if made >= period - 1 { break }
    }
    delay = taken - given
    return true
  }

  /// Resamples one block.
  ///
  /// - Returns: Frames in ``left`` and ``right``, or a negative number when the converter failed.
  mutating func process(left inputLeft: Span<Float>, right inputRight: Span<Float>) -> Int {
    for n in 0..<period {
      // What is not a number would live on in the filter.
      let l = inputLeft[n]
      let r = inputRight[n]
      input[2 &* n] = l - l == 0 ? l : 0
      input[2 &* n &+ 1] = r - r == 0 ? r : 0
    }
    let frames = convert(frames: period)
    if frames <= 0 { return frames }
    for n in 0..<frames {
      left[n] = output[2 &* n]
      right[n] = output[2 &* n &+ 1]
    }
    return frames
  }

  /// Takes one measurement of the delay.
  ///
  /// - Parameter error: Frames that wait beyond the target.
  mutating func steer(error: Int) {
    ratio = 1 - loop.update(error: Double(error) / rate)
  }

  @_semantics("no_performance_analysis")
  private mutating func reset() {
    if let converter = unsafe converter { unsafe src_reset(converter) }
  }

  /// The corresponding C function is `src_process`; the ratio glides to its new value over the block.
  @_semantics("no_performance_analysis")
  private mutating func convert(frames: Int) -> Int {
    guard let converter = unsafe converter else { return -1 }
    var data = unsafe SRC_DATA()
    unsafe data.data_in = UnsafePointer(input.pointer)
    unsafe data.data_out = unsafe output.pointer
    unsafe data.input_frames = frames
    unsafe data.output_frames = output.count / 2
    unsafe data.src_ratio = ratio
    guard unsafe src_process(converter, &data) == 0 else { return -1 }
    // A converter that leaves input behind would lose it: the room is chosen so that it never does.
    return unsafe data.input_frames_used == frames ? unsafe data.output_frames_gen : -1
  }
}
