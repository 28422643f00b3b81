import ArgumentParser
import Base
import Paper

/// One card: a picture, a PDF page, a text, standard input, or what a camera sees.
struct CardSource: ParsableArguments {
  @Argument(
    help: .file(
      "Picture (PNG, JPEG), PDF or text of the card; - for standard input. Default: what a camera sees."),
    completion: .file())
  var file: String?

  @Flag(help: "Look for the card through a camera, as without a file.") var camera = false

  @Option(help: .init("Which code, where a picture has several: 1, 2, …", valueName: "number"))
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
    guard let code else {
      return try place.text {
        "Choose one with --code 1 to \($0); look at them with: auricle rx show \(place.argument)"
      }
    }
    let texts = try place.texts()
    guard code > 0, texts.indices.contains(code - 1) else {
      throw Failure(
        place.name, found: "\(English.count(texts.count, "code")), none of number \(code)",
        expected: "--code 1 to \(texts.count)", exit: .usage)
    }
    return texts[code - 1]
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

  /// The same place as an argument of another command that a person copies.
  var argument: String {
    switch self {
    case .file(let path): path.shellWord
    case .standardInput: "-"
    case .camera: "--camera"
    }
  }

  /// Every card there, as text that is not verified yet; codes of other kinds, such as a web address,
  /// only when there is no card.
  ///
  /// - Throws: ``Failure`` when there is nothing to read, or no code in it.
  func texts() throws(Failure) -> [String] {
    let found = try codes()
    let cards = found.filter(Self.isCard)
    return cards.isEmpty ? found : cards
  }

  /// The only card there.
  ///
  /// - Parameter remedy: Advice where there are several, by their number.
  /// - Throws: ``Failure`` as ``texts()``, or when there are several.
  func text(remedy: (Int) -> String? = { _ in nil }) throws(Failure) -> String {
    let texts = try texts()
    if texts.count == 1 { return texts[0] }
    guard texts.contains(where: Self.isCard) else {
      throw Failure(
        name, found: "\(texts.count) codes, and no card among them", expected: "a card", exit: .badData)
    }
    throw Failure(
      name, found: "\(texts.count) cards", expected: "one", remedy: remedy(texts.count), exit: .usage)
  }

  private func codes() throws(Failure) -> [String] {
    let bytes: [UInt8]
    switch self {
    case .camera:
      StandardError.write(
        TextColumns.broken(
          "Looking through the camera: hold the card flat, well lit, filling half of the picture.\n"))
      do {
        return try Camera.read(within: Self.patience, accepting: Self.isCard)
      } catch { throw Failure(error, at: name) }
    case .standardInput: bytes = try FileContent.bytesOfStandardInput(limit: Self.greatestSize)
    case .file(let path): bytes = try FileContent.bytes(of: path, limit: Self.greatestSize)
    }
    // Editors of some systems begin a text with a byte order mark.
    let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    if let text = String(validating: content.prefix(1 << 16), as: UTF8.self), Self.isCard(text) {
      return [text]
    }
    do { return try PictureReader.texts(in: bytes) } catch { throw Failure(error, at: name) }
  }

  /// True for a text that may be a card: a QR code's digits, or the bare signed text.
  private static func isCard(_ text: String) -> Bool {
    let start = text.drop(while: \.isWhitespace)
    return start.hasPrefix("shc:/") || start.hasPrefix("eyJ")
  }
}

extension Failure {
  /// - Parameter place: File or device, for the message.
  init(_ error: PaperError, at place: String) {
    let exit: ExitStatus =
      switch error {
      case .unknownFormat: .usage
      case .cannotWrite: .cannotCreate
      case .diskFull: .inputOutput
      case .rendering: .software
      case .noCamera, .cameraUnusable, .noCodeSeen, .noPDFReader: .unavailable
      default: .badData
      }
    self.init(place, inWords: "\(error)", exit: exit)
  }
}
