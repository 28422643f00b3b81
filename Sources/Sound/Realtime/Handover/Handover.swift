public import Synchronization

/// Gives complete, immutable objects to the audio thread and takes the old ones back.
///
///     control ──publish──► pending ──update──► current (audio)
///        ▲                                        │
///        └──reclaim──── retired ◄──the one before─┘
///
/// The audio thread never counts references and never frees: an object is retained when published and
/// released on control, when the audio thread has moved on or, if it was never taken, when the next is
/// published.
///
/// - Threads: created and destroyed on control, destroyed after the audio thread has ended; ``publish(_:)``
///   and ``reclaim()`` on one control thread at a time, ``update()`` and ``withCurrent(_:)`` on audio.
/// - Complexity: ``update()`` and ``withCurrent(_:)`` are O(1), allocate nothing and take no lock.
@safe public struct Handover<Parameters: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
  /// Address of a published object that audio has not taken yet; 0 for none.
  @usableFromInline let pending = Atomic<UInt>(0)
  /// Addresses of objects that audio has left. Two can be outstanding (see ``publish(_:)``).
  @usableFromInline let retired = SPSCRing<UInt>(capacity: 4)
  /// The object in force; touched by audio only.
  @usableFromInline let current: UnsafeMutablePointer<Unmanaged<Parameters>>

  /// Creates a hand-over with `initial` in force.
  public init(_ initial: Parameters) {
    unsafe current = .allocate(capacity: 1)
    unsafe current.initialize(to: Unmanaged.passRetained(initial))
  }

  deinit {
    reclaim()
    Self.release(pending.load(ordering: .acquiring))
    unsafe current.pointee.release()
    unsafe current.deallocate()
  }

  /// Makes `parameters` the object that audio finds at its next ``update()``, and releases what it left.
  ///
  /// - Threads: control, one at a time.
  public func publish(_ parameters: Parameters) {
    // After this, audio can retire one object by taking what is pending now, and one more by taking
    // `parameters`: the ring always has room.
    reclaim()
    let address = unsafe UInt(bitPattern: Unmanaged.passRetained(parameters).toOpaque())
    Self.release(pending.exchange(address, ordering: .acquiringAndReleasing))
  }

  /// Releases the objects that audio has left. ``publish(_:)`` does so too; call this to have memory back
  /// without publishing.
  ///
  /// - Returns: Objects released.
  /// - Threads: control, one at a time.
  @discardableResult public func reclaim() -> Int {
    var released = 0
    while let address = retired.pop() {
      Self.release(address)
      released += 1
    }
    return released
  }

  /// Takes the newest published object, if there is one.
  ///
  /// - Returns: True when the object in force has changed.
  /// - Threads: audio.
  @inlinable @inline(__always) public func update() -> Bool {
    guard pending.load(ordering: .relaxed) != 0, retired.count < retired.capacity else { return false }
    let address = pending.exchange(0, ordering: .acquiringAndReleasing)
    guard let object = unsafe UnsafeRawPointer(bitPattern: address) else { return false }
    let old = unsafe UInt(bitPattern: current.pointee.toOpaque())
    unsafe current.pointee = Unmanaged.fromOpaque(object)
    return retired.push(old)
  }

  /// Calls `body` with the object in force.
  ///
  /// Under the compiler's analysis let `body` call one annotated function with the object: generic members
  /// (a buffer's subscript) used directly in the closure are not specialised and are rejected.
  ///
  /// - Threads: audio.
  @inlinable @inline(__always) public func withCurrent<Result>(_ body: (Parameters) -> Result) -> Result {
    unsafe current.pointee._withUnsafeGuaranteedRef { body($0) }
  }

  private static func release(_ address: UInt) {
    guard let object = unsafe UnsafeRawPointer(bitPattern: address) else { return }
    unsafe Unmanaged<Parameters>.fromOpaque(object).release()
  }
}
