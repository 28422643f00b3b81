import Acoustics
import Glibc

/// An sRGB colour, each part 0…1.
struct Colour: Equatable, Sendable {
  var red: Double
  var green: Double
  var blue: Double
  var alpha = 1.0

  /// - Parameter hex: 0xRRGGBB as style sheets write it.
  init(hex: UInt32, alpha: Double = 1) {
    red = Double(hex >> 16 & 0xFF) / 255
    green = Double(hex >> 8 & 0xFF) / 255
    blue = Double(hex & 0xFF) / 255
    self.alpha = alpha
  }

  /// 0xRRGGBB, without ``alpha``.
  var rgb: UInt32 {
    [red, green, blue].reduce(UInt32(0)) { colour, part in
      let byte = UInt32(min(max(part, 0), 1) * 255 + 0.5)
      return colour << 8 | byte
    }
  }

  /// Relative luminance, 0 black … 1 white (WCAG 2.1, "relative luminance").
  var luminance: Double {
    func linear(_ part: Double) -> Double {
      part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}

/// Palette of all pages: ink on paper, grey for frames and notes, red and blue only for the ears.
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
  /// Behind what belongs together.
  static let panel = Colour(hex: 0xF3F5F7)
  /// Behind what must not be overlooked; white text on it contrasts by 4.5:1, and it prints dark without
  /// colour too.
  static let warning = Colour(hex: 0x99500A)
  /// The modules of a QR code: as dark as ink can be.
  static let code = Colour(hex: 0x000000)

  /// Red for the right ear, blue for the left: the convention of audiometry (ASHA 1990, ISO 8253-1).
  static func ear(_ ear: Ear) -> Colour { Colour(hex: ear == .right ? 0xC4262E : 0x1D5FB8) }
}

/// Colours for a quantity from its least to its greatest value, whose lightness grows evenly, so that they say
/// the same in grey and to eyes that do not tell red from green.
///
/// Every sixteenth colour of viridis (S. van der Walt and N. Smith 2015, matplotlib, CC0) and straight lines
/// between them, which stay within 0.023 of its 256.
enum ColourScale {
  private static let anchors: [Colour] = [
    0x440154, 0x48186A, 0x472D7B, 0x424086, 0x3B528B, 0x33638D, 0x2C728E, 0x26828E, 0x21918C, 0x1F9F88,
    0x27AD81, 0x3DBC74, 0x5CC863, 0x81D34D, 0xAADC32, 0xD5E21A, 0xFDE725,
  ].map { Colour(hex: $0) }

  /// - Parameter share: 0 the least, 1 the greatest value; what lies beyond counts as the nearest.
  static func colour(_ share: Double) -> Colour {
    let place = min(max(share, 0), 1) * Double(anchors.count - 1)
    let index = min(Int(place), anchors.count - 2)
    let (low, high, part) = (anchors[index], anchors[index + 1], place - Double(index))
    var colour = low
    colour.red += part * (high.red - low.red)
    colour.green += part * (high.green - low.green)
    colour.blue += part * (high.blue - low.blue)
    return colour
  }
}

/// Size, weight, colour and kind of type of a label.
struct TextStyle: Equatable, Sendable {
  /// Em, points.
  var size: Double
  var isBold = false
  var colour = Colour.ink
  /// Every character equally wide: commands and fingerprints.
  var isMonospaced = false

  static let title = TextStyle(size: 15, isBold: true)
  static let heading = TextStyle(size: 9, isBold: true)
  static let body = TextStyle(size: 8)
  static let note = TextStyle(size: 7.5, colour: .mutedInk)
  static let tick = TextStyle(size: 7, colour: .mutedInk)

  func coloured(_ colour: Colour) -> TextStyle {
    TextStyle(size: size, isBold: isBold, colour: colour, isMonospaced: isMonospaced)
  }
}

/// A line of text and where it hangs.
struct Label: Equatable, Sendable {
  /// End of the text that lies at the label's place: share of its width before the place.
  enum Alignment: Double, Sendable { case leading = 0, centre = 0.5, trailing = 1 }
  /// Height of the text that lies at the label's place: share of a capital's height above the place.
  enum Height: Double, Sendable { case top = 0, middle = 0.5, baseline = 1 }

  /// Height of a capital above the baseline, em. DejaVu Sans: 1493 of 2048 units.
  static let capitalHeight = 1493.0 / 2048
  /// Depth of p and q below the baseline, em. DejaVu Sans: 0.236, measured from the glyphs of gjpqy.
  static let descent = 0.24

  var text: String
  var place: Point
  var style: TextStyle
  var alignment = Alignment.leading
  var height = Height.baseline
  /// Turned a quarter to the left, read from below.
  var isUpright = false

  /// Distance from the place down to the baseline, points.
  var baselineOffset: Double { style.size * Self.capitalHeight * (1 - height.rawValue) }

  /// Distance from the place along the line to the start of the text, points, for text `width` wide.
  func startOffset(width: Double) -> Double { -width * alignment.rawValue }

  /// Area that the text covers on the page, from the top of the capitals to the descenders.
  func bounds(_ metrics: borrowing TextMetrics) -> Rectangle {
    let width = metrics.width(of: text, style)
    let start = startOffset(width: width)
    let top = baselineOffset - style.size * Self.capitalHeight
    let tall = style.size * (Self.capitalHeight + Self.descent)
    if isUpright {
      return Rectangle(x: place.x + top, y: place.y - start - width, width: tall, height: width)
    }
    return Rectangle(x: place.x + start, y: place.y + top, width: width, height: tall)
  }
}
