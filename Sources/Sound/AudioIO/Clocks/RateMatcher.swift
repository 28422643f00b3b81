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
struct RateMatcher: ~Copyable {
  /// Greatest correction, as a share of the rate: ±0.5 %, as in CamillaDSP. Crystals stay a factor of ten
  /// below it.
  static let limit = 0.005

  /// True when there are two clocks to match.
  let isActive: Bool
  /// Frames of a block.
  let period: Int
  /// Frames by which the converter lags: half its filter, found by ``prime()``.
  private(set) var delay = 0
  /// Output frames per input frame.
  private(set) var ratio = 1.0
  private var loop: DelayLockedLoop
  private let rate: Double
  private var converter: RateConverter?
  private var input: AlignedBuffer<Float>
  private var output: AlignedBuffer<Float>
  /// The last block resampled, one channel each.
  private(set) var left: AlignedBuffer<Float>
  private(set) var right: AlignedBuffer<Float>

  /// A matcher that matches nothing: the devices have one clock.
  init() { self.init(converter: nil, period: 0, rate: 1) }

  /// - Parameters:
  ///   - period: Frames of a block.
  ///   - rate: Hz, of both devices.
  /// - Returns: nil when there is no memory.
  init?(period: Int, rate: Int) {
    guard let converter = RateConverter(SRC_SINC_FASTEST) else { return nil }
    self.init(converter: converter, period: period, rate: rate)
  }

  private init(converter: consuming RateConverter?, period: Int, rate: Int) {
    isActive = converter != nil
    self.converter = converter
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

  /// Most frames that one block can become.
  static func room(_ period: Int) -> Int { period + period / 100 + 4 }

  /// Drift of the playback clock against the capture clock.
  var drift: ClockDrift {
    guard isActive else { return .shared }
    guard let drift = loop.settledDrift else { return .settling }
    return .known(partsPerMillion: -drift * 1e6)
  }

  /// Fills the converter with silence, so that from then on it gives as much as it takes.
  ///
  /// - Returns: false when the converter fails.
  mutating func prime() -> Bool {
    loop.restart()
    ratio = 1 - loop.drift
    input.fill(0)
    converter?.reset()
    var taken = 0
    var given = 0
    // The first blocks fill the filter; a short block needs several. The fastest filter is 39 frames long.
    for _ in 0..<16 {
      let made = convert()
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
    let frames = convert()
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
  mutating func steer(error: Int) { ratio = 1 - loop.update(error: Double(error) / rate) }

  /// Converts ``input``; the ratio glides to its new value over the block.
  ///
  /// - Returns: Frames made, negative when the converter fails.
  private mutating func convert() -> Int {
    let result = converter?.convert(
      input, from: 0, frames: period, into: &output, atMost: output.count / 2, ratio: ratio)
    // A converter that leaves input behind would lose it: the room is chosen so that it never does.
    guard let result, result.code == 0, result.taken == period else { return -1 }
    return result.made
  }
}

/// A converter of libsamplerate for left and right alternating, so that the two cannot drift apart.
///
/// The corresponding C type is `SRC_STATE`.
///
/// - Threads: created on any; the rest on one at a time, also on audio.
/// - Complexity: creation allocates; the rest does not.
@safe struct RateConverter: ~Copyable {
  private let state: OpaquePointer

  /// - Parameter quality: One of the library's constants.
  /// - Returns: nil when there is no memory.
  init?(_ quality: Int) {
    var code: Int32 = 0
    guard let state = unsafe src_new(Int32(quality), 2, &code) else { return nil }
    unsafe self.state = state
  }

  deinit { unsafe src_delete(state) }

  @_semantics("no_performance_analysis")
  mutating func reset() { unsafe src_reset(state) }

  /// Converts frames; the corresponding C function is `src_process`.
  ///
  /// - Parameters:
  ///   - ratio: Frames that come out for one that goes in.
  ///   - isLast: True when no frames follow these.
  /// - Returns: Frames taken, frames made, and the library's error, 0 for none.
  @_semantics("no_performance_analysis")
  mutating func convert(
    _ input: borrowing AlignedBuffer<Float>, from begin: Int, frames: Int,
    into output: inout AlignedBuffer<Float>, atMost room: Int, ratio: Double, isLast: Bool = false
  ) -> (taken: Int, made: Int, code: Int32) {
    var data = unsafe SRC_DATA()
    unsafe data.data_in = UnsafePointer(input.pointer + 2 * begin)
    unsafe data.data_out = unsafe output.pointer
    unsafe data.input_frames = frames
    unsafe data.output_frames = room
    unsafe data.end_of_input = isLast ? 1 : 0
    unsafe data.src_ratio = ratio
    let code = unsafe src_process(state, &data)
    return unsafe (data.input_frames_used, data.output_frames_gen, code)
  }
}
