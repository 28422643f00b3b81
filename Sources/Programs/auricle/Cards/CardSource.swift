import ArgumentParser
import Base
import Control

/// One card: a picture, a PDF page, a text, standard input, or what a camera sees.
struct CardSource: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Picture (PNG, JPEG), PDF or text of the card; - for standard input. Default: what a camera sees.",
      valueName: "file"), completion: .file())
  var file: String?

  @Flag(help: "Look for the card through a camera, as without a file.")
  var camera = false

  @Option(help: ArgumentHelp("Which code, where a picture has several: 1, 2, …", valueName: "number"))
  var code: Int?

  func validate() throws {
    guard !camera || file == nil else {
      throw ValidationError("Found a file and --camera, expected one of them.")
    }
  }

  /// Place that is searched for it.
  var place: CardPlace { file.map(CardPlace.init(named:)) ?? .camera }

  /// Text of the card, not yet verified.
  ///
  /// - Throws: ``Failure`` when there is no file, no code, or more than one and no choice.
  func text() throws(Failure) -> String {
    let texts = try place.texts()
    if let code {
      guard texts.indices.contains(code - 1) else {
        throw Failure(
          place.name, found: "\(English.count(texts.count, "code")), none of number \(code)",
          expected: "--code 1 to \(texts.count)", exit: .usage)
      }
      return texts[code - 1]
    }
    guard texts.count == 1 else {
      throw Failure(
        place.name, found: "\(texts.count) cards", expected: "one",
        remedy: "Choose one with --code 1 to \(texts.count); look at them with: auricle rx show",
        exit: .usage)
    }
    return texts[0]
  }
}
