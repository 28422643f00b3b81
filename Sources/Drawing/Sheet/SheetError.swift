public import Acoustics

/// Why something given does not make a printed page.
public enum SheetError: Error, Equatable {
  /// No QR symbol has that many modules from edge to edge.
  case codeSide(Int)
  /// Modules that do not fill the symbol.
  case moduleCount(found: Int, expected: Int)
  /// Outside ``PrescriptionSheet/codeWidths``, or not a number; mm.
  case codeWidth(Double)
  /// More frequencies than a page's table has rows.
  case tooManyTargets(Ear, found: Int)
  /// A target that is not a finite number, or whose frequency is not above the one before it; Hz.
  case unusableTarget(Ear, frequency: Double)
}

extension SheetError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .codeSide(let side):
      "QR symbol of \(side) modules from edge to edge: expected 21, 25, 29 and so on to 177"
    case .moduleCount(let found, let expected):
      "QR symbol with \(found) modules: expected \(expected) of them"
    case .codeWidth(let width):
      "QR symbol \(width.shortText) mm wide: expected 60 to 90 mm"
    case .tooManyTargets(let ear, let found):
      "\(found) frequencies in the \(ear) ear's targets: a page has room for "
        + "\(PrescriptionSheet.greatestTargetCount)"
    case .unusableTarget(let ear, let frequency):
      "\(ear) ear's target at \(frequency.shortText) Hz: expected finite numbers at increasing frequencies"
    }
  }
}
