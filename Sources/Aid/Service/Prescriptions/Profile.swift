import Base
import Book
import Control
import Glibc
import Sealing

/// Files of one person on a device beside the book: program, volume and tone, measured feedback, and the
/// configuration with the files that it names.
struct Profile: Sendable {
  /// The state folder.
  let folder: String
  /// Nil: no configuration belongs to it.
  let configuration: ConfigurationSearch?

  /// Files of the state folder.
  private static let stateFiles = ["programs.json", "feedback.json"]
  /// Name of the configuration in a backup; files that it names are below, by their path from its folder.
  private static let configurationName = "configuration"
  /// Files of the machine, which no backup brings.
  private static let machineFiles = [
    DeviceMark.path, FilePath.folder(of: DeviceMark.path) + "/book-key.cred",
  ]
  /// Greatest file, bytes: the greatest that any of them may have.
  private static let limit = Configuration.maximumFileSize

  // MARK: - Backup

  /// - Returns: The files that there are, and sentences about what is left out.
  /// - Throws: ``Failure`` when one cannot be read.
  func parts() throws(Failure) -> (parts: [BackupFile.Part], missing: [String]) {
    var parts: [BackupFile.Part] = []
    for name in Self.stateFiles {
      if let bytes = try content(folder + "/" + name) {
        parts.append(BackupFile.Part(name: name, bytes: bytes))
      }
    }
    guard let file = configuration?.file(), let bytes = try content(file) else { return (parts, []) }
    parts.append(BackupFile.Part(name: Self.configurationName, bytes: bytes))
    guard let loaded = try? Configuration.reading(bytes, file: file) else {
      return (
        parts, ["The configuration is kept as it is, with its mistakes; files that it names are not."]
      )
    }
    let (named, calibration) = (loaded.configuration.hearing.audiogram, loaded.configuration.calibration)
    var missing: [String] = []
    for path in [named, calibration.microphone.file, calibration.earphone.file].compactMap(\.self) {
      guard let name = Self.name(of: path, besideConfiguration: file) else {
        missing.append("Not in it: \(path), which lies outside the configuration's folder.")
        continue
      }
      if parts.contains(where: { $0.name == name }) { continue }
      if let bytes = try content(path) {
        parts.append(BackupFile.Part(name: name, bytes: bytes))
      } else {
        missing.append("Not in it: \(path), which the configuration names and which is not there.")
      }
    }
    return (parts, missing)
  }

  /// Folder below the state folder in which a backup may lie: a daemon in its sandbox can write nowhere else.
  private static let backups = "/backups"

  /// Refuses a backup among this program's own files: each has a meaning by its name, and whoever asks for a backup
  /// chooses the name.
  func refuseOwnPlace(_ path: String) throws(Failure) {
    let place = Self.real(FilePath.folder(of: path))
    for own in [folder, StandardPaths.current.runtimeDirectory].map(Self.real)
    where (place == own || place.hasPrefix(own + "/")) && place != own + Self.backups {
      throw Failure(
        path, found: "a place among the daemon's own files",
        expected: "\(folder)\(Self.backups), or another folder",
        exit: .noPermission)
    }
  }

  /// Without links, where it is there.
  private static func real(_ folder: String) -> String {
    guard let text = realpath(folder, nil) else { return folder }
    defer { free(text) }
    return String(cString: text)
  }

  private func content(_ path: String) throws(Failure) -> [UInt8]? {
    do throws(Failure) { return try FileContent.bytes(of: path, limit: Self.limit) } catch {
      guard error.exitStatus == .noInput else { throw error }
      return nil
    }
  }

  /// `configuration/ada.json` for a file in the configuration's folder or below; nil for any other.
  private static func name(of path: String, besideConfiguration file: String) -> String? {
    let folder = FilePath.folder(of: file) + "/"
    guard path.hasPrefix(folder) else { return nil }
    let name = String(path.dropFirst(folder.count))
    return isBelow(name) ? configurationName + "/" + name : nil
  }

  /// True for a path that leads nowhere but down, to nothing hidden: a backup may be of somebody's making.
  private static func isBelow(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return !parts.contains { $0.isEmpty || $0.hasPrefix(".") || $0.utf8.contains(0) }
  }

  // MARK: - Restoration

  /// Places of the files of a backup; a file that it does not have shall not be there either.
  ///
  /// - Parameter backup: Path of the backup, for errors.
  /// - Throws: ``BookError/newerBook(path:)`` for a file that is not known here.
  func places(of parts: [BackupFile.Part], in backup: String) throws(BookError) -> [Replacement.File] {
    var files = Self.stateFiles.map { name in
      Replacement.File(path: folder + "/" + name, bytes: parts.first { $0.name == name }?.bytes)
    }
    let place = configuration?.place.map(Self.absolute)
    if let place {
      let bytes = parts.first { $0.name == Self.configurationName }?.bytes
      files.append(Replacement.File(path: place, bytes: bytes))
    }
    let below = Self.configurationName + "/"
    for part in parts where !Self.stateFiles.contains(part.name) && part.name != Self.configurationName {
      let name = String(part.name.dropFirst(below.count))
      guard part.name.hasPrefix(below), Self.isBelow(name) else { throw .newerBook(path: backup) }
      guard let place else { continue }
      let path = Self.real(FilePath.folder(of: place)) + "/" + name
      // Beside the system's configuration lie the machine's mark and the book's key, which are no files of a person.
      guard !Self.machineFiles.contains(path) else { throw .newerBook(path: backup) }
      files.append(Replacement.File(path: path, bytes: part.bytes))
    }
    return files
  }

  /// For whoever finishes a restoration from another folder.
  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    return String(cString: current) + "/" + path
  }
}
