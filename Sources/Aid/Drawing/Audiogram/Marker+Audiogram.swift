import Acoustics

/// Audiometric signs: ASHA, "Guidelines for audiometric symbols" (1990).
extension Marker {
  /// The sign of a threshold: air ○ △ right and × □ left, bone < [ right and > ] left, each unmasked and
  /// masked.
  static func threshold(_ ear: Ear, _ conduction: Conduction, isMasked: Bool) -> Marker {
    switch (ear, conduction, isMasked) {
    case (.right, .air, false): .circle
    case (.right, .air, true): .triangle
    case (.right, .bone, false): .leftAngle
    case (.right, .bone, true): .leftBracket
    case (.left, .air, false): .cross
    case (.left, .air, true): .square
    case (.left, .bone, false): .rightAngle
    case (.left, .bone, true): .rightBracket
    }
  }

  /// The arrow of no response: down and outwards, to the reader's left for the right ear.
  static func noResponse(_ ear: Ear) -> Marker { ear == .right ? .arrowDownLeft : .arrowDownRight }
}
