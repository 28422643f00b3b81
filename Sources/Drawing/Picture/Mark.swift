/// One thing put on the page.
indirect enum Mark: Equatable, Sendable {
  case stroke(Path, Stroke)
  case fill(Path, Colour)
  case symbol(Symbol)
  case label(Label)
  /// Marks of which only the part inside the rectangle shows.
  case clipped(Rectangle, [Mark])
}
