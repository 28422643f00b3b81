import Glibc

/// The pages of program code that are mapped into this process.
///
/// A start reads the configuration, unlocks the book and checks signatures: megabytes of code that sound
/// never runs again. The kernel maps sixteen pages around each one touched, and keeps them mapped; a lock
/// of all memory would hold them for good.
public enum ProgramPages {
  /// Releases code that is mapped from files, here and in libraries; pages that are needed again are mapped
  /// again as they are touched, from the page cache.
  ///
  /// A mapping of which a page was written to (a debugger's breakpoint, say) is left alone, since that page
  /// is nowhere else. Nothing happens where `smaps` cannot be read or memory is locked.
  ///
  /// - Parameters:
  ///   - smaps: Description of the process's mappings (proc(5)); replaced in tests.
  ///   - release: Releases `count` bytes from `start`; replaced in tests.
  /// - Threads: control, before sound flows: code of the audio thread is released as well.
  public static func letGo(
    smaps: String = "/proc/self/smaps",
    release: (_ start: UInt, _ count: UInt) -> Void = { start, count in
      _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: start), Int(count), MADV_DONTNEED)
    }
  ) {
    for range in cleanCode(text(of: smaps)) { release(range.lowerBound, UInt(range.count)) }
  }

  /// Addresses of the mappings in `smaps` that hold code of a file and nothing else.
  static func cleanCode(_ smaps: String) -> [Range<UInt>] {
    var found: [Range<UInt>] = []
    var candidate: Range<UInt>?
    for line in smaps.utf8.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "))
      guard let first = words.first else { continue }
      if first.last != UInt8(ascii: ":") {
        candidate = codeRange(words)
      } else if first.elementsEqual("Anonymous:".utf8), words.count > 1, let range = candidate {
        if words[1].elementsEqual("0".utf8) { found.append(range) }
        candidate = nil
      }
    }
    return found
  }

  /// `start-end r-xp offset device inode /path`, the line that begins a mapping; nil for another kind of
  /// mapping.
  private static func codeRange(_ words: [Substring.UTF8View]) -> Range<UInt>? {
    guard words.count >= 6, words[1].elementsEqual("r-xp".utf8), words[5].first == UInt8(ascii: "/") else {
      return nil
    }
    let ends = words[0].split(separator: UInt8(ascii: "-")).map { UInt(Substring($0), radix: 16) }
    guard ends.count == 2, let start = ends[0], let end = ends[1], start < end else { return nil }
    return start..<end
  }

  /// The whole of a file of /proc, whose length is not known beforehand; empty when it cannot be read.
  private static func text(of path: String) -> String {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 16384)
    while case let count = unsafe read(file, &part, part.count), count > 0 { bytes += part[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
