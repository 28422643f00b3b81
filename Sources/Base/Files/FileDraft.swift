import CLinux
import Glibc

/// A file being written that takes its name when it is whole.
///
/// Until then it has no name at all, so that nothing is left of it however its process ends, and what has
/// the name keeps it. Some file systems know no files without names (FAT, NFS), and naming one later needs
/// /proc: where either is missing it has a hidden name beside the real one, which only a killed process
/// leaves behind. ``FreeName`` says how that becomes the real one where nothing may be replaced.
///
///     let draft = try FileDraft(of: path, mode: 0o600)
///     try draft.write(bytes)
///     try draft.publish()
///
/// - Threads: one at a time.
package struct FileDraft: ~Copyable {
  /// The name that it will have.
  package let path: String
  /// The open file, for reading and writing; closed with the draft.
  package let descriptor: Int32
  /// Its hidden name; nil: it has none.
  let hiddenName: String?

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - path: The name to be. A symbolic link of that name will be replaced, not followed.
  ///   - mode: Its permissions, of which the user's umask takes its part.
  ///   - nameless: False always gives it a hidden name.
  /// - Throws: ``SystemError`` when the folder does not take it; `EISDIR` for a path without a file's name.
  package init(of path: String, mode: UInt32, nameless: Bool = true) throws(SystemError) {
    self.path = path
    guard path.utf8.last ?? UInt8(ascii: "/") != UInt8(ascii: "/") else { throw SystemError(code: EISDIR) }
    if nameless, let descriptor = Self.nameless(in: FilePath.folder(of: path), mode: mode) {
      (self.descriptor, hiddenName) = (descriptor, nil)
      return
    }
    var descriptor: Int32 = -1
    hiddenName = try Self.hiddenName(beside: path) { name in
      descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
      return descriptor < 0 ? errno : 0
    }
    self.descriptor = descriptor
  }

  /// On a file that is open already and takes no name.
  package init(of path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
    hiddenName = nil
  }

  deinit {
    close(descriptor)
    // After it was published the hidden name is gone, and this removes nothing.
    if let hiddenName { unlink(hiddenName) }
  }

  /// Adds bytes.
  ///
  /// - Throws: ``SystemError``, such as `ENOSPC`.
  package borrowing func write(_ bytes: [UInt8]) throws(SystemError) {
    let descriptor = descriptor
    try Self.put(bytes) { Glibc.write(descriptor, $0, $1) }
  }

  /// Writes all bytes, however few each call takes.
  ///
  /// - Parameter write: As `write(2)`, of a descriptor.
  static func put(_ bytes: [UInt8], _ write: (UnsafeRawPointer?, Int) -> Int) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { write($0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last }
      guard count > 0 else { throw SystemError(code: EIO) }
      done += count
    }
  }

  /// Brings the content to the disk.
  ///
  /// - Throws: ``SystemError``, such as `ENOSPC`: some disks tell it no sooner.
  package borrowing func synchronize() throws(SystemError) {
    // EINVAL: a special file, which has nothing to be brought anywhere.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last }
  }

  /// Brings the content to the disk and gives it its name, in one step.
  ///
  /// - Parameter replacing: False: a file of that name stays, and the call fails with `EEXIST`.
  /// - Throws: ``SystemError``; then nothing is left of it, and what had the name has it still.
  package consuming func publish(replacing: Bool = true) throws(SystemError) {
    try synchronize()
    if let hiddenName {
      if replacing {
        guard rename(hiddenName, path) == 0 else { throw .last }
      } else {
        try FreeName.take(path, for: hiddenName)
      }
    } else {
      try name(replacing: replacing)
    }
    // Btrfs notes nothing of a file as long as it has no name.
    fsync(descriptor)
    WholeFile.synchronize(folder: FilePath.folder(of: path))
  }

  /// A first name for a file that has none. A name that is taken can only be taken over by another name.
  private borrowing func name(replacing: Bool) throws(SystemError) {
    let code = -clinux_name_file(descriptor, path)
    if code == 0 { return }
    guard code == EEXIST, replacing else { throw SystemError(code: code) }
    let descriptor = descriptor
    let hidden = try Self.hiddenName(beside: path) { -clinux_name_file(descriptor, $0) }
    guard rename(hidden, path) == 0 else {
      let code = errno
      unlink(hidden)
      throw SystemError(code: code)
    }
  }

  // MARK: - Names

  /// A descriptor of a file without a name; nil where there is no such thing, or no way to name it later,
  /// and where nothing can be written: then the attempt with a name says why.
  private static func nameless(in folder: String, mode: UInt32) -> Int32? {
    let descriptor = clinux_open_nameless(folder, mode_t(mode))
    guard descriptor >= 0 else { return nil }
    guard access("/proc/self/fd/\(descriptor)", F_OK) == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// A free name `.NAME.XXXXXX` in the folder of a file, found by trying.
  ///
  /// - Parameter take: Takes a name; its result is an `errno`, 0 when it is taken now.
  private static func hiddenName(
    beside path: String, _ take: (String) -> Int32
  ) throws(SystemError) -> String {
    // A name has 255 bytes at most (NAME_MAX). A letter cut in two becomes three bytes.
    let kept = String(decoding: FilePath.name(of: path).utf8.prefix(240), as: UTF8.self)
    while true {
      let letters = String(
        (0..<6).map { _ in "0123456789abcdefghijklmnopqrstuvwxyz".randomElement() ?? "0" })
      let candidate = "\(FilePath.folder(of: path))/.\(kept).\(letters)"
      switch take(candidate) {
      case 0: return candidate
      case EEXIST, EINTR: continue
      case let code: throw SystemError(code: code)
      }
    }
  }
}

/// Parts of a path.
public enum FilePath {
  /// The folder that a file lies in: "." for a name alone, "/" below the root.
  public static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Part after the last slash.
  public static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The path without slashes at its end.
  public static func withoutLastSlashes(_ path: String) -> String {
    var path = path
    while path.count > 1, path.last == "/" { path.removeLast() }
    return path
  }

  /// True when two paths lead to one file, by whatever way, or would where neither is there yet.
  package static func isSame(_ a: String, _ b: String) -> Bool {
    var (first, second) = (stat(), stat())
    if stat(a, &first) == 0, stat(b, &second) == 0 {
      return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }
    guard let place = place(of: a) else { return false }
    return place == Self.place(of: b)
  }

  /// The name in the folder as it is without links; nil: there is no such folder.
  private static func place(of path: String) -> String? {
    guard let folder = realpath(folder(of: path), nil) else { return nil }
    defer { free(folder) }
    return String(cString: folder) + "/" + name(of: path)
  }
}
