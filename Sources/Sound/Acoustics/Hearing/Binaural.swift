/// The same thing for each ear.
public struct Binaural<Value> {
  public var left: Value
  public var right: Value

  @inlinable
  public init(left: Value, right: Value) {
    self.left = left
    self.right = right
  }

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
  public func map<Result, Failure: Error>(
    _ transform: (Value) throws(Failure) -> Result
  ) throws(Failure) -> Binaural<Result> {
    Binaural<Result>(left: try transform(left), right: try transform(right))
  }
}

extension Binaural: Sendable where Value: Sendable {}
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

/// The way a test tone took to the inner ear.
public enum Conduction: String, Sendable, CaseIterable, Codable {
  /// Through an earphone and the middle ear.
  case air
  /// Through a vibrator and the skull.
  case bone
}
