import Base
import Paper
import PaperTesting

/// What happens to a page between the printer and the reader; each alone.
enum Condition: String, CaseIterable {
  case clean = "as printed"
  case turned = "turned by 0–360°"
  case sheared = "sheared by 20°"
  case aside = "seen from 20° aside"
  case blurred = "blurred, σ 1.5 px"
  case noisy = "noise, σ 25 of 255"
  case dimmed = "dimmed to 40 %"
  case jpeg = "JPEG, quality 40"
  case desk = "on a coloured desk"
  case two = "two codes"
  /// More than the trial asks for: turned, seen from aside, blurred by 1 pixel, noise of 8, dimmed to 60 %, JPEG.
  case telephone = "all at once, milder"

  /// How many codes the page bears.
  var codes: Int { self == .two ? 2 : 1 }

  /// Texts read from the page under this condition, and the processor time it took.
  func texts(_ page: GreyPicture, dice: inout SeededNumbers) throws -> (texts: [String], time: Duration) {
    var file: [UInt8]?
    var picture = page
    switch self {
    case .clean, .two: break
    case .turned: picture = page.turned(degrees: dice.even(0...360))
    case .sheared: picture = page.sheared(degrees: Bool.random(using: &dice) ? 20 : -20)
    case .aside: picture = page.seen(degrees: 20, direction: dice.even(0...360))
    case .blurred: picture = page.blurred(sigma: 1.5)
    case .noisy: picture = page.noisy(sigma: 25, dice: &dice)
    case .dimmed: picture = page.dimmed(0.4)
    case .jpeg: file = page.jpeg(quality: 40)
    case .desk: file = Desk.photograph(of: page, dice: &dice)
    case .telephone:
      picture = page.turned(degrees: dice.even(-15...15))
        .seen(degrees: dice.even(5...15), direction: dice.even(0...360)).blurred(sigma: 1)
        .dimmed(0.6).noisy(sigma: 8, dice: &dice)
      file = picture.jpeg(quality: 75)
    }
    let start = ProcessorClock.now
    let texts: [String]
    if let file {
      texts = (try? PictureReader.texts(in: file)) ?? []
    } else {
      texts = PictureReader.texts(in: picture)
    }
    return (texts, ProcessorClock.now - start)
  }
}
