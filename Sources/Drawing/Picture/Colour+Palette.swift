import Acoustics

/// The house palette: ink on paper, grey for what is given, red and blue only for the ears.
///
/// Both ear colours and both inks contrast with the paper by at least 4.5:1, the WCAG 2.1 AA bound for
/// small text. Colour never carries a meaning alone: ears also differ in symbol and line style, series in
/// line style.
extension Colour {
  static let paper = Colour(hex: 0xFFFFFF)
  static let ink = Colour(hex: 0x1B1F24)
  static let mutedInk = Colour(hex: 0x56606B)
  static let frame = Colour(hex: 0x9AA4AE)
  static let grid = Colour(hex: 0xDCE1E6)
  static let faintGrid = Colour(hex: 0xECEFF2)
  /// What the listener cannot hear.
  static let inaudible = Colour(hex: 0xE3E7EB)

  /// Behind what belongs together.
  static let panel = Colour(hex: 0xF3F5F7)
  /// Behind what must not be overlooked; white text on it contrasts by 4.5:1, and it prints dark without
  /// colour too.
  static let warning = Colour(hex: 0x99500A)
  /// The modules of a QR code: as dark as ink can be.
  static let code = Colour(hex: 0x000000)

  /// Red for the right ear, blue for the left: the convention of audiometry (ASHA 1990, ISO 8253-1).
  static func ear(_ ear: Ear) -> Colour {
    switch ear {
    case .right: Colour(hex: 0xC4262E)
    case .left: Colour(hex: 0x1D5FB8)
    }
  }
}
