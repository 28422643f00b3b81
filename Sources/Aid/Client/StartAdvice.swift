import Base
import Glibc

/// Command that starts the aid which has a person's prescription, for advice where none runs.
///
/// It is the system's where that one is set up and the person has no prescription of their own: `auricle start` would begin another aid
/// beside it, without any. Otherwise it is the person's own.
package struct StartAdvice: Sendable, Equatable {
  /// True for the system's aid.
  package let isSystems: Bool
  private let isRoot: Bool

  package init(isSystems: Bool, isRoot: Bool = false) {
    (self.isSystems, self.isRoot) = (isSystems, isRoot)
  }

  /// The command, as it is typed.
  package var command: String {
    guard isSystems else { return "auricle start" }
    return (isRoot ? "" : "sudo ") + "systemctl start auricled"
  }

  /// Beginning of a sentence that ends with ``command``: "Start it".
  package var request: String { isSystems ? "Start the system's aid" : "Start it" }

  /// A whole sentence: "Start it: auricle start."
  package var sentence: String { "\(request): \(command)." }

  /// Of the aid that left a file beside its socket: what lies in a person's folder is of the person's own.
  package func ofAid(beside file: String) -> StartAdvice {
    let isThere = FilePath.folder(of: file) == FilePath.folder(of: StandardPaths.systemsSocket)
    return StartAdvice(isSystems: isSystems && isThere, isRoot: isRoot)
  }
}

extension StartAdvice {
  /// Of this process's user, by the files of this machine.
  ///
  /// - Parameter socket: The one that was asked for an aid.
  package static func current(asking socket: String) -> StartAdvice {
    StartAdvice(.current, asking: socket)
  }

  /// - Parameters:
  ///   - paths: Places of the person's files.
  ///   - socket: The one that was asked for an aid.
  ///   - root: Folder in which the system's files and sockets are looked for; another one in tests.
  package init(_ paths: StandardPaths, asking socket: String, below root: String = "") {
    self.init(
      isSystems: Self.isClinics(below: root) || Self.isSystemsTurn(paths, socket, below: root),
      isRoot: paths.isRoot)
  }

  /// Files are read last: on most machines, and for most sockets, it is known before.
  private static func isSystemsTurn(_ paths: StandardPaths, _ socket: String, below root: String) -> Bool {
    guard !StandardPaths.isClosed(root + StandardPaths.systemsSocket), isSystemsSetUp(below: root),
      servesSystems(paths, socket, below: root)
    else { return false }
    return paths.usesSystems || !hasOwnPrescription(paths)
  }

  /// True where the system's aid, once started, would be found: at its own socket, or where a command comes to for want of any other.
  private static func servesSystems(_ paths: StandardPaths, _ socket: String, below root: String) -> Bool {
    if socket == StandardPaths.systemsSocket { return true }
    if paths.namedSocket == nil, paths.socketCandidates.contains(socket) {
      return !paths.socketCandidates.contains { candidate in
        candidate != StandardPaths.systemsSocket && paths.hasOwnTrace(ofSocket: candidate, below: root)
      }
    }
    guard case .string(let configured)? = setting("control", "socket", in: root + systemsConfiguration)
    else { return false }
    return socket == configured
  }

  // MARK: - The system's aid

  /// Folders of units, the first that has one counts (systemd.unit(5)).
  private static let unitFolders = [
    "/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system",
    "/usr/lib/systemd/system", "/lib/systemd/system",
  ]
  /// Links that `systemctl enable` makes for the service and its socket.
  private static let enablingLinks = [
    "/etc/systemd/system/multi-user.target.wants/auricled.service",
    "/etc/systemd/system/sockets.target.wants/auricled.socket",
  ]

  /// True on a clinic's device, on which no other aid plays.
  private static func isClinics(below root: String) -> Bool {
    access(root + StandardPaths.deviceMark, F_OK) == 0
  }

  private static let systemsConfiguration = "/etc/auricle/auricle.toml"

  /// True where the service is installed and somebody has asked for it: it is enabled, its socket is there or something that an aid left
  /// beside it, which is gone at the next boot, or its configuration names an audiogram.
  private static func isSystemsSetUp(below root: String) -> Bool {
    var status = stat()
    let units = unitFolders.map { folder in "\(root)\(folder)/auricled.service" }
    // One that is masked leads to a device.
    guard let unit = units.first(where: { path in access(path, F_OK) == 0 }),
      stat(unit, &status) == 0, status.st_mode & S_IFMT == S_IFREG
    else { return false }
    return enablingLinks.contains { link in lstat(root + link, &status) == 0 }
      || StandardPaths.hasTrace(ofSocket: StandardPaths.systemsSocket, below: root)
      || namesAudiogram(root + systemsConfiguration)
  }

  // MARK: - The person's own

  /// True where the person has a book of cards, or a configuration that names an audiogram.
  private static func hasOwnPrescription(_ paths: StandardPaths) -> Bool {
    if access(paths.stateDirectory + "/book/book.sqlite", F_OK) == 0 { return true }
    // A file that is named is read instead of the person's usual one.
    guard let file = paths.namedConfiguration ?? paths.configurationFiles.first else { return false }
    return file != systemsConfiguration && namesAudiogram(file)
  }

  private static func namesAudiogram(_ file: String) -> Bool {
    setting("hearing", "audiogram", in: file) != nil
  }

  /// Value of a configuration file's key; nil: there is none, or the file cannot be read.
  private static func setting(_ table: String, _ key: String, in file: String) -> TOMLValue? {
    guard let bytes = try? FileContent.bytes(of: file, limit: 1 << 20),
      let document = try? TOMLParser.document(bytes),
      case .table(let settings)? = document[table]?.value
    else { return nil }
    return settings[key]?.value
  }
}
