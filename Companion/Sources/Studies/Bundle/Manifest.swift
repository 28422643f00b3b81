import Base
import Crypto
import Questionnaires

/// Every file of a bundle with its size and hash, in the order of their paths: signed, it stands for all of them.
public struct Manifest: Sendable, Hashable {
  static let file = "manifest.json"
  public static let signatureFile = "manifest.sig"
  /// Form that this program reads and writes. A newer one is refused.
  public static let newestSchema = 1

  public struct Entry: Sendable, Hashable {
    public let path: String
    public let size: Int
    /// 64 hexadecimal digits.
    public let sha256: String
  }

  public let entries: [Entry]

  public init(_ content: BundleContent) {
    entries = content.paths.map { path in
      let bytes = content.files[path] ?? []
      return Entry(path: path, size: bytes.count, sha256: Hash.text(bytes))
    }
  }

  /// Canonical text: no space, members and files in their order. One content has one.
  public var bytes: [UInt8] {
    let files = entries.map { entry -> JSONValue in
      ["path": .text(entry.path), "size": .number(Double(entry.size)), "sha256": .text(entry.sha256)]
    }
    let json: JSONValue = ["schema": .number(Double(Self.newestSchema)), "files": .array(files)]
    return Array(json.minified.utf8)
  }

  /// Hash of the bundle: that of ``bytes``.
  public var sha256: String { Hash.text(bytes) }

  /// Reads a manifest.
  ///
  /// - Throws: ``BundleError``.
  init(_ bytes: [UInt8]) throws(BundleError) {
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue(bytes, count: 20_000) } catch {
      throw BundleError(
        Self.file, place: "line \(error.position.line)", found: error.words, expected: "JSON text",
        remedy: "fetch the bundle again")
    }
    if let schema = json["schema"], case .number(let number) = schema.content,
      number > Double(Self.newestSchema)
    {
      throw BundleError(
        Self.file, place: "schema", found: schema.minified, expected: "at most \(Self.newestSchema)",
        remedy: "install a newer version of this program")
    }
    do throws(JSONFault) {
      let root = JSONElement(json)
      try root.expectOnly(["schema", "files"])
      _ = try root.whole("schema", in: 1...Self.newestSchema)
      entries = try root.all("files") { part throws(JSONFault) in
        try part.expectOnly(["path", "size", "sha256"])
        return Entry(
          path: try part.text("path"), size: try part.whole("size", in: 0...BundleContent.limits.bytes),
          sha256: try part.text("sha256"))
      }
    } catch { throw BundleError(Self.file, error) }
  }

  /// Compares what was found with what is listed.
  ///
  /// - Throws: ``BundleError`` naming the first file that is missing, additional or another.
  func verify(_ found: Manifest) throws(BundleError) {
    let listed = Dictionary(entries.map { ($0.path, $0) }) { first, _ in first }
    let present = Dictionary(found.entries.map { ($0.path, $0) }) { first, _ in first }
    let remedy = "fetch the bundle again; if it is the same again, tell the site"
    for path in Set(listed.keys).union(present.keys).sorted() {
      switch (listed[path], present[path]) {
      case (let entry?, let file?) where entry == file: continue
      case (_?, _?):
        throw BundleError(
          path, found: "other bytes than were signed", expected: "those of the manifest", remedy: remedy)
      case (_, nil):
        throw BundleError(path, found: "no such file", expected: "one, as it was signed", remedy: remedy)
      case (nil, _):
        throw BundleError(path, found: "a file that was not signed", expected: "none", remedy: remedy)
      }
    }
    // The same files, listed twice or in another order, would be another text and another hash.
    guard entries == found.entries else {
      throw BundleError(
        Self.file, found: "files out of order or listed twice", expected: "each once, by path",
        remedy: remedy)
    }
  }
}

public enum Hash {
  /// SHA-256 (FIPS 180-4) as 64 hexadecimal digits.
  public static func text(_ bytes: [UInt8]) -> String {
    SHA256.hash(data: bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
