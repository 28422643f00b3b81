import CLanes
import Synchronization

/// Vectors of 128 and of 256 bits, where the processor has both. One test at a time has them: the width is the whole process's.
enum VectorWidths {
  private static let turn = Mutex(())

  static var areTwo: Bool { clanes_widen(1) == 1 }

  /// Results of `body` with either.
  static func both<Result>(_ body: () -> Result) -> (narrow: Result, wide: Result) {
    turn.withLock { _ in
      _ = clanes_widen(0)
      let narrow = body()
      _ = clanes_widen(1)
      return (narrow, body())
    }
  }
}
