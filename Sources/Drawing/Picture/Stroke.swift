/// How a path is drawn along its length.
struct Stroke: Equatable, Sendable {
  var colour: Colour
  /// Points.
  var width = 0.8
  /// Lengths drawn and left out in turn, points; empty for a solid line.
  var dashes: [Double] = []

  static let grid = Stroke(colour: .grid, width: 0.5)
  static let faintGrid = Stroke(colour: .faintGrid, width: 0.5)
  static let frame = Stroke(colour: .frame, width: 0.6)
}
