import Glibc
public import Synchronization

/// One value that one thread overwrites without waiting and any number of threads read whole.
///
/// The writer makes a sequence number odd, stores the value, and makes the number even again; a reader
/// whose number was odd or changed meanwhile reads again. The value is kept as atomic words, so that the
/// overlap of a store and a load is no data race; the orderings are those of H.-J. Boehm, "Can seqlocks
/// get along with programming language memory models?", MSPC 2012, figure 6.
///
/// Made for meters: audio stores, several clients load.
///
/// - Threads: created and destroyed on control; ``store(_:)`` on one thread, usually audio; ``load()`` on
///   any but audio, since it repeats while the writer is writing.
/// - Complexity: ``store(_:)`` copies the value twice; it allocates nothing and takes no lock.
@safe public struct Seqlock<Value: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let sequence = SeparatedCounter(value: Atomic(0))
  @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt64>>
  @usableFromInline let wordCount: Int
  /// The writer's copy, padded to whole words.
  @usableFromInline let staging: AlignedBuffer<UInt64>

  /// Creates a lock that holds `initial`.
  public init(_ initial: Value) {
    wordCount = (MemoryLayout<Value>.size + 7) / 8
    staging = AlignedBuffer(count: wordCount)
    unsafe words = .allocate(capacity: max(wordCount, 1))
    for word in 0..<wordCount { unsafe (words + word).initialize(to: Atomic(0)) }
    store(initial)
  }

  deinit {
    unsafe words.deinitialize(count: wordCount)
    unsafe words.deallocate()
  }

  /// Replaces the value.
  ///
  /// - Threads: the writer.
  @inlinable @inline(__always) public func store(_ value: Value) {
    unsafe UnsafeMutableRawPointer(staging.pointer).storeBytes(of: value, as: Value.self)
    let number = sequence.value.load(ordering: .relaxed)
    sequence.value.store(number &+ 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    for word in 0..<wordCount { unsafe words[word].store(staging.pointer[word], ordering: .relaxed) }
    sequence.value.store(number &+ 2, ordering: .releasing)
  }

  /// The value of the latest complete ``store(_:)``.
  ///
  /// - Threads: any but audio.
  public func load() -> Value {
    let copy = AlignedBuffer<UInt64>(count: wordCount)
    var attempts = 0
    while true {
      let before = sequence.value.load(ordering: .acquiring)
      for word in 0..<wordCount { unsafe copy.pointer[word] = words[word].load(ordering: .relaxed) }
      atomicMemoryFence(ordering: .acquiring)
      if before & 1 == 0, before == sequence.value.load(ordering: .relaxed) { break }
      attempts += 1
      // A writer that lost its processor in the middle needs it back.
      if attempts.isMultiple(of: 64) { sched_yield() }
    }
    return unsafe UnsafeRawPointer(copy.pointer).load(as: Value.self)
  }
}

/// An atomic counter that shares no cache line with its neighbours.
///
/// Two 64-byte lines follow the value, because current processors prefetch lines in pairs: a thread that
/// writes its counter then never slows one that reads another.
@usableFromInline struct SeparatedCounter: ~Copyable {
  @usableFromInline let value: Atomic<Int>
  let separation = InlineArray<16, UInt64>(repeating: 0)
}
