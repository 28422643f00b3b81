/// What is done to a picture before symbols are looked for in it.
///
/// Blur hides the corners of a symbol, noise makes corners where there are none, and no one filter helps
/// against both: each preparation finds what the others miss. They stand in the order of what they find in a
/// millisecond (docs/scanning.md).
enum Preparation: CaseIterable {
  /// Nothing.
  case plain
  /// Against blur: an unsharp mask of 2 pixels, twice.
  case sharpened
  /// Against noise: a Gaussian of 0.8 pixels.
  case smoothed
  /// Against both.
  case smoothedAndSharpened
  /// Light modules on a dark ground.
  case inverted
  /// Twice as many pixels, for modules of less than three.
  case enlarged
  /// A quarter of the pixels, for modules of more than twelve, and for patterns finer than a module.
  case reduced

  /// The picture so prepared; nil where the preparation cannot help.
  func applied(to picture: GreyPicture) -> GreyPicture? {
    switch self {
    case .plain: picture
    case .smoothed: picture.flat.smoothed(0.8).grey
    case .sharpened: picture.flat.sharpened(sigma: 2, gain: 2).grey
    case .smoothedAndSharpened: picture.flat.smoothed(0.8).sharpened(sigma: 2, gain: 2).grey
    case .inverted: picture.inverted
    case .enlarged: picture.pixels.count <= 2_000_000 ? picture.enlarged : nil
    case .reduced: min(picture.width, picture.height) >= 100 ? picture.reduced(by: 2) : nil
    }
  }
}
