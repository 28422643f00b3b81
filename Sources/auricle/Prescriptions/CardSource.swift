import ArgumentParser
import CardPictures
import Control
import Glibc

/// Where a card's text comes from: a picture, a PDF page, a text file, standard input or a camera.
struct CardSource: ParsableArguments {
  /// Greatest file read, bytes: a photograph of 60 megapixels.
  private static let greatestSize = 64 << 20
  /// Longest that a camera is looked through, s.
  private static let patience = 30.0

  @Argument(
    help: ArgumentHelp(
      "Picture (PNG, JPEG), PDF or text of the card; - for standard input.", valueName: "file"))
  var file: String?

  @Flag(help: "Look for the card through a camera.")
  var camera = false

  @Option(help: ArgumentHelp("Which code, where a picture has several: 1, 2, …", valueName: "number"))
  var code: Int?

  func validate() throws {
    guard camera != (file != nil) else {
      throw ValidationError(
        "Found \(camera ? "a file and --camera" : "neither a file nor --camera"), expected one of them.")
    }
  }

  /// What the card says, as text that nobody has checked yet.
  ///
  /// - Throws: ``Failure`` when there is no file, no code, or more than one and no choice.
  func text() throws(Failure) -> String {
    let texts = try texts()
    if let code {
      guard texts.indices.contains(code - 1) else {
        throw Failure(
          name, found: "\(English.count(texts.count, "code")), none of number \(code)",
          expected: "--code 1 to \(texts.count)", exit: .usage)
      }
      return texts[code - 1]
    }
    guard texts.count == 1 else {
      throw Failure(
        name, found: "\(texts.count) cards", expected: "one",
        remedy: "Choose one with --code 1 to \(texts.count); look at them with: auricle rx show", exit: .usage)
    }
    return texts[0]
  }

  /// What messages call the source.
  var name: String { camera ? "camera" : file == "-" ? "standard input" : file ?? "card" }

  /// Every card in the picture; codes of other kinds, such as a web address, only when there is no card.
  func texts() throws(Failure) -> [String] {
    let found = camera ? try cameraTexts() : try fileTexts()
    let cards = found.filter(CardPrefix.isCard)
    return cards.isEmpty ? found : cards
  }

  private func cameraTexts() throws(Failure) -> [String] {
    do throws(CameraError) {
      return try Camera().texts(within: Self.patience)
    } catch {
      throw Failure(name, saying: "\(error)", exit: .unavailable)
    }
  }

  private func fileTexts() throws(Failure) -> [String] {
    let bytes = try bytes()
    if let text = String(validating: bytes.prefix(1 << 16), as: UTF8.self), CardPrefix.isCard(text) { return [text] }
    do throws(PictureReadingError) {
      return try PictureReader().texts(in: bytes)
    } catch {
      throw Failure(name, saying: "\(error)", exit: .badData)
    }
  }

  private func bytes() throws(Failure) -> [UInt8] {
    guard let file, file != "-" else { return try FileContent.bytesOfStandardInput(limit: Self.greatestSize) }
    return try NamedFile.bytes(of: file, limit: Self.greatestSize, what: "card", place: nil)
  }
}
