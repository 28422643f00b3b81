/// Zeroed memory of a fixed size with one owner: the storage of the audio path.
///
/// The first element lies on a 64-byte boundary, a cache line and the widest vector, which is also what
/// FFTW's fast plans and `CLanes` ask for. Everything is inlinable, so that annotated code in other modules passes the
/// compiler's analysis. `Element` must be a type whose all-zero bytes are a value: numbers, and structs of
/// them.
///
/// Pass a buffer as `borrowing` to read it and as `inout` to write it; both pass the analysis, where a
/// local ``span`` does not (the compiler counts the end of a local span's lifetime as a possible
/// deallocation).
///
/// - Threads: created and destroyed on control; elements on any one thread at a time.
/// - Complexity: creation allocates once; nothing else does.
@safe public struct AlignedBuffer<Element: BitwiseCopyable>: ~Copyable {
  /// Boundary of the first element, bytes.
  @inlinable public static var alignment: Int { 64 }

  @usableFromInline let base: UnsafeMutablePointer<Element>

  /// Number of elements.
  public let count: Int

  /// Creates `count` elements, all bytes zero.
  ///
  /// - Parameter count: Number of elements, not negative.
  public init(count: Int) {
    precondition(count >= 0, "a buffer cannot have a negative number of elements")
    let alignment = Self.alignment
    let lines = (count * MemoryLayout<Element>.stride + alignment - 1) / alignment
    let bytes = max(lines, 1) * alignment
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: alignment)
    // Touched now, so that the audio thread meets no page fault.
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    unsafe base = memory.assumingMemoryBound(to: Element.self)
    self.count = count
  }

  /// Creates `count` elements, each made by `element` from its index.
  ///
  /// - Parameter count: Number of elements, not negative.
  public init(count: Int, _ element: (Int) -> Element) {
    self.init(count: count)
    for index in 0..<count { unsafe base[index] = element(index) }
  }

  deinit { unsafe UnsafeMutableRawPointer(base).deallocate() }

  /// Element at `index`, which is checked to be in `0..<count`.
  @inlinable public subscript(index: Int) -> Element {
    @inline(__always) get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "index outside the buffer")
      return unsafe base[index]
    }
    @inline(__always) set {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "index outside the buffer")
      unsafe base[index] = newValue
    }
  }

  /// Element at `index`, which the caller has made sure is in `0..<count`: for loops that must vectorise,
  /// after one precondition on their bounds.
  @inlinable @unsafe public subscript(unchecked index: Int) -> Element {
    @inline(__always) get { unsafe base[index] }
    @inline(__always) set { unsafe base[index] = newValue }
  }

  /// Moves all elements but the first `distance` towards the start; the last `distance` stay as they are.
  ///
  /// - Parameter distance: In `0...count`.
  @inlinable @_semantics("no_performance_analysis") public mutating func shiftDown(by distance: Int) {
    precondition(distance >= 0 && distance <= count, "distance outside the buffer")
    unsafe base.update(from: base + distance, count: count - distance)
  }

  /// Sets every element to `value`.
  @inlinable @inline(__always) public mutating func fill(_ value: Element) {
    for index in 0..<count { unsafe base[index] = value }
  }

  /// First element, for C libraries and for loops over several buffers at once. Valid while the buffer
  /// lives; accesses are not checked.
  @inlinable @inline(__always) @unsafe public var pointer: UnsafeMutablePointer<Element> { unsafe base }

  /// All elements, for reading.
  @inlinable public var span: Span<Element> {
    @inline(__always) @_lifetime(borrow self) get {
      let elements = unsafe Span(_unsafeStart: base, count: count)
      return unsafe _overrideLifetime(elements, borrowing: self)
    }
  }

  /// All elements, for writing.
  @inlinable public var mutableSpan: MutableSpan<Element> {
    @inline(__always) @_lifetime(&self) mutating get {
      let elements = unsafe MutableSpan(_unsafeStart: base, count: count)
      return unsafe _overrideLifetime(elements, mutating: &self)
    }
  }
}

extension AlignedBuffer: @unchecked Sendable where Element: Sendable {}
