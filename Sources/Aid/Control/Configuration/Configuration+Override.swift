import Base

extension Configuration {
  /// Sets one key as a command line does, `device.period` to `1.5ms`, with the checks of a file.
  ///
  /// - Parameters:
  ///   - key: Dotted path.
  ///   - text: A TOML value, or plain text without quotation marks.
  ///   - option: The option that gave it, for messages: `--period`.
  /// - Throws: ``Failure`` with ``ExitStatus/usage``; then nothing has changed.
  package mutating func set(_ key: String, to text: String, option: String) throws(Failure) {
    guard let setting = Self.schema.first(where: { $0.key == key }) else {
      let hint = Spelling.nearest(to: key, among: Self.schema.map(\.key)).map { "Did you mean \"\($0)\"?" }
      throw Failure(
        option, found: "the unknown key \(key)", expected: "a key of the configuration", remedy: hint,
        exit: .usage)
    }
    let candidates = [text, TOMLText.literal(text)]
    let document = candidates.lazy.compactMap { value in
      // A line break would let the text set other keys.
      value.contains(where: \.isNewline) ? nil : try? TOMLParser.document([UInt8]("\(key) = \(value)".utf8))
    }.first
    guard let document else {
      throw Failure(option, found: "text that is no value", expected: setting.accepts, exit: .usage)
    }
    var reader = ConfigurationReader(document, folder: nil)
    var changed = self
    setting.read(&reader, &changed)
    if let problem = reader.problems.first {
      throw Failure(
        option, found: problem.found, expected: problem.expected, remedy: problem.hint, exit: .usage)
    }
    self = changed
  }
}
