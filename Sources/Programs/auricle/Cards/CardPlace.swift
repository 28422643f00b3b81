import Base
import CardPictures
import Control
import Glibc

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

  /// Every card there, as text that nobody has checked yet; codes of other kinds, such as a web address, only
  /// when there is no card.
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
      do throws(CameraError) {
        return try Camera.read(within: Self.patience)
      } catch {
        throw Failure("camera", inWords: "\(error)", exit: .unavailable)
      }
    case .standardInput: return try codes(in: FileContent.bytesOfStandardInput(limit: Self.greatestSize))
    case .file(let path): return try codes(in: FileContent.bytes(of: path, limit: Self.greatestSize))
    }
  }

  private func codes(in bytes: [UInt8]) throws(Failure) -> [String] {
    if let text = String(validating: bytes.prefix(1 << 16), as: UTF8.self), CardPrefix.isCard(text) {
      return [text]
    }
    do throws(PictureReadingError) {
      return try PictureReader.texts(in: bytes)
    } catch {
      throw Failure(name, inWords: "\(error)", exit: .badData)
    }
  }
}

extension String {
  /// A sentence as a part of another.
  var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
