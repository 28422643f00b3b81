import Acoustics
import AudioIO
import CommonTesting
import Glibc
import Testing

@testable import Engine
@testable import EngineTesting

@Suite("A disk that fills up while rendering", .enabled(if: SmallDisk.isPossible)) struct FullDiskTests {
  // WAV says beforehand that it will not fit; FLAC is found out on the way.
  @Test("is named with what was needed, and nothing is left", arguments: ["out.wav", "out.flac"])
  func full(output: String) throws {
    let disk = try #require(SmallDisk(size: "256k"))
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
    #expect(disk.names.isEmpty)
    // A shorter one fits afterwards.
    try folder.record("short.wav", left: Signal.babble(peak: 0.3, count: 4410))
    _ = try FileRendering(inputs: [folder.file("short.wav")], output: path, hearing: HearingSettings())
      .run()
    #expect(disk.names == [output])
  }
}
