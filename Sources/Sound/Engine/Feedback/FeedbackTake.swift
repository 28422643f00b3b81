import Acoustics
import Realtime

/// Where the carrying out of an order is: the audio thread's side of a ``FeedbackBoard``.
///
/// - Threads: `audio`.
struct FeedbackTake {
  /// Whether an order is being carried out.
  private(set) var isRunning = false
  /// Whether all is recorded, or broken off, and the sound fades out.
  private(set) var isFading = false
  /// Frames.
  private var played = 0
  private var recorded = 0

  /// Takes an order that stands.
  ///
  /// - Returns: Whether sound is to rise for it.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func begin(_ board: FeedbackBoard) -> Bool {
    guard !isRunning, board.phase.load(ordering: .acquiring) == .ordered else { return false }
    self = FeedbackTake()
    isRunning = true
    board.isBroken = false
    return board.order.factor > 0
  }

  /// Sound broke off.
  #if RT_LINT
    @_noAllocation
  #endif
  func breakOff(_ board: FeedbackBoard) { if isRunning { board.isBroken = true } }

  /// Whether this is the moment to fade out, or to go on doing so.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func isOver(_ board: FeedbackBoard) -> Bool {
    if isRunning {
      let frames = board.order.frames
      if board.isBroken { isFading = true }
      if recorded >= frames { isFading = true }
    }
    return isFading
  }

  /// Nothing sounds any more: gives the turn back to control.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func end(_ board: FeedbackBoard) {
    self = FeedbackTake()
    board.phase.store(.ready, ordering: .releasing)
  }

  /// Makes the next block's sound: the signal from the ear's earphone under test, or silence.
  #if RT_LINT
    @_noAllocation
  #endif
  func play(_ sound: inout LiveBlock, _ board: FeedbackBoard) {
    // While no order is carried out it is control's to write.
    let order = isRunning ? board.order : FeedbackBoard.Order()
    Self.play(board.signal, from: played, order.ear == .left ? order.factor : 0, into: &sound.leftInput)
    Self.play(board.signal, from: played, order.ear == .left ? 0 : order.factor, into: &sound.rightInput)
  }

  /// Records what was sent and what came in with it.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func record(
    _ sound: borrowing LiveBlock, _ microphones: borrowing LiveBlock, _ board: FeedbackBoard
  ) {
    guard isRunning else { return }
    let order = board.order
    let frames = sound.leftInput.count
    let first = min(max(order.settling - played, 0), frames)
    let count = min(frames - first, max(order.frames - recorded, 0))
    if order.ear == .left {
      Self.copy(sound.leftOutput, from: first, count, into: &board.sent, at: recorded)
    } else {
      Self.copy(sound.rightOutput, from: first, count, into: &board.sent, at: recorded)
    }
    Self.copy(microphones.leftInput, from: first, count, into: &board.left, at: recorded)
    Self.copy(microphones.rightInput, from: first, count, into: &board.right, at: recorded)
    recorded += count
    played += frames
  }

  #if RT_LINT
    @_noAllocation
  #endif
  private static func play(
    _ signal: borrowing AlignedBuffer<Float>, from start: Int, _ factor: Float,
    into block: inout AlignedBuffer<Float>
  ) {
    for index in 0..<block.count { block[index] = factor * signal[(start + index) % signal.count] }
  }

  #if RT_LINT
    @_noAllocation
  #endif
  private static func copy(
    _ source: borrowing AlignedBuffer<Float>, from first: Int, _ count: Int,
    into target: inout AlignedBuffer<Float>, at start: Int
  ) {
    for index in 0..<count { target[start + index] = source[first + index] }
  }
}
