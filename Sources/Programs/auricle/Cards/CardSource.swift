import ArgumentParser
import Base
import Glibc
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
      return try place.text { "Choose one with --code 1 to \($0); look at them with: auricle rx show" }
    }
    let texts = try place.texts()
    guard texts.indices.contains(code - 1) else {
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
      do { return try Camera.read(within: Self.patience) } catch { throw Failure(error, at: name) }
    case .standardInput: bytes = try FileContent.bytesOfStandardInput(limit: Self.greatestSize)
    case .file(let path): bytes = try FileContent.bytes(of: path, limit: Self.greatestSize)
    }
    if let text = String(validating: bytes.prefix(1 << 16), as: UTF8.self), Self.isCard(text) {
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

/// `--overwrite` of a command that writes cards and pages: another patient's are not lost unasked.
struct OverwriteOption: ParsableArguments {
  @Flag(help: "Replace files that exist already.") var overwrite = false

  /// Refuses a name that is taken, before anything is signed. What is no ordinary file, such as a pipe, is written to.
  func check(_ path: String) throws(Failure) {
    var status = stat()
    guard !overwrite, lstat(path, &status) == 0 else { return }
    // A link that leads nowhere has the name, too.
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return }
    throw Self.exists(path)
  }

  /// Writes a text whole, for its owner alone.
  ///
  /// - Throws: ``Failure``; then what was there is as before.
  func write(_ text: String, to path: String) throws(Failure) {
    do throws(SystemError) {
      try OutputDraft([UInt8](text.utf8), to: path, mode: 0o600, replacing: overwrite).publish()
    } catch { throw error.code == EEXIST ? Self.exists(path) : Failure.writing(path, error) }
  }

  private static func exists(_ path: String) -> Failure {
    Failure(
      path, inWords: "This file exists already",
      remedy: "Choose another name, or give --overwrite to replace it.",
      exit: .cannotCreate)
  }
}

/// Output of a card: a picture or a text, by the file's name.
struct SignedCardOutput {
  /// Pixels along a module's side in a picture of pixels: scanners ask for two at least, screens shrink.
  private static let modulePixels = 8

  let path: String
  let overwriting: OverwriteOption

  private var isText: Bool { path.lowercased().hasSuffix(".txt") }
  /// True for standard output.
  private var isPrinted: Bool { path == "-" }

  /// Text of a card for an answer in JSON, beside which nothing else goes to standard output; nil: it is in a file, or printed.
  func answered(_ text: String) -> String? { isPrinted && Main.isForPrograms ? text : nil }

  /// Refuses a name that says no kind of file, or is taken, before anything is signed.
  func check() throws(Failure) {
    guard !isPrinted, !isText else { return try overwriting.check(path) }
    guard PictureFormat(path: path) != nil else {
      throw Failure(
        path, inWords: "The name ends neither in .png, .svg, .pdf nor .txt",
        remedy: "Give one that does, or - for the text.", exit: .usage)
    }
    try overwriting.check(path)
  }

  /// Writes the card to a file that has no name yet. To standard output it is printed when it is published, unless a program reads an
  /// answer there: see ``answered(_:)``.
  ///
  /// - Throws: ``Failure`` for another kind of file, or when it cannot be written.
  func draft(_ text: String, title: String) throws(Failure) -> NamedDraft {
    if isPrinted { return NamedDraft(printing: Main.isForPrograms ? nil : text) }
    if isText {
      let bytes = [UInt8](text.utf8) + [0x0A]
      return NamedDraft(
        path,
        try rethrowing(
          { Failure.writing(path, $0) },
          try OutputDraft(bytes, to: path, mode: 0o600, replacing: overwriting.overwrite)))
    }
    let symbol = try rethrowing({ Failure($0, at: path) }, try QRSymbol(text: text))
    let code = CodePicture(symbol, title: title)
    return try PageFile(path: path, overwriting: overwriting).draft(
      [code.picture()], pixelWidth: code.moduleCount * Self.modulePixels)
  }
}

extension JSONValue {
  /// The object with one member more; as it is where there is no value.
  func adding(_ key: String, _ value: JSONValue?) -> JSONValue {
    guard case .object(let members) = content, let value else { return self }
    return .object(members + [Member(key: key, value: value)])
  }
}

/// An output that is written and has no name yet.
struct NamedDraft: ~Copyable {
  private let path: String
  private let draft: OutputDraft?
  private let text: String?

  init(_ path: String, _ draft: consuming OutputDraft) {
    (self.path, text) = (path, nil)
    self.draft = consume draft
  }

  /// - Parameter text: Nil: nothing is printed.
  init(printing text: String?) {
    (path, self.text) = ("", text)
    draft = nil
  }

  consuming func publish() throws(Failure) {
    let (path, text) = (path, text)
    guard let draft = consume draft else {
      if let text { print(text) }
      return
    }
    do throws(SystemError) { try draft.publish() } catch {
      throw Failure(PaperError.writing(path, error), at: path)
    }
  }
}

/// A page as a file of the kind that its name says.
struct PageFile {
  let path: String
  /// Nil: a file of that name is replaced.
  var overwriting: OverwriteOption?

  /// Refuses a name that says no kind of picture, or is taken.
  func check() throws(Failure) {
    guard PictureFormat(path: path) != nil else { throw Failure(.unknownFormat(path: path), at: path) }
    try overwriting?.check(path)
  }

  /// Makes and writes the pages, readable by their owner alone.
  ///
  /// - Throws: ``Failure`` when the name ends in something else, or the file cannot be written.
  func write(_ pages: @autoclosure () throws(PaperError) -> [Picture]) throws(Failure) {
    try check()
    try draft(try pages()).publish()
  }

  /// Makes the pages and writes them to a file that has no name yet.
  ///
  /// - Parameters:
  ///   - pages: One or more; one below another where the kind of file has no pages.
  ///   - width: Width of a PNG, pixels.
  /// - Throws: ``Failure`` as ``write(_:)``.
  func draft(
    _ pages: @autoclosure () throws(PaperError) -> [Picture],
    pixelWidth width: Int = Picture.standardPixelWidth
  ) throws(Failure) -> NamedDraft {
    do throws(PaperError) {
      let pages = try pages()
      return NamedDraft(
        path,
        try pages[0].draft(
          to: path, pixelWidth: width, followedBy: Array(pages.dropFirst()),
          replacing: overwriting?.overwrite ?? true))
    } catch { throw Failure(error, at: path) }
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
