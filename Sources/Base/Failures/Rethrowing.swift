/// Evaluates `value`, and throws its error as one of the caller's.
///
///     let reader = try rethrowing(RenderingError.sound, try SoundFileReader(path: path))
///
/// - Parameter conversion: The caller's error for the one that was thrown, such as a case that holds it.
/// - Throws: The converted error.
package func rethrowing<Value: ~Copyable, Inner: Error, Outer: Error>(
  _ conversion: (Inner) -> Outer, _ value: @autoclosure () throws(Inner) -> Value
) throws(Outer) -> Value {
  do { return try value() } catch { throw conversion(error) }
}
