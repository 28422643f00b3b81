/// One value for each ear, of any kind: also of a kind that cannot be copied, such as a buffer of the audio thread.
///
/// Code that treats both ears alike says so once, and the left ear comes first:
///
///     gains.forEach(powers) { gain, power in gain.process(power) }
///
/// The functions are transparent, which puts the closure's body where it is called: the compiler then proves for it, too, that
/// nothing allocates, and no per-sample loop pays for a call.
///
/// - Threads: those of `Value`.
public struct Binaural<Value: ~Copyable>: ~Copyable {
  public var left: Value
  public var right: Value

  @inlinable
  public init(left: consuming Value, right: consuming Value) {
    self.left = left
    self.right = right
  }

  /// Makes the left value, then the right one.
  ///
  /// - Throws: The error of `make`.
  @inlinable
  public init<Failure: Error>(_ make: (Ear) throws(Failure) -> Value) throws(Failure) {
    // A value that cannot be copied must not be left half made.
    let left = try make(.left)
    self.init(left: left, right: try make(.right))
  }

  /// Changes both values.
  @_transparent
  public mutating func forEach(_ body: (inout Value) -> Void) {
    body(&left)
    body(&right)
  }

  /// Changes both values, each with another pair's value for the same ear.
  @_transparent
  public mutating func forEach<Second: ~Copyable>(
    _ second: borrowing Binaural<Second>, _ body: (inout Value, borrowing Second) -> Void
  ) {
    body(&left, second.left)
    body(&right, second.right)
  }

  /// Changes both values, each with two other pairs' values for the same ear.
  @_transparent
  public mutating func forEach<Second: ~Copyable, Third: ~Copyable>(
    _ second: borrowing Binaural<Second>, _ third: borrowing Binaural<Third>,
    _ body: (inout Value, borrowing Second, borrowing Third) -> Void
  ) {
    body(&left, second.left, third.left)
    body(&right, second.right, third.right)
  }

  /// Changes the values of two pairs, ear by ear.
  @_transparent
  public mutating func forEach<Second: ~Copyable>(
    with second: inout Binaural<Second>, _ body: (inout Value, inout Second) -> Void
  ) {
    body(&left, &second.left)
    body(&right, &second.right)
  }

  /// Changes the values of two pairs, ear by ear, each with a third pair's value.
  @_transparent
  public mutating func forEach<Second: ~Copyable, Third: ~Copyable>(
    with second: inout Binaural<Second>, _ third: borrowing Binaural<Third>,
    _ body: (inout Value, inout Second, borrowing Third) -> Void
  ) {
    body(&left, &second.left, third.left)
    body(&right, &second.right, third.right)
  }
}

extension Binaural {
  /// The same value for both ears.
  @inlinable
  public init(both value: Value) { self.init(left: value, right: value) }

  @inlinable
  public subscript(ear: Ear) -> Value {
    get { ear == .left ? left : right }
    set {
      switch ear {
      case .left: left = newValue
      case .right: right = newValue
      }
    }
  }

  /// Applies `transform` to the left value, then to the right one.
  @inlinable
  public func map<Result: ~Copyable, Failure: Error>(
    _ transform: (Value) throws(Failure) -> Result
  ) throws(Failure) -> Binaural<Result> {
    let left = try transform(left)
    return Binaural<Result>(left: left, right: try transform(right))
  }
}

extension Binaural: Copyable where Value: Copyable {}
extension Binaural: Sendable where Value: Sendable & ~Copyable {}
extension Binaural: BitwiseCopyable where Value: BitwiseCopyable {}
extension Binaural: Equatable where Value: Equatable {}
extension Binaural: Hashable where Value: Hashable {}
extension Binaural: Encodable where Value: Encodable {}
extension Binaural: Decodable where Value: Decodable {}

/// One of the two ears.
public enum Ear: String, Sendable, CaseIterable, Codable {
  case left
  case right
}

/// The path of a test tone to the inner ear.
public enum Conduction: String, Sendable, CaseIterable, Codable {
  /// Through an earphone and the middle ear.
  case air
  /// Through a vibrator and the skull.
  case bone
}
