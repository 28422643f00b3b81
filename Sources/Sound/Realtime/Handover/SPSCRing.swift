public import Synchronization

/// A bounded queue between exactly one writing and one reading thread; neither ever waits.
///
///     written ──► ┌───┬───┬───┬───┬───┬───┬───┬───┐
///                 │   │ e │ f │ g │ h │   │   │   │   count = written − read = 4
///         read ──►└───┴───┴───┴───┴───┴───┴───┴───┘
///
/// Both counters only grow (wrapping at the word's end) and are masked when a slot is looked up, so that
/// full and empty differ without a wasted slot. A counter is stored with release and loaded by the other
/// side with acquire: an element is complete before its count is seen.
///
/// Not for several writers or readers. Keep it in a `let` property of the class that both threads hold.
///
/// - Threads: created and destroyed on control; ``push(_:)`` on one thread, ``pop()`` on one other, either of
///   which may be audio.
/// - Complexity: O(1). Allocates nothing after creation and takes no lock.
@safe public struct SPSCRing<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let written: SeparatedCounter
  @usableFromInline let read: SeparatedCounter
  @usableFromInline let slots: AlignedBuffer<Element>
  @usableFromInline let mask: Int

  /// Creates an empty ring.
  ///
  /// - Parameter capacity: Elements the ring must hold, at least 1; the next power of two is taken.
  public init(capacity: Int) { self.init(capacity: capacity, start: 0) }

  /// Creates an empty ring whose counters begin at `start`.
  init(capacity: Int, start: Int) {
    precondition(capacity > 0, "a ring holds at least one element")
    var size = 1
    while size < capacity { size *= 2 }
    slots = AlignedBuffer(count: size)
    mask = size - 1
    written = SeparatedCounter(value: Atomic(start))
    read = SeparatedCounter(value: Atomic(start))
  }

  /// Elements the ring can hold: a power of two.
  @inlinable public var capacity: Int { mask + 1 }

  /// Elements waiting. The reader may find more, the writer fewer, by the time it acts.
  @inlinable public var count: Int {
    // Read before written: the other order could count elements that were not there at any moment.
    let taken = read.value.load(ordering: .acquiring)
    return min(written.value.load(ordering: .acquiring) &- taken, capacity)
  }

  /// Appends one element.
  ///
  /// - Returns: False when the ring is full; then nothing has changed.
  /// - Threads: the writer.
  @inlinable @inline(__always) public func push(_ element: Element) -> Bool {
    let end = written.value.load(ordering: .relaxed)
    guard end &- read.value.load(ordering: .acquiring) <= mask else { return false }
    unsafe slots.pointer[end & mask] = element
    written.value.store(end &+ 1, ordering: .releasing)
    return true
  }

  /// Appends `count` elements, all or none.
  ///
  /// - Parameter element: Element of an index in `0..<count`.
  /// - Returns: False when there is no room for all; then nothing has changed.
  /// - Threads: the writer.
  @inlinable @inline(__always) public func push(_ count: Int, _ element: (Int) -> Element) -> Bool {
    let end = written.value.load(ordering: .relaxed)
    guard count + (end &- read.value.load(ordering: .acquiring)) <= capacity else { return false }
    for index in 0..<count { unsafe slots.pointer[(end &+ index) & mask] = element(index) }
    written.value.store(end &+ count, ordering: .releasing)
    return true
  }

  /// Elements appended so far, wrapping at the word's end.
  ///
  /// - Threads: the writer.
  @inlinable public var pushed: Int { written.value.load(ordering: .relaxed) }

  /// Elements taken so far, counted as ``pushed`` is.
  ///
  /// - Threads: the reader.
  @inlinable public var popped: Int { read.value.load(ordering: .relaxed) }

  /// Takes the oldest element, or `nil` when the ring is empty.
  ///
  /// - Threads: the reader.
  @inlinable @inline(__always) public func pop() -> Element? {
    let start = read.value.load(ordering: .relaxed)
    guard start != written.value.load(ordering: .acquiring) else { return nil }
    let element = unsafe slots.pointer[start & mask]
    read.value.store(start &+ 1, ordering: .releasing)
    return element
  }

  /// Takes the `count` oldest elements, all or none.
  ///
  /// - Parameter take: Given each element and its index in `0..<count`.
  /// - Returns: False when fewer are waiting; then nothing has changed.
  /// - Threads: the reader.
  @inlinable @inline(__always) public func pop(_ count: Int, _ take: (Int, Element) -> Void) -> Bool {
    let start = read.value.load(ordering: .relaxed)
    guard count >= 0, written.value.load(ordering: .acquiring) &- start >= count else { return false }
    for index in 0..<count { unsafe take(index, slots.pointer[(start &+ index) & mask]) }
    read.value.store(start &+ count, ordering: .releasing)
    return true
  }

  /// Throws the oldest elements away, at most `count`.
  ///
  /// - Threads: the reader.
  @inlinable @inline(__always) public func skip(_ count: Int) {
    let start = read.value.load(ordering: .relaxed)
    let waiting = written.value.load(ordering: .acquiring) &- start
    let taken = count < waiting ? count : waiting
    if taken > 0 { read.value.store(start &+ taken, ordering: .releasing) }
  }
}
