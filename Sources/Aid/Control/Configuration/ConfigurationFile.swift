import AuricleClient
import Base
import Glibc

/// A configuration file in which a program sets keys as a person would: comments and everything else stay.
///
/// - Threads: control.
package struct ConfigurationFile {
  /// Its place, also before it is there.
  package let path: String
  /// True for one that was named and is not there yet.
  package let isNew: Bool
  private var edit: TOMLEdit
  /// The file's bytes when it was read or written last; nil: there was none.
  private var original: [UInt8]?
  /// Keys that were set since, each with its value in TOML, or taken out.
  private var changes: [(key: [String], value: String?)] = []
  /// Values of the file and of the keys that were set since.
  package private(set) var configuration: Configuration

  /// Reads the file that is in effect; one that does not exist yet is empty.
  ///
  /// - Throws: ``ConfigurationFailures`` when it is wrong already: nothing is written into a file that its
  ///   author has to correct first.
  package init(_ search: ConfigurationSearch) throws(ConfigurationFailures) {
    guard let path = search.place else {
      throw ConfigurationFailures(failures: [
        Failure(
          "configuration", inWords: "This user has no folder to write it in",
          remedy: "Name one: --config FILE, or set HOME.", exit: .configuration)
      ])
    }
    self.path = path
    // Another file than the one that is read, where that may not be changed: it begins as a copy.
    isNew = search.isNamed && !ConfigurationSearch.isThere(path)
    let loaded = isNew ? .defaults : try search.load().get()
    configuration = loaded.configuration
    original = loaded.file == path ? loaded.content : nil
    do {
      edit = try TOMLEdit(loaded.content)
      if let file = loaded.file, file != path { try keepPaths(of: loaded, from: FilePath.folder(of: file)) }
    } catch {
      throw ConfigurationFailures(failures: [Failure(path, found: error.found, exit: .configuration)])
    }
  }

  /// Makes paths absolute that start from the folder of the file that was copied.
  private mutating func keepPaths(of loaded: LoadedConfiguration, from folder: String) throws(TOMLError) {
    for setting in Configuration.schema where loaded.lines[setting.key] != nil {
      guard let value = setting.value(in: configuration), value.hasPrefix("\"\(folder)/") else { continue }
      try edit.set(setting.path, to: value)
    }
  }

  /// Sets a key.
  ///
  /// - Parameters:
  ///   - key: Dotted path, `device.period`.
  ///   - text: As on a command line: `1.5ms`, `hw:CARD=PCH`; a path starts from `folder`, not from the file's.
  ///   - folder: Absolute.
  ///   - subject: Origin of the text, for messages.
  /// - Throws: ``Failure`` with ``ExitStatus/usage``; then nothing has changed.
  package mutating func set(
    _ key: String, to text: String, from folder: String?, subject: String
  )
    throws(Failure)
  {
    try configuration.set(key, to: text, option: subject, folder: folder)
    let setting = try Configuration.setting(key, option: subject)
    guard let value = setting.value(in: configuration) else { return try unset(key, subject: subject) }
    try change(setting.path, to: value)
  }

  /// Takes a key out, so that its default is in effect.
  ///
  /// - Throws: ``Failure`` with ``ExitStatus/usage`` for a key that there is not.
  package mutating func unset(_ key: String, subject: String) throws(Failure) {
    let setting = try Configuration.setting(key, option: subject)
    try change(setting.path, to: nil)
    // What is wrong without it is said when the file is written.
    if let loaded = try? loaded() { configuration = loaded.configuration }
  }

  /// The configuration as it would be read, with the changes so far.
  ///
  /// - Throws: ``ConfigurationFailures`` for values that do not go together.
  package func loaded() throws(ConfigurationFailures) -> LoadedConfiguration {
    try Configuration.reading(edit.text, file: path)
  }

  private mutating func change(_ key: [String], to value: String?) throws(Failure) {
    do {
      if let value { try edit.set(key, to: value) } else { try edit.remove(key) }
    } catch {
      throw Failure(
        "\(path): \(key.joined(separator: "."))", found: error.found, expected: "a place for it",
        remedy: "\(value == nil ? "Take it out of" : "Set it in") the file by hand.", exit: .configuration)
    }
    changes.append((key, value))
  }

  // MARK: - On the disk

  /// Permissions of a new file, and of one that it names and that is made with it: they may tell of somebody's hearing, and others need
  /// not read them, but the system's daemon reads its own, which root makes.
  package var newMode: mode_t { isSystems ? 0o644 : 0o600 }

  private var isSystems: Bool {
    // The folder by its own name, whatever it was called by; a file that is not there yet has none.
    let folder = OutputDraft.resolved(FilePath.folder(of: path))
    return "\(folder)/".hasPrefix("/etc/")
  }

  /// Makes its folder where that is missing, for those who may read the file.
  package func makeFolder() throws(SystemError) {
    try Folder.make(FilePath.folder(of: path), mode: isSystems ? 0o755 : 0o700)
  }

  /// Writes the file, whole or not at all. Its folder is made where it is missing. What others have changed in it meanwhile
  /// stays, but for the keys that are changed here.
  ///
  /// - Throws: ``ConfigurationFailures``; the file is then as it was.
  package mutating func save() throws(ConfigurationFailures) {
    _ = try loaded()
    let turn = try turn()
    defer { withExtendedLifetime(turn) {} }
    try takeOver()
    do throws(SystemError) {
      var status = stat()
      // One that was readable to a daemon of another user stays so, whatever the umask of who changes it, and whoever that is.
      let isThere = stat(path, &status) == 0
      let mode = isThere ? status.st_mode & 0o777 : newMode
      try WholeFile.output(edit.text, to: path, mode: mode, exactly: isThere || isSystems)
    } catch { throw ConfigurationFailures(failures: [.writing(path, error)]) }
    (original, changes) = (edit.text, [])
  }

  private func turn() throws(ConfigurationFailures) -> FolderTurn {
    do throws(SystemError) {
      try makeFolder()
      // Of the file itself, by whichever link it was named.
      return try FolderTurn(in: FilePath.folder(of: OutputDraft.resolved(path)))
    } catch { throw ConfigurationFailures(failures: [.writing(path, error)]) }
  }

  /// Takes over what others have written into the file since it was read.
  private mutating func takeOver() throws(ConfigurationFailures) {
    let present: [UInt8]
    do throws(Failure) {
      present = try FileContent.bytes(of: path, limit: Configuration.maximumFileSize)
    } catch {
      // One that is gone is written anew; one that cannot be read is nobody's to replace.
      if error.exitStatus == .noInput { return }
      throw ConfigurationFailures(failures: [error])
    }
    guard present != original else { return }
    // Its mistakes are told line by line.
    _ = try Configuration.reading(present, file: path)
    var new = edit
    do throws(TOMLError) {
      new = try TOMLEdit(present)
      for (key, value) in changes {
        if let value { try new.set(key, to: value) } else { try new.remove(key) }
      }
    } catch {
      throw ConfigurationFailures(failures: [Failure(path, found: error.found, exit: .configuration)])
    }
    configuration = try Configuration.reading(new.text, file: path).configuration
    edit = new
  }
}
