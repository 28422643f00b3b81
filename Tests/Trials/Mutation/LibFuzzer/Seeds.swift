import Glibc

/// Beginning of a search: valid material as it is, and with each field at its extremes.
enum Seeds {
  /// Single changes of each kind, evenly drawn from all. Own choice: reading them takes seconds, and `-merge=1` keeps
  /// one in four.
  private static let changes = 600
  /// Greatest size of an input, bytes, as `Tests/fuzz/run` gives it to libFuzzer.
  private static let greatest = 20_000

  static func write(_ target: FuzzTarget, to folder: String) throws {
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw MutationFault(text: "\(folder) cannot be made")
    }
    var words: Set<[UInt8]> = []
    for (number, kind) in target.kinds.enumerated() {
      for input in kind.shelf.unchanged { words.formUnion(Self.words(of: input.bytes)) }
      let inputs =
        kind.shelf.unchanged
        + kind.shelf.numbers(changes / 3 * 4).filter { $0 < kind.shelf.systematic }.map {
          kind.shelf.input($0, seed: 1)
        }
      for (index, input) in inputs.enumerated() where input.bytes.count < greatest {
        let bytes = [UInt8(target.way(of: input, in: number))] + input.bytes
        Fixtures.write(bytes, to: "\(folder)/\(number)-\(index)")
      }
    }
    write(words, to: folder + ".dict")
  }

  /// Words that a reader may compare with: libFuzzer puts them in one another's place.
  private static func words(of bytes: [UInt8]) -> Set<[UInt8]> {
    let isText = bytes.allSatisfy { $0 >= 0x80 || $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
    guard isText else { return [] }
    let parts = bytes.split { byte in
      let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
      return !isLetter && !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte) && !"-_.:/".utf8.contains(byte)
    }
    // Longer ones are signatures and keys.
    return Set(parts.map(Array.init).filter { 2...40 ~= $0.count })
  }

  /// A dictionary in libFuzzer's form, with the extremes besides.
  private static func write(_ words: Set<[UInt8]>, to path: String) {
    let extremes = Extremes.all.filter { 1...64 ~= $0.count }
    let lines = (words.sorted { $0.lexicographicallyPrecedes($1) } + extremes).map { word in
      "\"" + word.map(escaped).joined() + "\"\n"
    }
    Fixtures.write(Array(lines.joined().utf8), to: path)
  }

  private static func escaped(_ byte: UInt8) -> String {
    let isPlain = 0x21...0x7E ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    if isPlain { return String(UnicodeScalar(byte)) }
    let digits = String(byte, radix: 16, uppercase: true)
    return "\\x" + (digits.count < 2 ? "0" : "") + digits
  }
}
