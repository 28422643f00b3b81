/// Delay that lies behind the buffers of devices that are not on a card: codec, radio and earphones behind
/// BlueALSA's plugin, the buffers of a sound server behind its own.
///
/// Such a device adds it to what waits in its buffer (`snd_pcm_delay`), but it holds nothing of the prefill.
/// A loop that brings the whole to the prefill would empty the buffer, or find the clocks too far apart. So
/// it is found once both devices run, as the mean of a window of readings with which the window before
/// agrees: a plugin may tell 0 until its first packet has gone. It is kept until the devices are closed, so
/// that the buffers hold the same after each restart. Another one is taken up in the same way where it is
/// off by more than half of what the prefill has beyond the period that is played: the codec has changed,
/// and the buffers could not give so much without running empty.
///
/// A card's driver takes frames out of the buffer ahead of playing them (USB). They are of the prefill and
/// count as such: no card has a delay behind its buffer here.
///
/// - Threads: audio; allocates nothing.
struct DelayBehind: BitwiseCopyable {
  /// True where capture has one to be found.
  let isOfCapture: Bool
  /// True where playback has one to be found.
  let isOfPlayback: Bool
  /// Frames behind both buffers; nil before two windows agree.
  private(set) var frames: Int?
  /// Mean of the window before; nil for the first since a start.
  private var former: Int?
  private var readings = 0
  private var sum = 0

  /// By default there is nothing to be found.
  init(isOfCapture: Bool = false, isOfPlayback: Bool = false) {
    (self.isOfCapture, self.isOfPlayback) = (isOfCapture, isOfPlayback)
  }

  /// True where a device has one to be found.
  var isSought: Bool { isOfCapture || isOfPlayback }

  /// Begins a new window after a start, for what was read before is no longer so; what was found stays.
  mutating func restart() { (former, readings, sum) = (nil, 0, 0) }

  /// Takes one reading.
  ///
  /// - Parameters:
  ///   - told: Frames of delay by the devices' account.
  ///   - held: Frames that wait in their buffers.
  ///   - prefill: Frames that are to wait there.
  ///   - period: Frames of a block.
  /// - Returns: True where the reading is near ``frames``. The others come while a device changes its own
  ///   delay, and say nothing of the clocks.
  mutating func note(
    told: (capture: Int, playback: Int), held: (capture: Int, playback: Int), prefill: Int, period: Int
  ) -> Bool {
    // A device that tells less than it holds has nothing behind it.
    let ofCapture = isOfCapture ? max(0, told.capture - held.capture) : 0
    let ofPlayback = isOfPlayback ? max(0, told.playback - held.playback) : 0
    let reading = ofCapture + ofPlayback
    readings &+= 1
    sum &+= reading
    if readings >= FillWatch.window {
      take(mean: sum / FillWatch.window, margin: prefill - period)
      (readings, sum) = (0, 0)
    }
    guard let found = frames else { return false }
    return !differs(reading, from: found, prefill)
  }

  /// Takes up the mean of a full window that confirms the one before and differs from what was found.
  ///
  /// - Parameter margin: Frames of the prefill beyond one period.
  private mutating func take(mean: Int, margin: Int) {
    let before = former
    former = mean
    guard let last = before, !differs(mean, from: last, margin) else { return }
    if let found = frames, !differs(mean, from: found, margin) { return }
    frames = mean
  }

  /// True beyond half of `span`. Of single readings that is the prefill: a pointer that moves by periods
  /// makes those of one delay differ by a period at most, and two are the least prefill.
  private func differs(_ a: Int, from b: Int, _ span: Int) -> Bool {
    let distance = a - b
    return 2 * distance > span || 2 * distance < -span
  }
}
