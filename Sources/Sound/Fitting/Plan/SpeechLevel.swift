public import Acoustics

/// Overall level of the speech that a target is for: soft, ordinary, loud. The three at which targets are
/// shown and verified (ANSI S3.46 and IEC 61669 measurements are usually made at them; from memory).
public enum SpeechLevel: Int, Sendable, CaseIterable, Comparable {
  case soft = 50
  case ordinary = 65
  case loud = 80

  public var level: SoundPressureLevel { SoundPressureLevel(Double(rawValue)) }

  public static func < (a: SpeechLevel, b: SpeechLevel) -> Bool { a.rawValue < b.rawValue }
}

/// One value for each speech level.
public struct SpeechLevels<Value> {
  public var soft: Value
  public var ordinary: Value
  public var loud: Value

  public init(soft: Value, ordinary: Value, loud: Value) {
    self.soft = soft
    self.ordinary = ordinary
    self.loud = loud
  }

  /// The same value for all.
  public init(all value: Value) { self.init(soft: value, ordinary: value, loud: value) }

  public subscript(level: SpeechLevel) -> Value {
    get {
      switch level {
      case .soft: soft
      case .ordinary: ordinary
      case .loud: loud
      }
    }
    set {
      switch level {
      case .soft: soft = newValue
      case .ordinary: ordinary = newValue
      case .loud: loud = newValue
      }
    }
  }
}

extension SpeechLevels: Sendable where Value: Sendable {}
extension SpeechLevels: Equatable where Value: Equatable {}
extension SpeechLevels: Hashable where Value: Hashable {}
