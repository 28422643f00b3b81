public import Synchronization

/// An atomic counter that shares no cache line with its neighbours.
///
/// Two 64-byte lines follow the value, because current processors prefetch lines in pairs: a thread that
/// writes its counter then never slows one that reads another.
@usableFromInline struct SeparatedCounter: ~Copyable {
  @usableFromInline let value: Atomic<Int>
  let separation: InlineArray<16, UInt64>

  init(_ value: Int = 0) {
    self.value = Atomic(value)
    separation = InlineArray(repeating: 0)
  }
}
