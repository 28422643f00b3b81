import ArgumentParser
import Base
import Glibc
import Paper
import Service

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

  /// Does work that writes several files, and removes those that it has newly made where a later part of it fails: the same command can
  /// be given again then. What another program has put under such a name meanwhile stays.
  ///
  /// - Parameters:
  ///   - paths: Files that it writes.
  ///   - work: Calls `made` with each path once its file has the name.
  func removing<Value>(
    _ paths: [String], ifFailing work: (_ made: (String) -> Void) throws -> Value
  ) throws -> Value {
    let new = paths.filter { path in
      var status = stat()
      return lstat(path, &status) != 0 && errno == ENOENT
    }
    var made: [(path: String, file: FileIdentity)] = []
    do {
      return try work { path in
        if new.contains(path), let file = FileIdentity(at: path) { made.append((path, file)) }
      }
    } catch {
      for (path, file) in made where file.isStill(at: path) { unlink(path) }
      throw error
    }
  }

  /// Writes a text whole, for its owner alone.
  ///
  /// - Throws: ``Failure``; then what was there is as before.
  func write(_ text: String, to path: String) throws(Failure) {
    do throws(SystemError) {
      try OutputDraft([UInt8](text.utf8), to: path, mode: 0o600, replacing: overwrite).publish()
    } catch { throw error.code == EEXIST ? Self.exists(path) : Failure.writing(path, error) }
  }

  /// The refusal of a name that is taken.
  static func exists(_ path: String) -> Failure {
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

  /// True for a kind of file that is read again: a drawing is for printing and screens.
  var isReadable: Bool { PictureFormat(path: path) != .svg }

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
      throw error.code == EEXIST
        ? OverwriteOption.exists(path) : Failure(PaperError.writing(path, error), at: path)
    }
  }
}

/// A page as a file of the kind that its name says.
struct PageFile {
  let path: String
  let overwriting: OverwriteOption

  /// Refuses a name that says no kind of picture, or is taken.
  func check() throws(Failure) {
    try Self.checkKind(of: path)
    try overwriting.check(path)
  }

  /// Refuses a name that says no kind of picture.
  static func checkKind(of path: String) throws(Failure) {
    guard PictureFormat(path: path) != nil else { throw Failure(.unknownFormat(path: path), at: path) }
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
          replacing: overwriting.overwrite))
    } catch { throw Failure(error, at: path) }
  }
}
