import AudioIO
import Base
import Control
import Glibc

/// Something wrong with a file of the aid, as it lay when it was looked for.
enum FileFact: Sendable, Hashable {
  /// The folder for what is kept cannot be written.
  case unwritable(String)
  /// Next to nothing can be written into the folder for what is kept: its disk is full.
  case full(String)
  /// Others may change it.
  case changeable(String, FileRights)
  /// Others may read it, and it tells of somebody's hearing; `excess`: permissions that are to go.
  case readable(String, FileRights, excess: UInt32)
  /// A socket on which nobody answers.
  case leftSocket(String)
  /// A lock file with the number of a process that is gone.
  case leftLock(String)
  /// A file that a killed process was writing.
  case draft(String)
  /// Mute, stop or configuration that a crashed daemon left for the next start.
  case kept(String, KeptKind)
  /// A file that could not be understood, or that a restore replaced.
  case setAside(String)
  /// A configuration that an update brought and did not put in force.
  case newConfiguration(String)

  enum KeptKind: Sendable { case mute, stop, configuration }
}

/// Owner and permissions of a file.
struct FileRights: Sendable, Hashable {
  let owner: UInt32
  /// Permissions alone.
  let mode: UInt32

  var isOwn: Bool { owner == geteuid() }
  var text: String { "mode \(String(mode, radix: 8))" }

  init(owner: UInt32, mode: UInt32) { (self.owner, self.mode) = (owner, mode) }

  init(_ status: stat) { self.init(owner: status.st_uid, mode: status.st_mode & 0o7777) }
}

/// The places in which an aid of this user keeps files, and the search for what is wrong there.
struct AidFiles {
  let stateFolder: String
  /// Of the locks on playback devices.
  let claimFolder: String
  let socket: String
  /// The configuration file; nil: there is none.
  let configuration: String?
  /// Files that the configuration names and that tell of somebody's hearing.
  let hearing: [String]
  /// True when a daemon has the socket.
  let hasDaemon: Bool

  private var runtimeFolder: String { FilePath.folder(of: socket) }
  private var bookFolder: String { stateFolder + "/book" }

  /// Everything wrong, by place.
  ///
  /// - Threads: control.
  var facts: [FileFact] { permissions + leftovers + drafts + asides }

  // MARK: - Permissions

  private var permissions: [FileFact] {
    var facts: [FileFact] = []
    if let status = Self.target(stateFolder) {
      let rights = FileRights(status)
      if access(stateFolder, W_OK | X_OK) != 0 { facts.append(.unwritable(stateFolder)) }
      var space = statvfs()
      if statvfs(stateFolder, &space) == 0, Self.isFull(space, forRoot: geteuid() == 0) {
        facts.append(.full(stateFolder))
      }
      facts += Self.exposure(stateFolder, rights, readers: 0o077)
    }
    for folder in [stateFolder, bookFolder] {
      for name in Folder.names(in: folder).sorted() where Self.isPrivate(name) {
        let path = folder + "/" + name
        guard let status = Self.status(path), status.st_mode & S_IFMT == S_IFREG else { continue }
        facts += Self.exposure(path, FileRights(status), readers: 0o077)
      }
    }
    if let status = Self.target(bookFolder) {
      facts += Self.exposure(bookFolder, FileRights(status), readers: 0o077)
    }
    if let status = Self.target(runtimeFolder) {
      facts += Self.exposure(runtimeFolder, FileRights(status), readers: 0)
    }
    if let configuration, let status = Self.target(configuration) {
      facts += Self.exposure(configuration, FileRights(status), readers: 0)
    }
    // The group may be that of the daemon, which has to read them.
    for path in hearing {
      guard let status = Self.target(path) else { continue }
      facts += Self.exposure(path, FileRights(status), readers: 0o007)
    }
    return facts
  }

  /// Space below which a disk counts as full, bytes. Own choice: a card that is taken into the book, with the journal of that, takes more.
  private static let leastSpace: UInt = 1 << 16

  /// True of a disk that has no space, or no names, left for a user. A part of it may be kept for root.
  static func isFull(_ space: statvfs, forRoot isRoot: Bool) -> Bool {
    // Those that are made by the kernel have neither.
    let blocks = isRoot ? space.f_bfree : space.f_bavail
    let names = isRoot ? space.f_ffree : space.f_favail
    let size = max(1, UInt(space.f_frsize))
    return (space.f_blocks > 0 && UInt(blocks) < (leastSpace + size - 1) / size)
      || (space.f_files > 0 && names == 0)
  }

  /// - Parameter readers: Permissions that nobody is to have.
  private static func exposure(_ path: String, _ rights: FileRights, readers: UInt32) -> [FileFact] {
    // A folder in which everybody may write keeps what is in it to its owners (sticky).
    if rights.mode & 0o022 != 0, rights.mode & 0o1000 == 0 { return [.changeable(path, rights)] }
    return rights.mode & readers != 0 ? [.readable(path, rights, excess: readers)] : []
  }

  /// Not FFTW's plans and the log, which tell nothing of anybody.
  private static func isPrivate(_ name: String) -> Bool {
    name != "wisdom" && !name.hasPrefix("auricled.log") && !name.hasPrefix(".")
  }

  // MARK: - Leftovers

  private var leftovers: [FileFact] {
    guard !hasDaemon, DaemonGuardian(ofSocket: socket) == nil else { return [] }
    var facts: [FileFact] = []
    let isSocketLeft = ListeningSocket.isLeft(socket)
    if isSocketLeft { facts.append(.leftSocket(socket)) }
    // Folders may be shared with other programs, which have locks of their own.
    let claims = Folder.names(in: claimFolder).sorted().filter {
      $0.hasPrefix(PlaybackClaim.prefix) && $0.hasSuffix(".lock")
    }
    // The socket's goes with it.
    let locks = (isSocketLeft ? [] : [socket + ".lock"]) + claims.map { claimFolder + "/" + $0 }
    facts += locks.filter(Self.isLeft).map(FileFact.leftLock)
    for (silence, kind) in [(KeptSilence.Kind.mute, FileFact.KeptKind.mute), (.stop, .stop)] {
      // In a shared folder it may lie beside its place, which another user's file has.
      let kept = KeptSilence(silence, besideSocket: socket, configuration: configuration).keptPlace
      if let kept { facts.append(.kept(kept, kind)) }
    }
    if KeptConfiguration(besideSocket: socket).isKept {
      facts.append(.kept(socket + ".configuration", .configuration))
    }
    return facts
  }

  /// True for a lock file whose process is gone. The lock itself is not tried: a daemon that starts at this moment would find it
  /// taken.
  private static func isLeft(lock path: String) -> Bool {
    guard let status = status(path), status.st_mode & S_IFMT == S_IFREG,
      let bytes = try? FileContent.bytes(of: path, limit: 64)
    else { return false }
    let numbers = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Int32($0) }
    guard !numbers.isEmpty else { return false }
    return numbers.allSatisfy { $0 > 0 && kill($0, 0) != 0 && errno == ESRCH }
  }

  // MARK: - Drafts and what was put aside

  private var drafts: [FileFact] {
    // Only of files that the aid writes: other programs have hidden files in such folders, too.
    let places: [(folder: String, isOurs: (String) -> Bool)] = [
      (
        stateFolder,
        {
          ["programs.json", "feedback.json", "setup.json", "wisdom"].contains($0) || $0.hasPrefix("book.")
        }
      ),
      (bookFolder, { $0.hasPrefix("book.") }),
      (runtimeFolder, { $0 == FilePath.name(of: socket) + ".configuration" }),
      (configuration.map(FilePath.folder) ?? "", { $0 == configuration.map(FilePath.name) }),
    ]
    return places.flatMap { place in
      Folder.names(in: place.folder).sorted().filter { Self.draftName($0).map(place.isOurs) == true }
        .map { place.folder + "/" + $0 }
    }.filter { path in
      guard let status = Self.status(path), status.st_mode & S_IFMT == S_IFREG else { return false }
      return Double(time(nil)) - Double(status.st_mtim.tv_sec) >= Repair.Step.draftAge
    }.map(FileFact.draft)
  }

  /// Name that a hidden file is to have, by the form that ``FileDraft`` gives it, `.NAME.x1y2z3`; nil: it has another form.
  private static func draftName(_ name: String) -> String? {
    guard name.hasPrefix("."), let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    let letters = name[name.index(after: dot)...]
    guard letters.utf8.count == 6, letters.allSatisfy({ $0.isASCII && ($0.isNumber || $0.isLowercase) })
    else {
      return nil
    }
    return String(name[name.index(after: name.startIndex)..<dot])
  }

  private var asides: [FileFact] {
    let kept = Folder.names(in: stateFolder).sorted().filter {
      $0.hasSuffix(".damaged") || $0.contains(".before-restore-")
    }
    let updates = configuration.map { path in
      [".new", ".dpkg-dist", ".ucf-dist"].map { path + $0 }.filter { Self.status($0) != nil }
    }
    return kept.map { .setAside(stateFolder + "/" + $0) } + (updates ?? []).map(FileFact.newConfiguration)
  }

  /// Of the file that a path leads to; nil when it cannot be looked at.
  private static func target(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  /// Of what lies at a path, a link itself; nil when it cannot be looked at.
  private static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }
}

extension AidFiles {
  /// The places of this user.
  ///
  /// - Parameter loaded: The configuration; nil: it cannot be read.
  init(_ paths: StandardPaths, socket: String, file: String?, loaded: LoadedConfiguration?, hasDaemon: Bool)
  {
    let named = loaded?.configuration
    self.init(
      stateFolder: paths.stateDirectory, claimFolder: paths.runtimeDirectory, socket: socket,
      configuration: file,
      hearing: [named?.hearing.audiogram].compactMap(\.self), hasDaemon: hasDaemon)
  }
}
