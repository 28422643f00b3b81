import Glibc

/// Number of the change in force; 0: none. Each test run has one.
public let changeInForce = unsafe getenv("AURICLE_CHANGE").flatMap { unsafe Int(String(cString: $0)) } ?? 0

/// Values that changed code computes with.
public protocol Changeable {
  /// One more of a whole number, a tenth more of another.
  var more: Self { get }
  /// One less, or a tenth.
  var less: Self { get }
  static func + (a: Self, b: Self) -> Self
  static func - (a: Self, b: Self) -> Self
  static func * (a: Self, b: Self) -> Self
  static func / (a: Self, b: Self) -> Self
}

extension Float: Changeable {
  public var more: Float { self == rounded() ? self + 1 : self * 1.1 }
  public var less: Float { self == rounded() ? self - 1 : self / 1.1 }
}

extension Double: Changeable {
  public var more: Double { self == rounded() ? self + 1 : self * 1.1 }
  public var less: Double { self == rounded() ? self - 1 : self / 1.1 }
}

extension Int: Changeable {
  public var more: Int { self + 1 }
  public var less: Int { self - 1 }
}

extension Int64: Changeable {
  public var more: Int64 { self + 1 }
  public var less: Int64 { self - 1 }
}

extension SIMD4: Changeable where Scalar == Float {
  public var more: Self { self * 1.1 }
  public var less: Self { self / 1.1 }
}

/// A constant; `change` makes it greater, the next number smaller.
public func constant<Value: Changeable>(_ change: Int, _ value: Value) -> Value {
  changeInForce == change ? value.more : changeInForce == change + 1 ? value.less : value
}

public func constant(_ change: Int, _ value: Bool) -> Bool { changeInForce == change ? !value : value }

func lesserOf<Value: Comparable>(_ change: Int, _ a: Value, _ b: Value) -> Value {
  changeInForce == change ? max(a, b) : min(a, b)
}

func greaterOf<Value: Comparable>(_ change: Int, _ a: Value, _ b: Value) -> Value {
  changeInForce == change ? min(a, b) : max(a, b)
}

func magnitude<Value: SignedNumeric & Comparable>(_ change: Int, _ value: Value) -> Value {
  changeInForce == change ? value : abs(value)
}
