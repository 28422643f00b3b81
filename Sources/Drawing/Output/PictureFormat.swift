/// The kinds of file a picture can become.
public enum PictureFormat: String, CaseIterable, Sendable {
  case png, svg, pdf

  /// The format that a path's ending names, in either case; nil when it names none.
  public init?(path: String) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    self.init(rawValue: name[name.index(after: dot)...].lowercased())
  }
}
