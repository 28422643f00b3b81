import Base
import Control
import Engine
import Glibc

/// The configuration in force, in a file beside the control socket, as long as the daemon lives.
///
/// A file that is being edited, or was left wrong, does not reach a daemon that runs; it must not end the
/// sound when that one crashes and is started again. Like ``KeptMute``, it does not outlast the machine's
/// end.
///
/// The file holds the path of the configuration file, a NUL, and the text as it was read.
struct KeptConfiguration: Sendable {
  private let path: String

  init(besideSocket socket: String) { path = socket + ".configuration" }

  /// True when the last daemon ended without being told to.
  var isKept: Bool { access(path, F_OK) == 0 }

  /// Reads the configuration; one that is wrong gives way to the one that the last daemon had in force,
  /// where that one did not end by itself.
  ///
  /// - Returns: The configuration, the settings that it asks for, and why it is not the one of the file;
  ///   empty: it is.
  /// - Throws: ``ConfigurationFailures`` of the file when nothing else is kept.
  func settings(
    _ search: ConfigurationSearch
  ) throws(ConfigurationFailures) -> (
    loaded: LoadedConfiguration, settings: AidSettings, refused: [Failure]
  ) {
    do throws(ConfigurationFailures) {
      let loaded = try search.load().get()
      return (loaded, try AidSettings(loaded), [])
    } catch {
      guard let file = search.file(), let former = former(of: file), let settings = try? AidSettings(former)
      else { throw error }
      return (former, settings, error.failures)
    }
  }

  /// Configuration kept of a file; nil when none is, or it is another file's, changeable by others or
  /// damaged.
  private func former(of file: String) -> LoadedConfiguration? {
    guard let trust = FileTrust(of: path), (try? trust.refuseChangeable()) != nil,
      let bytes = try? FileContent.bytes(of: path, limit: Configuration.maximumFileSize + Int(PATH_MAX)),
      let end = bytes.firstIndex(of: 0), bytes[..<end].elementsEqual(file.utf8)
    else { return nil }
    return try? Configuration.reading(Array(bytes[(end + 1)...]), file: file)
  }

  /// Keeps it, unless there is no folder: of a socket that the configuration itself names, a start would
  /// not know.
  ///
  /// - Throws: ``Failure`` when the file cannot be made.
  func keep(_ loaded: LoadedConfiguration) throws(Failure) {
    guard let file = loaded.file else { return forget() }
    guard access(FilePath.folder(of: path), F_OK) == 0 else { return }
    try WholeFile.save(Array(file.utf8) + [0] + loaded.content, to: path)
  }

  func forget() { unlink(path) }

  /// Why the kept configuration is in force, for the status; nil: it is not.
  static func sentence(_ refused: [Failure]) -> String? {
    guard let first = refused.first else { return nil }
    return
      "The configuration file is not in force; the one from before the crash is. Mend the file, then: auricle reload. "
      + first.logMessage
  }
}
