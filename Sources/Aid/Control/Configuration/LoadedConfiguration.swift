import Base
import Glibc

/// A configuration and the origin of each of its values.
package struct LoadedConfiguration: Sendable, Equatable {
  package let configuration: Configuration
  /// Devices that the file asks for; those of ``configuration`` may be others, which are in use instead.
  package let askedDevice: Configuration.Device
  /// Devices with which calibrations count that name none: those that the file asks for, unless it asked for others when the calibrations
  /// came.
  package let calibratedDevice: Configuration.Device
  /// The file that was read; nil: none, all values are defaults.
  package let file: String?
  /// Line of each key that the file sets.
  package let lines: [String: Int]
  /// The file's bytes, as they were read.
  package let content: [UInt8]

  /// Defaults, from no file.
  package static let defaults = LoadedConfiguration(
    configuration: Configuration(), file: nil, lines: [:], content: [])

  init(
    configuration: Configuration, askedDevice: Configuration.Device? = nil,
    calibratedDevice: Configuration.Device? = nil, file: String?, lines: [String: Int], content: [UInt8]
  ) {
    self.configuration = configuration
    self.askedDevice = askedDevice ?? configuration.device
    self.calibratedDevice = calibratedDevice ?? configuration.device
    (self.file, self.lines, self.content) = (file, lines, content)
  }

  /// Origin of the value of `key`: `/etc/auricle/auricle.toml:3`, or `default`.
  package func origin(of key: String) -> String {
    guard let file, let line = lines[key] else { return "default" }
    return "\(file):\(line)"
  }

  /// The same with other devices than the file asks for.
  ///
  /// - Parameter calibrated: Devices with which calibrations count that name none; nil, by default: the same as before.
  package func with(
    _ device: Configuration.Device, calibrated: Configuration.Device? = nil
  ) -> LoadedConfiguration {
    var configuration = configuration
    configuration.device = device
    return LoadedConfiguration(
      configuration: configuration, askedDevice: askedDevice,
      calibratedDevice: calibrated ?? calibratedDevice, file: file, lines: lines, content: content)
  }

  /// The calibration whose level or status is in effect in place of the default of `key`, as `profile airpods-pro-2` or
  /// `file /etc/auricle/earphone.json`; nil: the configuration's value is in effect.
  package func calibration(insteadOf key: String) -> String? {
    guard lines[key] == nil else { return nil }
    for end in Configuration.End.allCases {
      let own = ["full-scale-level", "status"].map { "calibration.\(end.rawValue).\($0)" }
      guard own.contains(key) else { continue }
      let values = configuration.calibration[end]
      return values.file.map { "file \($0)" } ?? values.profile.map { "profile \($0)" }
    }
    return nil
  }

  /// Every value in effect, one a line, for `config show`: `device.period = 64`. A value that a calibration has in place of the default
  /// stands as a comment, which names it.
  ///
  /// - Parameter withOrigins: With the origin of each value, `device.period = 64  # default`, and the keys that are not set.
  package func text(withOrigins: Bool) -> String {
    Configuration.schema.map { setting -> String in
      let key = setting.key
      if let source = calibration(insteadOf: key) { return "# \(key) is that of the \(source)\n" }
      guard let value = setting.value(in: configuration) else {
        return withOrigins ? "# \(key) is not set\n" : ""
      }
      return "\(key) = \(value)\(withOrigins ? "  # \(origin(of: key))" : "")\n"
    }.joined()
  }
}

/// Failures of a configuration that cannot be loaded, at least one.
package struct ConfigurationFailures: Error, Sendable, Equatable {
  package let failures: [Failure]

  package init(failures: [Failure]) { self.failures = failures }
}

/// Differences between two configurations, by what it takes to bring each into effect.
package struct ConfigurationChange: Sendable, Equatable {
  /// Keys whose new value is applied to running sound.
  package let live: [String]
  /// Keys whose new value takes effect when the devices are opened again.
  package let reopensDevices: [String]
  /// Keys whose new value takes effect when the daemon is started again.
  package let restartsDaemon: [String]

  package init(from old: Configuration, to new: Configuration) {
    let changed = Configuration.schema.filter { $0.value(in: old) != $0.value(in: new) }
    live = changed.filter { $0.change == .live }.map(\.key)
    reopensDevices = changed.filter { $0.change == .reopensDevices }.map(\.key)
    restartsDaemon = changed.filter { $0.change == .restartsDaemon }.map(\.key)
  }
}

/// Finds and reads the configuration file.
package struct ConfigurationSearch: Sendable {
  private let explicit: String?
  private let environment: [String: String]
  private let paths: StandardPaths

  /// - Parameter explicit: The path given on the command line, if any.
  package init(
    explicit: String?, environment: [String: String] = ProcessEnvironment.variables,
    paths: StandardPaths = .current
  ) {
    (self.explicit, self.environment, self.paths) = (explicit, environment, paths)
  }

  /// The file to read, in this order: command line, `AURICLE_CONFIG`, the person's own, the system's; nil
  /// when there is none. A file that was named is taken whether it exists or not, and so is a link that leads nowhere: what was
  /// in force is not to give way to defaults.
  package func file(exists: (String) -> Bool = isThere) -> String? {
    named ?? paths.configurationFiles.first(where: exists)
  }

  /// True for a file that this search would find, and that is there no longer; false where one was named.
  package func hasLost(_ file: String) -> Bool {
    named == nil && paths.configurationFiles.contains(file) && !Self.isThere(file)
  }

  /// True when a file was named, rather than found.
  package var isNamed: Bool { named != nil }

  /// The file that was named, rather than found.
  private var named: String? {
    if let explicit { return explicit }
    return environment["AURICLE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// True for whatever has that name, also a link that leads nowhere.
  package static func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// The file where a configuration is put: the one that was named, or the one that is read; where this user may not change
  /// that one, and has none of their own, their own.
  package var place: String? {
    if let named { return named }
    let own = paths.ownConfigurationFile ?? paths.configurationFiles.first
    guard let file = file() else { return own }
    // One that is looked for behind it would be read by nobody.
    let isFirst = file == paths.configurationFiles.first
    return isFirst || access(FilePath.folder(of: file), W_OK) == 0 ? file : own
  }

  /// The file where a restored configuration is put: ``place``, or this user's own where they may not write there.
  package var restorationPlace: String? {
    guard let place, named == nil, access(FilePath.folder(of: place), W_OK) != 0 else { return place }
    return paths.ownConfigurationFile ?? place
  }

  /// Reads the file, or gives defaults when there is none.
  ///
  /// - Returns: The configuration, or every failure in the order of its line; the first one's exit status is
  ///   the command's.
  package func load() -> Result<LoadedConfiguration, ConfigurationFailures> {
    guard let file = file() else { return .success(.defaults) }
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try FileContent.bytes(of: file, limit: Configuration.maximumFileSize)
    } catch {
      guard error.exitStatus == .noInput else { return .failure(ConfigurationFailures(failures: [error])) }
      return .failure(
        ConfigurationFailures(failures: [
          Failure(
            file, found: error.found, expected: error.expected,
            remedy: "To begin one: auricle config reference > \(file)", exit: .noInput)
        ]))
    }
    return Result { () throws(ConfigurationFailures) in try Configuration.reading(bytes, file: file) }
  }
}

extension Configuration {
  /// Greatest size of a configuration file, bytes. A full reference has about 4,000.
  package static let maximumFileSize = 1 << 20

  /// Reads the text of a configuration file.
  ///
  /// - Parameters:
  ///   - text: The file's bytes.
  ///   - file: Its path, for messages; relative paths inside it start from its folder.
  /// - Throws: ``ConfigurationFailures`` with one failure for every problem, not only the first, in the order of the
  ///   lines, the subject being `file:line`; a syntax error alone, because nothing behind it can be trusted.
  package static func reading(
    _ text: [UInt8], file: String
  ) throws(ConfigurationFailures) -> LoadedConfiguration {
    func failures(_ problems: [ConfigurationReader.Problem]) -> ConfigurationFailures {
      ConfigurationFailures(
        failures: problems.map { problem in
          problem.failure(problem.line.map { "\(file):\($0)" } ?? file, exit: .configuration)
        })
    }
    if let problem = ConfigurationReader.encodingProblem(in: text) { throw failures([problem]) }
    let document = try rethrowing(
      { (error: TOMLError) in
        let found = "\(error.found) in column \(error.column)"
        return failures([.init(line: error.line, found: found, expected: error.expected)])
      }, try TOMLParser.document(text))
    var reader = ConfigurationReader(document, folder: file.contains("/") ? FilePath.folder(of: file) : nil)
    var configuration = Configuration()
    for setting in schema { setting.read(&reader, &configuration) }
    reader.refuseUnknown()
    reader.checkCalibration(configuration.calibration)
    guard reader.problems.isEmpty else {
      // Stable: problems of one line keep the order of the schema.
      throw failures(
        reader.problems.enumerated().sorted {
          ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
        }.map(\.element))
    }
    return LoadedConfiguration(
      configuration: configuration, file: file, lines: reader.origins, content: text)
  }

  /// The setting of a key.
  ///
  /// - Throws: ``Failure`` with ``ExitStatus/usage`` for a key that there is not.
  static func setting(_ key: String, option: String) throws(Failure) -> Setting {
    if let setting = schema.first(where: { $0.key == key }) { return setting }
    let hint = Spelling.nearest(to: key, among: schema.map(\.key)).map { "Did you mean \"\($0)\"?" }
    throw Failure(
      option, found: "the unknown key \(key)", expected: "a key of the configuration", remedy: hint,
      exit: .usage)
  }

  /// Sets one key as a command line does, `device.period` to `1.5ms`, with the checks of a file.
  ///
  /// - Parameters:
  ///   - key: Dotted path.
  ///   - text: A TOML value, or plain text without quotation marks.
  ///   - option: The option that gave it, for messages: `--period`.
  ///   - folder: Folder that relative paths start from; nil, by default: they stay as they are.
  /// - Throws: ``Failure`` with ``ExitStatus/usage``; then nothing has changed.
  package mutating func set(
    _ key: String, to text: String, option: String, folder: String? = nil
  ) throws(Failure) {
    let setting = try Self.setting(key, option: option)
    let documents = [text, TOMLParser.literal(text)].compactMap { value in
      // A line break would let the text set other keys.
      value.contains(where: \.isNewline) ? nil : try? TOMLParser.document([UInt8]("\(key) = \(value)".utf8))
    }
    var refusal: Failure?
    for document in documents {
      var reader = ConfigurationReader(document, folder: folder)
      var changed = self
      setting.read(&reader, &changed)
      guard let problem = reader.problems.first else {
        self = changed
        return
      }
      refusal = refusal ?? problem.failure(option, exit: .usage)
      guard setting.isText, reader.node(at: key)?.isPlain == true else { break }
    }
    throw refusal
      ?? Failure(option, found: "text that is no value", expected: setting.accepts, exit: .usage)
  }
}

extension TOMLValue {
  /// True of a number, a day and others that plain text may look like; false for what can only be meant as TOML.
  fileprivate var isPlain: Bool {
    switch self {
    case .integer, .float, .boolean, .day, .moment: true
    case .string, .array, .table: false
    }
  }
}
