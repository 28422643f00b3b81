import Base
import Glibc

/// Places of files, by the XDG Base Directory specification for a person's daemon and by the Filesystem
/// Hierarchy and systemd's variables for the system's.
///
/// A pure function of the environment and the user. As the specification demands, XDG variables that are
/// empty or not absolute are ignored.
package struct StandardPaths: Sendable {
  private let environment: [String: String]
  private let userID: UInt32
  private let accountHome: String?

  /// - Parameter accountHome: Home folder of the user by the accounts' database, whatever `HOME` is; nil, by default: a person's or root's,
  ///   which does not matter.
  package init(environment: [String: String], userID: UInt32, accountHome: String? = nil) {
    self.environment = environment
    self.userID = userID
    self.accountHome = accountHome
  }

  /// Of this process.
  package static var current: StandardPaths {
    StandardPaths(
      environment: ProcessEnvironment.variables, userID: geteuid(), accountHome: currentAccountHome)
  }

  /// Looked up once, and for persons and root never: a database of accounts on another machine may not answer, and a mute is not to wait
  /// for it.
  private static let currentAccountHome =
    geteuid() != 0 && ownsSystems(geteuid()) ? Accounts.user(geteuid())?.home : nil

  /// True for a user who owns a folder of the system's daemon: that of the socket is there from the installation on, that of the state from
  /// the daemon's first start on.
  ///
  /// - Parameter folders: Others in tests.
  package static func ownsSystems(
    _ user: UInt32, _ folders: [String] = [StandardPaths.systemsState, StandardPaths.systemsRuntime]
  ) -> Bool {
    folders.contains { folder in
      var status = stat()
      return stat(folder, &status) == 0 && status.st_uid == user
    }
  }

  /// State folder of the system's daemon, and the home folder of its account (Installation/usr/lib/sysusers.d/auricle.conf).
  package static let systemsState = "/var/lib/auricle"
  /// Folder in which the system's daemon makes its socket (Installation/usr/lib/tmpfiles.d/auricle.conf).
  package static let systemsRuntime = "/run/auricle"

  /// True of the account of the system's daemon, whose files are the system's also in a command that an operator runs as that user.
  private var isSystemsAccount: Bool { !isRoot && accountHome == Self.systemsState }

  /// True of those who have no state folder and socket of their own: root, and the account of the system's daemon.
  var usesSystems: Bool { isRoot || isSystemsAccount }

  /// Configuration files in the order in which they are looked for, without flag and `AURICLE_CONFIG`. The account of the system's
  /// daemon has the system's first: its own is what a restoration left there, which the daemon does not read.
  package var configurationFiles: [String] {
    let files = [ownConfigurationFile, "/etc/auricle/auricle.toml"].compactMap(\.self)
    return isSystemsAccount ? files.reversed() : files
  }

  /// This user's own configuration file; nil without a folder for it.
  package var ownConfigurationFile: String? {
    (absolute("XDG_CONFIG_HOME") ?? home.map { $0 + "/.config" }).map { $0 + "/auricle/auricle.toml" }
  }

  /// Folder for what is kept between runs: `$STATE_DIRECTORY`, `/var/lib/auricle` for root and the service's account, otherwise
  /// `$XDG_STATE_HOME/auricle`.
  package var stateDirectory: String {
    if let given = serviceDirectory("STATE_DIRECTORY") { return given }
    let own = absolute("XDG_STATE_HOME") ?? home.map { $0 + "/.local/state" }
    return (usesSystems ? nil : own).map { $0 + "/auricle" } ?? Self.systemsState
  }

  /// Folder in which a daemon makes its socket: `$RUNTIME_DIRECTORY`, `/run/auricle` for root and the service's account, otherwise
  /// `$XDG_RUNTIME_DIR/auricle`, otherwise `/tmp/auricle-UID`.
  package var runtimeDirectory: String {
    if let given = serviceDirectory("RUNTIME_DIRECTORY") { return given }
    if usesSystems { return Self.systemsRuntime }
    return ownRuntimeDirectory ?? temporaryRuntimeDirectory
  }

  /// Socket of the system's daemon, wherever a variable or a configuration points to.
  package static let systemsSocket = systemsRuntime + "/control.sock"

  /// Mark of a clinic's device; its place is the same for everybody.
  package static let deviceMark = "/etc/auricle/device.json"

  /// Socket of a daemon that is given no other.
  package var socket: String { runtimeDirectory + "/control.sock" }

  /// True for the system's daemon, whose socket the members of group auricle use: also at a place that its configuration names, but not
  /// where somebody named one for this run.
  ///
  /// - Parameter socket: Given on the command line or by `AURICLE_SOCKET`; nil: none.
  package func isSystemsDaemon(named socket: String?) -> Bool {
    socket == nil && runtimeDirectory == Self.systemsRuntime
  }

  /// True for a process that the service manager has begun as the system's daemon, in its sandbox; false for one that root began.
  package var isSystemsService: Bool { serviceDirectory("RUNTIME_DIRECTORY") == Self.systemsRuntime }

  /// Sockets on which a command looks for a daemon, in order: the person's own, then the system's.
  package var socketCandidates: [String] {
    let folders = [
      serviceDirectory("RUNTIME_DIRECTORY"), ownRuntimeDirectory,
      usesSystems ? nil : temporaryRuntimeDirectory, Self.systemsRuntime,
    ]
    return folders.compactMap { $0.map { $0 + "/control.sock" } }
  }

  /// The socket that `AURICLE_SOCKET` names; nil: none.
  package var namedSocket: String? { environment["AURICLE_SOCKET"].flatMap { $0.isEmpty ? nil : $0 } }

  /// The configuration file that `AURICLE_CONFIG` names; nil: none.
  var namedConfiguration: String? { environment["AURICLE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 } }

  /// The socket of auricle-auth that `AURICLE_AUTH_SOCKET` names; nil: none.
  var namedProofSocket: String? { environment["AURICLE_AUTH_SOCKET"].flatMap { $0.isEmpty ? nil : $0 } }
  /// The socket of auricle-auth in this user's session; nil: there is no session.
  var ownProofSocket: String? { absolute("XDG_RUNTIME_DIR").map { $0 + "/auricle-auth.sock" } }
  var isRoot: Bool { userID == 0 }

  /// The socket a command talks to: `explicit`, `AURICLE_SOCKET`, `configured` or the first candidate that exists,
  /// otherwise the place where a daemon started by this person would listen.
  ///
  /// - Parameters:
  ///   - explicit: Given on the command line.
  ///   - configured: Named by the configuration, which a running daemon may have been told to overrule.
  package func clientSocket(explicit: String?, configured: String? = nil) -> String {
    clientSocket(explicit: explicit, configured: configured, exists: hasSocket)
  }

  /// - Parameter exists: ``hasSocket(_:)``; another one in tests.
  package func clientSocket(
    explicit: String?, configured: String? = nil, exists: (String) -> Bool
  ) -> String {
    if let named = explicit ?? namedSocket { return named }
    let candidates = [configured].compactMap(\.self) + socketCandidates
    return candidates.first(where: exists) ?? configured ?? socket
  }

  /// True where there is a socket that may be a daemon's for this user: one in a stranger's folder is passed over, as if it were
  /// not there, so that the daemon behind it is found.
  package func hasSocket(_ path: String) -> Bool {
    Self.stranger(besideSocket: path, user: userID) == nil && access(path, F_OK) == 0
  }

  /// True where there is an aid's socket, or something that one left beside it: a lock, a mute. Those of a stranger's folder do not count.
  ///
  /// - Parameter root: Folder in which it is looked for; another one in tests.
  func hasOwnTrace(ofSocket path: String, below root: String) -> Bool {
    Self.stranger(besideSocket: path, user: userID) == nil && Self.hasTrace(ofSocket: path, below: root)
  }

  /// ``hasOwnTrace(ofSocket:below:)``, of whomever.
  static func hasTrace(ofSocket path: String, below root: String) -> Bool {
    let name = FilePath.name(of: path)
    return Folder.names(in: root + FilePath.folder(of: path)).contains { $0.hasPrefix(name) }
  }

  /// Owner of a socket's folder below `/tmp`, where anybody can make one, who is neither a user nor root: what answers there may lie.
  /// Nil: there is none.
  static func stranger(besideSocket path: String, user: UInt32) -> UInt32? {
    var status = stat()
    guard path.hasPrefix("/tmp/"), lstat(FilePath.folder(of: path), &status) == 0, status.st_uid != user,
      status.st_uid != 0
    else { return nil }
    return status.st_uid
  }

  /// True where the system has a daemon's folder that this user may not look into: one may run there for others.
  package static var systemsIsClosed: Bool { isClosed(systemsSocket) }

  /// True of a file in a folder that this user may not look into.
  static func isClosed(_ path: String) -> Bool { access(path, F_OK) != 0 && errno == EACCES }

  private var temporaryRuntimeDirectory: String { "/tmp/auricle-\(userID)" }
  /// Nil for root in a person's session, whose aid is not root's, and for the service's account.
  private var ownRuntimeDirectory: String? {
    guard !isSystemsAccount, let folder = absolute("XDG_RUNTIME_DIR"), !isRoot || folder == "/run/user/0"
    else { return nil }
    return folder + "/auricle"
  }
  private var home: String? { absolute("HOME") }

  private func absolute(_ name: String) -> String? { Self.absolute(environment[name]) }

  /// systemd gives a list, separated by colons, when a unit asks for several.
  private func serviceDirectory(_ name: String) -> String? {
    Self.absolute(environment[name]?.split(separator: ":").first.map(String.init))
  }

  private static func absolute(_ path: String?) -> String? {
    path.flatMap { $0.hasPrefix("/") ? FilePath.withoutLastSlashes($0) : nil }
  }
}
