import ArgumentParser
import Base
import Control
import Glibc
import Paper

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

/// Source of a card: a file, standard input, or a camera.
enum CardPlace {
  case file(String)
  case standardInput
  case camera

  /// Greatest file read, bytes: a photograph of 60 megapixels.
  private static let greatestSize = PictureReader.mostBytes
  /// Longest that a camera is looked through.
  private static let patience = Duration.seconds(30)

  /// By a name on the command line; "-" is standard input.
  init(named name: String) { self = name == "-" ? .standardInput : .file(name) }

  /// Name in messages.
  var name: String {
    switch self {
    case .file(let path): path
    case .standardInput: "standard input"
    case .camera: "camera"
    }
  }

  /// Every card there, as text that is not verified yet; codes of other kinds, such as a web address,
  /// only when there is no card.
  ///
  /// - Throws: ``Failure`` when there is nothing to read, or no code in it.
  func texts() throws(Failure) -> [String] {
    let found = try codes()
    let cards = found.filter(CardPrefix.isCard)
    return cards.isEmpty ? found : cards
  }

  private func codes() throws(Failure) -> [String] {
    switch self {
    case .camera:
      StandardError.write(
        "Looking through the camera: hold the card flat, well lit, filling half of the picture.\n")
      do { return try Camera.read(within: Self.patience) } catch { throw Failure(error, at: "camera") }
    case .standardInput: return try codes(in: FileContent.bytesOfStandardInput(limit: Self.greatestSize))
    case .file(let path): return try codes(in: FileContent.bytes(of: path, limit: Self.greatestSize))
    }
  }

  private func codes(in bytes: [UInt8]) throws(Failure) -> [String] {
    if let text = String(validating: bytes.prefix(1 << 16), as: UTF8.self), CardPrefix.isCard(text) {
      return [text]
    }
    do { return try PictureReader.texts(in: bytes) } catch { throw Failure(error, at: name) }
  }
}

extension String {
  /// A sentence as a part of another.
  var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
