public import Synchronization

/// The newest value of a stream, handed from one thread to one other without waiting on either side.
///
/// Of three slots the writer owns one, the reader one, and the third lies between them. Publishing swaps
/// the writer's slot with the middle one, reading swaps the reader's; values the reader was too slow for are
/// overwritten. Use it for small parameter sets; ``Handover`` for objects too big to copy, ``SPSCRing`` where
/// no value may be lost.
///
/// - Threads: created and destroyed on control; ``publish(_:)`` on one thread, ``take()`` and ``latest()``
///   on one other, either of which may be audio.
/// - Complexity: one copy of the value. Allocates nothing after creation and takes no lock.
@safe
public struct TripleBuffer<Value: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
  /// Or-ed to the middle slot's index while its value has not been read.
  @inlinable static var fresh: Int { 4 }

  @usableFromInline let middle = SeparatedCounter(1)
  /// The writer's slot; touched by the writer only.
  @usableFromInline let writing = SeparatedCounter(0)
  /// The reader's slot; touched by the reader only.
  @usableFromInline let reading = SeparatedCounter(2)
  @usableFromInline let slots: UnsafeMutableRawPointer
  /// Bytes from one slot to the next: whole pairs of cache lines.
  @usableFromInline let stride: Int

  /// Creates a buffer whose reader finds `initial` until something is published.
  public init(_ initial: Value) {
    stride = (MemoryLayout<Value>.stride + 127) / 128 * 128
    unsafe slots = .allocate(byteCount: 3 * stride, alignment: 128)
    for slot in 0..<3 {
      unsafe (slots + slot * stride).initializeMemory(as: Value.self, to: initial)
    }
  }

  deinit {
    unsafe slots.deallocate()
  }

  @inlinable @inline(__always)
  func slot(_ index: Int) -> UnsafeMutablePointer<Value> {
    unsafe (slots + index * stride).assumingMemoryBound(to: Value.self)
  }

  /// Makes `value` the one the reader finds next.
  ///
  /// - Threads: the writer.
  @inlinable @inline(__always)
  public func publish(_ value: Value) {
    let own = writing.value.load(ordering: .relaxed)
    unsafe slot(own).pointee = value
    let old = middle.value.exchange(own | Self.fresh, ordering: .acquiringAndReleasing)
    writing.value.store(old & 3, ordering: .relaxed)
  }

  /// The newest value, or `nil` when nothing was published since the last call.
  ///
  /// - Threads: the reader.
  @inlinable @inline(__always)
  public func take() -> Value? {
    refresh() ? latestTaken : nil
  }

  /// The newest value.
  ///
  /// - Threads: the reader.
  @inlinable @inline(__always)
  public func latest() -> Value {
    _ = refresh()
    return latestTaken
  }

  @inlinable @inline(__always)
  var latestTaken: Value {
    unsafe slot(reading.value.load(ordering: .relaxed)).pointee
  }

  /// Swaps the reader's slot for the middle one if that is fresh.
  @inlinable @inline(__always)
  func refresh() -> Bool {
    guard middle.value.load(ordering: .relaxed) & Self.fresh != 0 else { return false }
    let own = reading.value.load(ordering: .relaxed)
    let newest = middle.value.exchange(own, ordering: .acquiringAndReleasing)
    reading.value.store(newest & 3, ordering: .relaxed)
    return true
  }
}
