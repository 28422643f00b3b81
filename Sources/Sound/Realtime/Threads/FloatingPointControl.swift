public import CLinux

/// The calling thread's floating-point control register: MXCSR on x86, FPCR on aarch64.
public struct FloatingPointControl: Sendable, Equatable {
  let bits: UInt64

  /// The register as it is now.
  ///
  /// - Threads: any.
  public static var current: FloatingPointControl {
    @_semantics("no_performance_analysis")
    get { FloatingPointControl(bits: clinux_floating_point_control()) }
  }

  /// Puts the register back to this state.
  ///
  /// - Threads: any; acts on the caller only.
  @_semantics("no_performance_analysis") public func restore() { clinux_set_floating_point_control(bits) }
}

/// Makes denormal numbers zero for the calling thread, whose arithmetic on them can be 100 times slower.
///
/// Decaying filters pass through denormals whenever a room falls silent. The smallest normal float is
/// 1.2e-38, or −758 dB below full scale: nothing audible is lost. ``RealtimeThread`` calls this itself; a
/// thread that renders files calls it too, so that both compute the same.
///
/// - Returns: The former state, to be restored before the thread does other work.
/// - Threads: any; acts on the caller only.
@_semantics("no_performance_analysis") @discardableResult
public func flushDenormals() -> FloatingPointControl {
  let previous = FloatingPointControl.current
  clinux_set_floating_point_control(previous.bits | CLINUX_FLUSH_BITS)
  return previous
}

/// `value` without its fraction, for loops that turn samples into integers: unlike `Int32(value)` it checks
/// no range, so that the loop vectorises (0.07 ns a sample instead of 0.67 ns, AMD EPYC, release build).
///
/// - Parameter value: Finite and within the range of `Int32`; clamp first.
/// - Threads: any. Accepted in annotated code.
@_semantics("no_performance_analysis") @inlinable @inline(__always)
public func truncated(_ value: Float) -> Int32 { clinux_truncated(value) }

/// Square root, for annotated code: the analysis rejects `squareRoot()`, which passes through a C shim.
@_semantics("no_performance_analysis") @inlinable @inline(__always)
public func squareRoot(_ value: Float) -> Float { value.squareRoot() }
