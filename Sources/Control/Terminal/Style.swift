/// Marks text for a terminal (ECMA-48, SGR).
public struct Style: Sendable, Equatable {
  /// Whether marks are written at all.
  public let isOn: Bool

  public init(isOn: Bool) { self.isOn = isOn }

  /// Without any marks.
  public static let plain = Style(isOn: false)

  public func bold(_ text: String) -> String { mark(text, "1") }
  public func good(_ text: String) -> String { mark(text, "32") }
  public func warning(_ text: String) -> String { mark(text, "33") }
  public func bad(_ text: String) -> String { mark(text, "31") }
  public func faint(_ text: String) -> String { mark(text, "2") }

  private func mark(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
