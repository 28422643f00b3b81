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
    var style = self
    style.colour = colour
    return style
  }

  func sized(_ size: Double) -> TextStyle {
    var style = self
    style.size = size
    return style
  }
}
