/// Watch over the frames that wait in both devices together: they are the latency.
///
/// A stream begins with its prefill and writes as much as it reads, so that the sum stays. Drivers can
/// break that: two devices begin a period apart, or a pointer goes round its buffer while the machine
/// stands still, which no driver reports. One reading proves nothing, because the two pointers are read one
/// after the other and may move in between; a window of blocks has to agree.
///
/// - Threads: `audio`; allocates nothing.
struct FillWatch: BitwiseCopyable {
  /// Blocks that one judgement takes, 0.19 s of 64 frames at 44.1 kHz. Own choice: over within the rise
  /// after a restart.
  static let window = 128
  /// Blocks of a window that may disagree. Own choice, 3 %: rarer than that are pointers read while they
  /// move.
  static let strays = 4

  /// Frames beyond the prefill that are right for these devices; nil before the first window.
  var expected: Int?
  private var readings = 0
  private var sum = 0
  private var long = 0
  private var short = 0

  /// Begins a new window, for what was read before is no longer so; what is expected stays.
  mutating func restart() { (readings, sum, long, short) = (0, 0, 0, 0) }

  /// Takes one reading.
  ///
  /// - Parameters:
  ///   - surplus: Frames that wait in both devices, less the prefill.
  ///   - period: Frames of a block.
  /// - Returns: Of a window that is full now the mean, frames beyond the prefill, and true where all readings
  ///   but strays are half a period or more above or below what was expected; nil otherwise.
  mutating func note(surplus: Int, period: Int) -> (mean: Int, isLong: Bool, isShort: Bool)? {
    let distance = surplus &- (expected ?? 0)
    readings &+= 1
    sum &+= surplus
    if 2 &* distance >= period { long &+= 1 }
    if 2 &* distance <= 0 &- period { short &+= 1 }
    guard readings >= Self.window else { return nil }
    let enough = Self.window - Self.strays
    defer { restart() }
    return (sum / Self.window, long >= enough, short >= enough)
  }
}
