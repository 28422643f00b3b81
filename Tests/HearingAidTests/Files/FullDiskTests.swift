import Acoustics
import AudioIO
import Glibc
import Testing

@testable import HearingAid

/// A disk of 256 KiB, made of memory.
final class SmallDisk {
  /// Whether this process may mount one.
  static let isPossible: Bool = SmallDisk() != nil

  let path: String

  init?() {
    var template = Array("/tmp/auricle-disk-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    guard getuid() == 0, mount("tmpfs", path, "tmpfs", 0, "size=256k") == 0 else {
      rmdir(path)
      return nil
    }
  }

  deinit {
    umount(path)
    rmdir(path)
  }

  var contents: [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names.filter { $0 != "." && $0 != ".." }
  }
}

@Suite("A disk that fills up while rendering", .enabled(if: SmallDisk.isPossible)) struct FullDiskTests {
  // WAV says beforehand that it will not fit; FLAC is found out on the way.
  @Test("is named with what was needed, and nothing is left", arguments: ["out.wav", "out.flac"])
  func full(output: String) throws {
    let disk = try #require(SmallDisk())
    let folder = TemporaryFolder()
    // 2 s of 24-bit stereo are 529 200 bytes.
    try folder.record(
      "in.wav", left: Signal.babble(peak: 0.3, count: 88_200),
      right: Signal.babble(peak: 0.3, count: 88_200, seed: 2))
    let path = "\(disk.path)/\(output)"
    do {
      _ = try FileRendering(inputs: [folder.file("in.wav")], output: path, hearing: HearingSettings()).run()
      Issue.record("it was rendered")
    } catch {
      guard case .sound(.diskFull(path, let needed, let free)) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(needed > 0 && free <= 262_144)
    }
    #expect(disk.contents.isEmpty)
    // A shorter one fits afterwards.
    try folder.record("short.wav", left: Signal.babble(peak: 0.3, count: 4410))
    _ = try FileRendering(inputs: [folder.file("short.wav")], output: path, hearing: HearingSettings())
      .run()
    #expect(disk.contents == [output])
  }
}
