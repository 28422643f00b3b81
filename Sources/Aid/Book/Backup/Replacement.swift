import Base
import FoundationEssentials
import Glibc
import Sealing

/// Files and folders that take the places of others together: all or none, also when the process or the
/// machine ends in the middle.
///
/// The new ones lie finished beside their places. A note of all moves, written whole, is the moment from
/// which they are carried out, by this process or by the next one that finds the note.
package struct Replacement: Codable, Sendable, Equatable {
  /// A file to be put in place.
  package struct File: Sendable, Equatable {
    let path: String
    let bytes: [UInt8]?

    /// - Parameter bytes: Nil: the place is to be empty.
    package init(path: String, bytes: [UInt8]?) {
      self.path = path
      self.bytes = bytes
    }
  }

  struct Move: Codable, Sendable, Equatable {
    /// Nil: the place stays empty.
    let draft: String?
    let place: String
    /// Name under which the former one is kept.
    let aside: String
  }

  private(set) var moves: [Move] = []

  /// Note of a restoration under way.
  static func note(of folder: String) -> String { folder + ".restoring" }

  /// Name for what gives way to a file that is restored.
  package static func unusedName(beside path: String) throws(BookError) -> String {
    let name = path + ".before-restore"
    for number in 1..<1000 where try !BookFile.exists("\(name)-\(number)") { return "\(name)-\(number)" }
    throw .sealing(.fileExists(path: name))
  }

  mutating func add(_ draft: String, in place: String, keeping aside: String) {
    moves.append(Move(draft: draft, place: place, aside: aside))
  }

  /// Writes drafts of what is not in its place already.
  ///
  /// - Returns: Names under which former files will be kept.
  mutating func add(_ files: [File]) throws(BookError) -> [String] {
    do throws(BookError) { return try drafted(files) } catch {
      removeDrafts()
      throw error
    }
  }

  private mutating func drafted(_ files: [File]) throws(BookError) -> [String] {
    var kept: [String] = []
    for file in files {
      let former = try? FileContent.bytes(of: file.path, limit: BackupFile.greatestSize)
      let isThere = try BookFile.exists(file.path)
      guard former != file.bytes || (former == nil && isThere) else { continue }
      let aside = try Self.unusedName(beside: file.path)
      if isThere { kept.append(aside) }
      var draft: String?
      if let bytes = file.bytes {
        let folder = FilePath.folder(of: file.path)
        try BookFile.makeFolder(folder)
        let name = "\(folder)/.\(FilePath.name(of: file.path)).restore"
        // A configuration for the system stays readable to its daemon.
        let mode = FileTrust(of: file.path).map { $0.mode & 0o666 } ?? 0o600
        try BookFile.write(bytes, to: name, mode: mode, replacing: true)
        draft = name
      }
      moves.append(Move(draft: draft, place: file.path, aside: aside))
    }
    return kept
  }

  private func removeDrafts() { for move in moves { if let draft = move.draft { unlink(draft) } } }

  // MARK: - Carrying out

  /// Notes the moves and carries them out.
  ///
  /// - Parameter check: Refuses to begin, once all is ready.
  /// - Throws: ``BookError`` of the disk, and what `check` throws; then everything is as it was; otherwise the note stays, and what it names.
  func carryOut(
    notedAt note: String, checking check: () throws(BookError) -> Void = {}
  ) throws(BookError) {
    let turn: FolderTurn
    do throws(BookError) {
      turn = try Self.turn(in: FilePath.folder(of: note))
      try check()
    } catch {
      // A note that lies there is another's, and so is what it has moved.
      removeDrafts()
      throw error
    }
    defer { withExtendedLifetime(turn) {} }
    do throws(BookError) {
      let text: [UInt8]
      do { text = Array(try JSONEncoder().encode(self)) } catch {
        throw .sealing(.inputOutput(path: note, reason: "\(error)"))
      }
      try BookFile.write(text, to: note, replacing: false)
      try move()
    } catch {
      // Another's note, and what it has moved is for its own end.
      if case .sealing(.fileExists(path: note)) = error {
        removeDrafts()
        throw error
      }
      guard undo() else {
        throw .sealing(
          .inputOutput(path: note, reason: "a restoration is finished when the book is opened next"))
      }
      removeDrafts()
      unlink(note)
      throw error
    }
    unlink(note)
    WholeFile.synchronize(folder: FilePath.folder(of: note))
  }

  /// Carries out the moves of a note that another process has left.
  static func finish(notedAt note: String) throws(BookError) {
    guard try BookFile.exists(note) else { return }
    let turn = try Self.turn(in: FilePath.folder(of: note))
    defer { withExtendedLifetime(turn) {} }
    // Gone when somebody else had the turn before.
    guard let bytes = try BookFile.bytes(of: note, limit: 1 << 20) else { return }
    guard let left = try? JSONDecoder().decode(Replacement.self, from: Data(bytes)) else {
      throw .sealing(.inputOutput(path: note, reason: "it is not a note of a restoration"))
    }
    try left.move()
    unlink(note)
    WholeFile.synchronize(folder: FilePath.folder(of: note))
  }

  /// Does what is not done yet.
  private func move() throws(BookError) {
    for move in moves {
      if let draft = move.draft, try !BookFile.exists(draft) { continue }
      if try BookFile.exists(move.place), try !BookFile.exists(move.aside) {
        try Self.rename(move.place, to: move.aside)
      }
      if let draft = move.draft { try Self.rename(draft, to: move.place) }
      WholeFile.synchronize(folder: FilePath.folder(of: move.place))
    }
  }

  /// - Returns: True when everything is as it was.
  private func undo() -> Bool {
    for move in moves.reversed() {
      if let draft = move.draft, Self.isGone(draft) { Glibc.rename(move.place, draft) }
      if !Self.isGone(move.aside), Self.isGone(move.place) {
        Glibc.rename(move.aside, move.place)
      }
    }
    return moves.allSatisfy { Self.isGone($0.aside) && !($0.draft.map(Self.isGone) ?? false) }
  }

  private static func isGone(_ path: String) -> Bool { (try? BookFile.exists(path)) == false }

  private static func rename(_ path: String, to other: String) throws(BookError) {
    guard Glibc.rename(path, other) == 0 else { throw BookFile.failure(errno, other) }
  }

  /// One process at a time.
  private static func turn(in folder: String) throws(BookError) -> FolderTurn {
    do { return try FolderTurn(in: folder, patience: .infinity) } catch {
      throw BookFile.failure(error.code, folder)
    }
  }
}
