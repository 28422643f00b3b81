/// How a symbol is drawn for ZBar once its frame is known. ZBar takes one pixel for each module, so smoothing and
/// sharpening are measured in modules here.
enum UprightDrawing: CaseIterable {
  /// Three pixels a module.
  case plain
  /// Against blur: an unsharp mask of 0.4 modules, twice.
  case sharpened
  /// Against noise: a Gaussian of a quarter of a module.
  case smoothed
  /// Against both.
  case smoothedAndSharpened
  /// Against strong blur.
  case stronglySharpened

  func picture(of picture: GreyPicture, frame: ModuleFrame, side: Int) -> GreyPicture {
    let scale = self == .plain ? 3 : 4
    let drawn = picture.upright(frame, side: side, scale: scale, margin: QRSymbol.quietZone)
    return switch self {
    case .plain: drawn.grey
    case .sharpened: drawn.sharpened(sigma: 0.4 * 4, gain: 2).grey
    case .smoothed: drawn.smoothed(0.25 * 4).grey
    case .smoothedAndSharpened: drawn.smoothed(0.25 * 4).sharpened(sigma: 0.5 * 4, gain: 2).grey
    case .stronglySharpened: drawn.smoothed(0.15 * 4).sharpened(sigma: 0.5 * 4, gain: 5).grey
    }
  }
}
