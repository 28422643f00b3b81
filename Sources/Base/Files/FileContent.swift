import Glibc

/// Whole files, read at once.
public enum FileContent {
  /// Bytes of a file.
  ///
  /// Directories, devices and named pipes are refused, because reading them could wait for ever. A pipe
  /// that the caller has open and names by `/dev/fd`, as a shell's `<(command)` does, is read to its end.
  ///
  /// - Parameter limit: Greatest size accepted, bytes.
  /// - Throws: ``Failure``: ``ExitStatus/noInput`` when there is none, ``ExitStatus/noPermission`` when it
  ///   may not be read, ``ExitStatus/badData`` when it is not a file or too big, ``ExitStatus/inputOutput``
  ///   when reading fails.
  public static func bytes(of path: String, limit: Int) throws(Failure) -> [UInt8] {
    let (descriptor, _) = try opened(path)
    defer { close(descriptor) }
    return try content(of: descriptor, limit: limit, named: path)
  }

  /// Refuses a file that ``bytes(of:limit:)`` would not open, before something else is asked for.
  ///
  /// - Throws: ``Failure`` as ``bytes(of:limit:)``.
  package static func check(_ path: String) throws(Failure) {
    let (descriptor, _) = try opened(path)
    close(descriptor)
  }

  /// First and last line of a file that has a line for each thing that happened; what lies between is not read.
  ///
  /// - Parameter longest: Bytes of a line at most.
  /// - Returns: Lines without their ends; nil for one that is cut off or too long. Of a single line there is no last one.
  /// - Throws: ``Failure`` as ``bytes(of:limit:)``.
  package static func endLines(
    of path: String, longest: Int = 1 << 20
  ) throws(Failure) -> (first: [UInt8]?, last: [UInt8]?) {
    let (descriptor, size) = try opened(path)
    defer { close(descriptor) }
    let end = UInt8(ascii: "\n")
    func lines(_ count: Int) throws(Failure) -> (first: [UInt8]?, last: [UInt8]?) {
      let head = try part(of: descriptor, from: 0, count: min(count, size), named: path)
      let tail = try part(of: descriptor, from: max(0, size - count), count: min(count, size), named: path)
      let first = head.firstIndex(of: end).map { Array(head[..<$0]) }
      guard tail.last == end, let before = tail.dropLast().lastIndex(of: end) else { return (first, nil) }
      return (first, Array(tail[(before + 1)...].dropLast()))
    }
    // Most lines are short.
    let found = try lines(1 << 14)
    return found.first == nil || found.last == nil ? try lines(longest) : found
  }

  /// - Returns: Descriptor, which the caller closes, and size, bytes.
  private static func opened(_ path: String) throws(Failure) -> (descriptor: Int32, size: Int) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(errno, path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      close(descriptor)
      throw failure(errno, path)
    }
    if status.st_mode & S_IFMT == S_IFIFO, isInherited(path) {
      _ = fcntl(descriptor, F_SETFL, 0)
    } else if status.st_mode & S_IFMT != S_IFREG {
      close(descriptor)
      throw Failure(path, found: "something that is not a file", expected: "a file", exit: .badData)
    }
    return (descriptor, Int(status.st_size))
  }

  private static func part(
    of descriptor: Int32, from start: Int, count: Int, named name: String
  ) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var read = 0
    while read < count {
      let more = bytes.withUnsafeMutableBytes { memory in
        pread(descriptor, memory.baseAddress! + read, count - read, off_t(start + read))
      }
      if more < 0, errno == EINTR { continue }
      guard more >= 0 else { throw reading(.last, name) }
      if more == 0 { break }
      read += more
    }
    return Array(bytes.prefix(read))
  }

  private static func reading(_ error: SystemError, _ name: String) -> Failure {
    Failure(name, found: "that reading it fails: \(error.words)", exit: .inputOutput)
  }

  /// True for the name of what the caller has open, as of a shell's `<(command)`: a pipe there has an end.
  package static func isInherited(_ path: String) -> Bool {
    path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/") || path == "/dev/stdin"
  }

  /// Bytes of standard input, to its end.
  ///
  /// - Parameter limit: Greatest size accepted, bytes.
  /// - Throws: ``Failure`` as ``bytes(of:limit:)``.
  package static func bytesOfStandardInput(limit: Int) throws(Failure) -> [UInt8] {
    try content(of: STDIN_FILENO, limit: limit, named: "standard input")
  }

  private static func content(
    of descriptor: Int32, limit: Int, named name: String
  ) throws(Failure) -> [UInt8] {
    guard let bytes = try rethrowing({ reading($0, name) }, try rest(of: descriptor, limit: limit)) else {
      throw Failure(name, found: "more than \(limit) bytes", expected: "a smaller file", exit: .badData)
    }
    return bytes
  }

  /// Bytes from an open descriptor to its end; nil when there are more than `limit`.
  ///
  /// - Throws: ``SystemError`` when reading fails.
  package static func rest(of descriptor: Int32, limit: Int) throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { return nil }
      bytes += chunk[..<count]
    }
  }

  private static func failure(_ code: Int32, _ path: String) -> Failure {
    switch code {
    case ENOENT, ENOTDIR: Failure(path, found: "no such file", expected: "a file", exit: .noInput)
    case EACCES, EPERM:
      Failure(
        path, found: "no permission to read it", expected: "a file that user \(geteuid()) may read",
        exit: .noPermission)
    default:
      Failure(path, found: "that it cannot be opened: \(SystemError.words(for: code))", exit: .inputOutput)
    }
  }
}
