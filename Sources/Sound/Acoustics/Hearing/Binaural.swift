/// One value for each ear, of any kind: also of a kind that cannot be copied, such as a buffer of the audio
/// thread.
///
/// Code that treats both ears alike says so once, and the left ear comes first:
///
///     gains.forEach(powers) { gain, power in gain.process(power) }
///
/// The functions are transparent, which puts the closure's body where it is called: the compiler then
/// proves for it, too, that nothing allocates, and no per-sample loop pays for a call.
///
/// - Threads: those of `Value`.
public struct Binaural<Value: ~Copyable>: ~Copyable {
  /// Value of the left ear.
  public var left: Value
  /// Value of the right ear.
  public var right: Value

  /// A value for each ear.
  @inlinable public init(left: consuming Value, right: consuming Value) {
    self.left = left
    self.right = right
  }

  /// Makes the left value, then the right one.
  ///
  /// - Throws: The error of `make`.
  @inlinable public init<Failure: Error>(_ make: (Ear) throws(Failure) -> Value) throws(Failure) {
    // A value that cannot be copied must not be left half made.
    let left = try make(.left)
    self.init(left: left, right: try make(.right))
  }

  /// Changes both values.
  @_transparent public mutating func forEach(_ body: (inout Value) -> Void) {
    body(&left)
    body(&right)
  }

  /// Changes both values, each with another pair's value for the same ear.
  @_transparent public mutating func forEach<Second: ~Copyable>(
    _ second: borrowing Binaural<Second>, _ body: (inout Value, borrowing Second) -> Void
  ) {
    body(&left, second.left)
    body(&right, second.right)
  }

  /// Changes both values, each with two other pairs' values for the same ear.
  @_transparent public mutating func forEach<Second: ~Copyable, Third: ~Copyable>(
    _ second: borrowing Binaural<Second>, _ third: borrowing Binaural<Third>,
    _ body: (inout Value, borrowing Second, borrowing Third) -> Void
  ) {
    body(&left, second.left, third.left)
    body(&right, second.right, third.right)
  }

  /// Changes the values of two pairs, ear by ear.
  @_transparent public mutating func forEach<Second: ~Copyable>(
    with second: inout Binaural<Second>, _ body: (inout Value, inout Second) -> Void
  ) {
    body(&left, &second.left)
    body(&right, &second.right)
  }

  /// Changes the values of two pairs, ear by ear, each with a third pair's value.
  @_transparent public mutating func forEach<Second: ~Copyable, Third: ~Copyable>(
    with second: inout Binaural<Second>, _ third: borrowing Binaural<Third>,
    _ body: (inout Value, inout Second, borrowing Third) -> Void
  ) {
    body(&left, &second.left, third.left)
    body(&right, &second.right, third.right)
  }
}

extension Binaural {
  /// The same value for both ears.
  @inlinable public init(both value: Value) { self.init(left: value, right: value) }

  /// Value of one ear.
  @inlinable public subscript(ear: Ear) -> Value {
    get { ear == .left ? left : right }
    set { if ear == .left { left = newValue } else { right = newValue } }
  }

  /// Applies `transform` to the left value, then to the right one.
  @inlinable public func map<Result: ~Copyable, Failure: Error>(
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

  /// The ear on the other side.
  public var opposite: Ear { self == .left ? .right : .left }
}

/// The path of a test tone to the inner ear.
public enum Conduction: String, Sendable, CaseIterable, Codable {
  /// Through an earphone and the middle ear.
  case air
  /// Through a vibrator and the skull.
  case bone
}

/// The ten audiograms that stand for the hearing losses met in the clinic.
///
/// Bisgaard, Vlaming & Dahlquist (2010), Trends in Amplification 14:113–120; IEC 60118-15 measures aids
/// with them. N: flat or moderately sloping; S: steep. The table ends at 250 and 6000 Hz.
public enum StandardAudiogram: String, Sendable, CaseIterable, Codable {
  case n1 = "N1", n2 = "N2", n3 = "N3", n4 = "N4", n5 = "N5", n6 = "N6", n7 = "N7"
  case s1 = "S1", s2 = "S2", s3 = "S3"

  /// Frequencies of ``thresholds``, Hz.
  public static let frequencies: [Double] = [250, 375, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000]

  /// The loss in the paper's words.
  public var category: String { row.category }

  /// Thresholds at ``frequencies``, dB HL.
  public var thresholds: [Double] { row.thresholds }

  private var row: (category: String, thresholds: [Double]) {
    switch self {
    case .n1: ("very mild", [10, 10, 10, 10, 10, 10, 15, 20, 30, 40])
    case .n2: ("mild", [20, 20, 20, 22.5, 25, 30, 35, 40, 45, 50])
    case .n3: ("moderate", [35, 35, 35, 35, 40, 45, 50, 55, 60, 65])
    case .n4: ("moderate/severe", [55, 55, 55, 55, 55, 60, 65, 70, 75, 80])
    case .n5: ("severe", [65, 67.5, 70, 72.5, 75, 80, 80, 80, 80, 80])
    case .n6: ("severe", [75, 77.5, 80, 82.5, 85, 90, 90, 95, 100, 100])
    case .n7: ("profound", [90, 92.5, 95, 100, 105, 105, 105, 105, 105, 105])
    case .s1: ("very mild, steep", [10, 10, 10, 10, 10, 10, 15, 30, 55, 70])
    case .s2: ("mild, steep", [20, 20, 20, 22.5, 25, 35, 55, 75, 95, 95])
    case .s3: ("moderate/severe, steep", [30, 30, 35, 47.5, 60, 70, 75, 80, 80, 85])
    }
  }

  /// The ear that has it: unmasked air conduction.
  public var audiogram: Audiogram {
    Audiogram(
      checked: zip(Self.frequencies, thresholds).map {
        Audiogram.Point(frequency: $0, threshold: HearingLevel($1))
      })
  }
}
