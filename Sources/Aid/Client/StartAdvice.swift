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
}

extension StartAdvice {
  /// Of this process's user, by the files of this machine.
  package static var current: StartAdvice { StartAdvice(.current) }

  /// - Parameters:
  ///   - paths: Places of the person's files.
  ///   - root: Folder in which the system's files are looked for; another one in tests.
  package init(_ paths: StandardPaths, below root: String = "") {
    let isForOthers = StandardPaths.isClosed(root + "/run/auricle/control.sock")
    let isWithoutOwn = paths.isRoot || !Self.hasOwnPrescription(paths)
    self.init(
      isSystems: Self.isClinics(below: root)
        || (!isForOthers && isWithoutOwn && Self.isSystemsSetUp(below: root)),
      isRoot: paths.isRoot)
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

  /// True where the service is installed and somebody has asked for it: it is enabled, or it has run and its user has a state folder.
  private static func isSystemsSetUp(below root: String) -> Bool {
    var status = stat()
    let units = unitFolders.map { folder in "\(root)\(folder)/auricled.service" }
    // One that is masked leads to a device.
    guard let unit = units.first(where: { path in access(path, F_OK) == 0 }),
      stat(unit, &status) == 0, status.st_mode & S_IFMT == S_IFREG
    else { return false }
    if enablingLinks.contains(where: { link in lstat(root + link, &status) == 0 }) { return true }
    // Root's own folder is that of commands that root called.
    return stat(root + "/var/lib/auricle", &status) == 0 && status.st_uid != 0
  }

  // MARK: - The person's own

  /// True where the person has a book of cards, or a configuration that names an audiogram.
  private static func hasOwnPrescription(_ paths: StandardPaths) -> Bool {
    access(paths.stateDirectory + "/book/book.sqlite", F_OK) == 0
      || paths.configurationFiles.dropLast().contains(where: namesAudiogram)
  }

  private static func namesAudiogram(_ file: String) -> Bool {
    guard let bytes = try? FileContent.bytes(of: file, limit: 1 << 20),
      let document = try? TOMLParser.document(bytes),
      case .table(let hearing)? = document["hearing"]?.value
    else { return false }
    return hearing["audiogram"] != nil
  }
}
