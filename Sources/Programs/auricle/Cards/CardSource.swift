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

/// Output of a card: a picture or a text, by the file's name.
struct SignedCardOutput {
  /// Pixels along a module's side in a picture of pixels: scanners ask for two at least, screens shrink.
  private static let modulePixels = 8

  let path: String

  /// Refuses a name that says no kind of file, before anything is signed.
  func check() throws(Failure) {
    guard path != "-", !path.lowercased().hasSuffix(".txt"), PictureFormat(path: path) == nil else {
      return
    }
    throw Failure(
      path, inWords: "The name ends neither in .png, .svg, .pdf nor .txt",
      remedy: "Give one that does, or - for the text.", exit: .usage)
  }

  /// Writes the card.
  ///
  /// - Throws: ``Failure`` for another kind of file, or when it cannot be written.
  func write(_ text: String, title: String) throws(Failure) {
    if path == "-" {
      print(text)
    } else if path.lowercased().hasSuffix(".txt") {
      try WholeFile.save([UInt8](text.utf8) + [0x0A], to: path)
    } else {
      try PageFile(path: path).write { () throws(PaperError) in
        let picture = CodePicture(try QRSymbol(text: text), title: title)
        try picture.picture().write(
          to: path, pixelWidth: picture.moduleCount * Self.modulePixels, isPrivate: true)
      }
    }
  }
}

/// Beginnings of texts that may be Auricle's cards.
enum CardPrefix {
  /// True for a text that may be a card: a QR code's digits, or the bare signed text.
  static func isCard(_ text: some StringProtocol) -> Bool {
    let start = text.drop(while: \.isWhitespace).prefix(8)
    return start.hasPrefix("shc:/") || start.hasPrefix("eyJ")
  }
}

/// A page as a file of the kind that its name says, readable by its owner alone.
struct PageFile {
  let path: String

  /// Refuses a name that says no kind of picture.
  func check() throws(Failure) {
    guard PictureFormat(path: path) != nil else { throw Failure(.unknownFormat(path: path), at: path) }
  }

  /// Makes and writes the page.
  ///
  /// - Throws: ``Failure`` when the name ends in something else, or the file cannot be written.
  func write(_ work: () throws(PaperError) -> Void) throws(Failure) {
    do { try work() } catch { throw Failure(error, at: path) }
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
      case .noCamera, .cameraUnusable, .noCodeSeen: .unavailable
      default: .badData
      }
    self.init(place, inWords: "\(error)", exit: exit)
  }
}
