import Base
import Control
import Paper

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

  /// - Throws: ``Failure`` when the name ends in something else, or the file cannot be written.
  func write(_ pages: [Picture]) throws(Failure) {
    try write { () throws(PaperError) in
      if pages.count == 1 {
        try pages[0].write(to: path, isPrivate: true)
      } else {
        try PictureDocument(pages).write(to: path, isPrivate: true)
      }
    }
  }

  /// Makes and writes the page.
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
