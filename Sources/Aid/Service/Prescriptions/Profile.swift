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
    var missing: [String] = []
    for (_, path) in Self.namedFiles(loaded.configuration) {
      guard let name = Self.name(of: path, besideConfiguration: file) else {
        missing.append(
          Self.isHidden(path, besideConfiguration: file)
            ? "Not in it: \(path), which is hidden; name it, and the folders that it lies in, without a dot in front."
            : "Not in it: \(path), which lies outside the configuration's folder.")
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

  /// Keys of a configuration that name a file, and its path.
  private static func namedFiles(_ configuration: Configuration) -> [(key: [String], path: String)] {
    let files = [
      (["hearing", "audiogram"], configuration.hearing.audiogram),
      (["calibration", "microphone", "file"], configuration.calibration.microphone.file),
      (["calibration", "earphone", "file"], configuration.calibration.earphone.file),
    ]
    return files.compactMap { key, path in path.map { (key: key, path: $0) } }
  }

  /// Folder below the state folder in which a backup may lie: a daemon in its sandbox can write nowhere else.
  private static let backups = "/" + StateFolder.backups
  /// Folders of which the system's daemon has its own (PrivateTmp=, systemd.exec(5)), which goes with it.
  private static let privateFolders = ["/tmp", "/var/tmp"]

  /// Makes the folder for backups in the state folder, where one is to lie in it: nobody but the daemon may.
  func makePlace(of backup: String) throws(Failure) {
    let place = FilePath.folder(of: backup)
    guard place.hasSuffix(Self.backups), Self.real(FilePath.folder(of: place)) == Self.real(folder)
    else { return }
    do throws(SystemError) { try Folder.make(place) } catch { throw .writing(backup, error) }
  }

  /// Refuses a backup among this program's own files: each has a meaning by its name, and whoever asks for a backup
  /// chooses the name. Refuses one also where nobody would find it.
  ///
  /// - Parameter paths: Places of this process.
  func refuseOwnPlace(_ path: String, of paths: StandardPaths = .current) throws(Failure) {
    let place = Self.real(FilePath.folder(of: path))
    guard place != Self.real(folder) + Self.backups else { return }
    func refuse(_ folders: [String], _ found: String, exit: ExitStatus) throws(Failure) {
      guard folders.map(Self.real).contains(where: { place == $0 || place.hasPrefix($0 + "/") })
      else { return }
      throw Failure(path, found: found, expected: "\(folder)\(Self.backups), or another folder", exit: exit)
    }
    try refuse(
      [folder, paths.runtimeDirectory], "a place among the daemon's own files", exit: .noPermission)
    if paths.isSystemsService {
      try refuse(Self.privateFolders, "a folder that the daemon alone sees", exit: .cannotCreate)
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

  /// `configuration/ada.json` for a file in the configuration's folder or below, also where a link leads there;
  /// nil for any other.
  private static func name(of path: String, besideConfiguration file: String) -> String? {
    paths(of: path, besideConfiguration: file).first(where: isBelow).map { configurationName + "/" + $0 }
  }

  /// True for a file in the configuration's folder or below that has a name there which no backup holds.
  private static func isHidden(_ path: String, besideConfiguration file: String) -> Bool {
    paths(of: path, besideConfiguration: file).contains {
      !isBelow($0) && !$0.split(separator: "/").contains("..")
    }
  }

  /// Paths of a file from the configuration's folder: as it is named, and where links lead.
  private static func paths(of path: String, besideConfiguration file: String) -> [String] {
    let (whole, folder) = (plain(absolute(path)), FilePath.folder(of: plain(absolute(file))))
    let linked = real(FilePath.folder(of: whole)) + "/" + FilePath.name(of: whole)
    return [relative(whole, to: folder), relative(linked, to: real(folder))].compactMap(\.self)
  }

  private static func relative(_ path: String, to folder: String) -> String? {
    path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : nil
  }

  /// The path without components that lead nowhere, "." and empty ones.
  private static func plain(_ path: String) -> String {
    let components = path.split(separator: "/").filter { $0 != "." }
    return (path.hasPrefix("/") ? "/" : "") + components.joined(separator: "/")
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
  /// - Throws: ``BookError/newerBook(path:)`` for a file that is not known here, and ``BookError/harmfulDevices(path:settings:)``.
  func places(of parts: [BackupFile.Part], in backup: String) throws(BookError) -> [Replacement.File] {
    var files = Self.stateFiles.map { name in
      Replacement.File(path: folder + "/" + name, bytes: parts.first { $0.name == name }?.bytes)
    }
    let place = configuration?.restorationPlace.map(Self.absolute)
    if let place {
      try refuseHarmfulDevices(in: parts, of: backup)
      let bytes = parts.first { $0.name == Self.configurationName }.map { part in
        Self.relocated(part.bytes, to: place, with: parts.map(\.name))
      }
      files.append(Replacement.File(path: place, bytes: bytes))
    }
    let below = Self.configurationName + "/"
    for part in parts where !Self.stateFiles.contains(part.name) && part.name != Self.configurationName {
      let name = String(part.name.dropFirst(below.count))
      guard part.name.hasPrefix(below), Self.isBelow(name) else { throw .newerBook(path: backup) }
      guard let place else { continue }
      let path = Self.real(FilePath.folder(of: place)) + "/" + name
      // Beside the system's configuration lie the machine's mark and the book's key, which are no files of a person; the
      // configuration itself comes by its own name alone.
      guard !Self.machineFiles.contains(path), name != FilePath.name(of: place),
        !FilePath.isSame(path, place)
      else { throw .newerBook(path: backup) }
      files.append(Replacement.File(path: path, bytes: part.bytes))
    }
    return files
  }

  /// Refuses devices by whose names alsa-lib may start programs or write files, unless the present configuration has them: a backup may be of
  /// somebody else's making. So may a file beside its configuration that is one as well, to be read another time, and one with a mistake
  /// that a person corrects later.
  private func refuseHarmfulDevices(in parts: [BackupFile.Part], of backup: String) throws(BookError) {
    let present = configuration?.file().flatMap { try? content($0) }
    let known = present.map { Configuration.Device.harmfulNames(in: $0) } ?? []
    let settings = parts.filter { !Self.stateFiles.contains($0.name) }
      .flatMap { Configuration.Device.harmfulNames(in: $0.bytes) }
      .filter { setting in !known.contains { $0.name == setting.name } }
    guard settings.isEmpty else {
      throw .harmfulDevices(
        path: backup,
        // As many as a configuration has; a text of somebody's making may have thousands, of any length.
        settings: settings.prefix(3).map { key, name in
          let shown = String(name.unicodeScalars.prefix(200))
          return "\(key) = \(TOMLParser.literal(shown == name ? name : shown + "…"))"
        })
    }
  }

  /// A restored configuration that names the files of its backup from its own folder, where it named them from
  /// the root: they lie beside it, in whichever folder that is now.
  ///
  /// - Parameters:
  ///   - place: Its place now.
  ///   - names: Of the backup's parts.
  /// - Returns: The same bytes where it need not, or cannot, be changed.
  private static func relocated(_ bytes: [UInt8], to place: String, with names: [String]) -> [UInt8] {
    // Paths are read as they are written where the file's name has no folder.
    guard let written = try? Configuration.reading(bytes, file: configurationName),
      var edit = try? TOMLEdit(bytes)
    else { return bytes }
    let files = namedFiles(written.configuration).map { (key: $0.key, path: plain($0.path)) }
    let parts = names.filter { $0.hasPrefix(configurationName + "/") }.map {
      String($0.dropFirst(configurationName.count + 1))
    }
    /// The part that a path from the root can mean: the folder that it lay in is not known.
    func part(_ path: String) -> String? {
      guard path.hasPrefix("/") else { return parts.first { $0 == path } }
      return parts.filter { path.hasSuffix("/" + $0) }.max { $0.count < $1.count }
    }
    for (key, path) in files where path.hasPrefix("/") {
      guard let name = part(path),
        Self.name(of: path, besideConfiguration: place) != "\(configurationName)/\(name)",
        // Two paths of which either may mean it stay: one of them names a file elsewhere.
        files.allSatisfy({ $0.path == path || part($0.path) != name })
      else { continue }
      try? edit.set(key, to: TOMLParser.literal(name))
    }
    return edit.text
  }

  /// State folder and configuration of the system's aid.
  private static let (systemsFolder, systemsConfiguration) = (
    StandardPaths.systemsState, "/etc/auricle/auricle.toml"
  )

  /// True for the profile of the system's aid.
  var isSystems: Bool { folder == Self.systemsFolder }

  /// Sentence on the place of a restored configuration; nil: none belongs to the profile. The system's aid reads its own alone, into whose
  /// folder its user may not write.
  ///
  /// - Parameter parts: Of the backup.
  func placeNote(restoring parts: [BackupFile.Part]) -> String? {
    guard let place = configuration?.restorationPlace.map(Self.absolute) else { return nil }
    guard parts.contains(where: { $0.name == Self.configurationName }) else {
      return "The backup has no configuration: there is none at \(place) now."
    }
    guard isSystems, place != Self.systemsConfiguration else {
      return "The configuration is \(place)."
    }
    return
      "The configuration is \(place), which the system's aid does not read: as root, copy it to \(Self.systemsConfiguration), and "
      + "files beside it that it names with it, so that auricled may read them: "
      + "sudo install -D -m 644 FILE /etc/auricle/FILE. Then restart auricled."
  }

  /// For whoever finishes a restoration, or reads the path, in another folder.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    return String(cString: current) + "/" + path
  }
}
