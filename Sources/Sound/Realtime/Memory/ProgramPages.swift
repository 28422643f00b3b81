import Base
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
  ///   - discard: Releases `count` bytes from `start`; replaced in tests.
  /// - Threads: control, before sound flows: code of the audio thread is released as well.
  public static func release(
    smaps: String = "/proc/self/smaps",
    discard: (_ start: UInt, _ count: UInt) -> Void = { start, count in
      _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: start), Int(count), MADV_DONTNEED)
    }
  ) {
    let text = (try? FileContent.bytes(of: smaps, limit: 1 << 26)) ?? []
    for range in cleanCode(text) { discard(range.lowerBound, UInt(range.count)) }
  }

  /// Addresses of the mappings in `smaps` that hold code of a file and nothing else.
  static func cleanCode(_ smaps: [UInt8]) -> [Range<UInt>] {
    var found: [Range<UInt>] = []
    var candidate: Range<UInt>?
    // Byte by byte, and only the lines of code are taken apart: a start has 5,000 lines here and waits for them.
    var start = 0
    while start < smaps.count {
      let end = smaps[start...].firstIndex(of: UInt8(ascii: "\n")) ?? smaps.count
      let line = smaps[start..<end]
      start = end + 1
      guard let first = line.first else { continue }
      if isHexadecimal(first) {
        candidate = codeRange(line)
      } else if let range = candidate, line.starts(with: anonymous) {
        if line.split(separator: space).dropFirst().first?.elementsEqual("0".utf8) == true {
          found.append(range)
        }
        candidate = nil
      }
    }
    return found
  }

  /// Of a mapping's lines the one that says how much of it is no file's; kB, without zeros in front.
  private static let anonymous = Array("Anonymous:".utf8)
  private static let space = UInt8(ascii: " ")

  /// Addresses are written in small letters; the names of all other lines begin with a capital one.
  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
  }

  /// `start-end r-xp offset device inode /path`, the line that begins a mapping; nil for another kind of
  /// mapping.
  private static func codeRange(_ line: ArraySlice<UInt8>) -> Range<UInt>? {
    let words = line.split(separator: space)
    guard words.count >= 6, words[1].elementsEqual("r-xp".utf8), words[5].first == UInt8(ascii: "/") else {
      return nil
    }
    let ends = words[0].split(separator: UInt8(ascii: "-")).map {
      UInt(String(decoding: $0, as: UTF8.self), radix: 16)
    }
    guard ends.count == 2, let start = ends[0], let end = ends[1], start < end else { return nil }
    return start..<end
  }
}
