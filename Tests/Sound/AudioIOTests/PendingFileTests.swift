import Base
import Glibc
import Testing

@testable import AudioIO

@Suite("Files in the making") struct PendingFileTests {
  @Test(
    "a disk that fills up is said to be full, with what is needed and what is free",
    arguments: ["full.wav", "full.flac"])
  func diskFull(name: String) throws {
    // Every write to this device fails with ENOSPC (full(4)).
    let descriptor = open("/dev/full", O_RDWR)
    try #require(descriptor >= 0)
    let pending = PendingFile(FileDraft(of: name, descriptor: descriptor))
    let container = try SoundFileWriter.container(path: name)
    let noise = (0..<50_000).map { n -> Float in
      let step = (n &* 7919) % 65_536 - 32_768
      return Float(step) * 0x1p-15
    }
    do {
      var writer = try SoundFileWriter(
        pending, container: container, rate: 44_100, expectedFrames: nil)
      for _ in 0..<4 { try writer.write(left: noise.span, right: noise.span) }
      try writer.finish()
      Issue.record("it was written")
    } catch {
      guard case .diskFull(let path, let needed, _) = error else {
        Issue.record("the error is \(error)")
        return
      }
      #expect(path == name && needed > 0)
    }
  }
}
