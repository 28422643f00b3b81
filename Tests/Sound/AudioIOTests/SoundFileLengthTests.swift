import CSndfile
import CommonTesting
import Testing

@testable import AudioIO

/// The length that a file states, and the one that it has.
@Suite("Length of a sound file") struct SoundFileLengthTests {
  private let folder = TemporaryFolder()

  /// Half a second of a tone as Ogg Vorbis, written by the library that reads it.
  private static func oggVorbis(_ folder: TemporaryFolder) throws -> [UInt8] {
    var info = SF_INFO()
    info.samplerate = 8000
    info.channels = 1
    info.format = Int32(SF_FORMAT_OGG | SF_FORMAT_VORBIS)
    let file = try #require(sf_open(folder.file("whole.ogg"), Int32(SFM_WRITE), &info))
    let samples = (0..<4000).map { Float($0 % 20) / 40 - 0.25 }
    #expect(sf_writef_float(file, samples, 4000) == 4000)
    sf_close(file)
    return folder.bytes(of: "whole.ogg")
  }

  @Test("a file without a frame is refused by that")
  func empty() throws {
    let path = folder.file("empty.wav")
    try SoundFileWriter(path: path, rate: 48_000).finish()
    do {
      let reader = try SoundFileReader(path: path)
      Issue.record("a length of \(reader.frameCount) frames")
    } catch {
      #expect(error == .lengthRefused(path: path))
    }
  }

  /// In a process of its own: libsndfile 1.2.0 says 2⁶³ − 1 of such a file, which times a ratio of rates is no Int.
  @Test("an Ogg file that was cut off is refused by that, and ends no process")
  func cutOff() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let whole = try SoundFileLengthTests.oggVorbis(folder)
      let path = folder.file("cut.ogg")
      for count in [whole.count - 1, whole.count - 100, whole.count - 300] {
        folder.write(Array(whole.prefix(count)), to: "cut.ogg")
        do {
          let reader = try SoundFileReader(path: path, anyRate: true)
          let resampled = reader.resampled(to: 48_000)
          Issue.record("a length of \(resampled.frameCount) frames")
        } catch let error as SoundFileError {
          #expect(error == .lengthRefused(path: path))
        }
      }
    }
  }

  @Test("a whole Ogg file has its length at any rate")
  func whole() throws {
    _ = try Self.oggVorbis(folder)
    let reader = try SoundFileReader(path: folder.file("whole.ogg"), anyRate: true)
    #expect(reader.frameCount == 4000)
    #expect(reader.resampled(to: 48_000).frameCount == 24_000)
  }

  /// FLAC states its length in 36 bits, of which byte 25 of the file is the last (RFC 9639, section 8.2), and
  /// libsndfile believes it.
  @Test("a file that states hours and has a tenth of a second gives that, not hours of silence")
  func overstated() throws {
    var writer = try SoundFileWriter(path: folder.file("a.flac"), rate: 8000)
    let tone = (0..<800).map { Float($0 % 20) / 40 - 0.25 }
    try writer.write(left: tone.span, right: tone.span)
    try writer.finish()
    var bytes = folder.bytes(of: "a.flac")
    try #require(bytes.starts(with: "fLaC".utf8) && bytes[25] == UInt8(800 & 0xFF))
    bytes[22] = 0x40
    folder.write(bytes, to: "a.flac")
    let reader = try SoundFileReader(path: folder.file("a.flac"), anyRate: true)
    try #require(reader.frameCount > 1 << 29)
    var resampled = reader.resampled(to: 48_000)
    var total = 0
    var left = [Float](repeating: 0, count: 4096)
    var right = left
    for _ in 0..<100 {
      var leftSpan = left.mutableSpan
      var rightSpan = right.mutableSpan
      let got = try resampled.read(left: &leftSpan, right: &rightSpan)
      if got == 0 { break }
      total += got
    }
    // 800 frames of six at the other rate.
    #expect(total == 4800)
    #expect(resampled.frameCount == 4800)
  }

  /// A file of which a WAV header could state so many frames at most.
  private func begun(_ name: String, most frames: Int, expected: Int? = nil) throws -> SoundFileWriter {
    let path = folder.file(name)
    return try SoundFileWriter(
      PendingFile(path: path), container: SoundFileWriter.container(path: path), rate: 8000,
      expectedFrames: expected, greatestWAV: 6 * frames)
  }

  @Test("a WAV file holds what 32 bits can state together with a header: 4.5 hours of 6 bytes at 44.1 kHz")
  func greatestWAV() {
    #expect(SoundFileWriter.greatestWAV + 4096 == 4_294_967_296)
    #expect(SoundFileWriter.greatestWAV / 6 / 44_100 == 16_231)
  }

  @Test("sound that is known to be longer than a WAV file can state is refused before it begins")
  func tooLongFromTheStart() throws {
    #expect(throws: SoundFileError.tooLong(path: folder.file("a.wav"), most: 6000)) {
      _ = try begun("a.wav", most: 1000, expected: 1001)
    }
    // Also where no disk has the room: freeing some would not help.
    #expect(throws: SoundFileError.tooLong(path: folder.file("a.wav"), most: 6000)) {
      _ = try begun("a.wav", most: 1000, expected: 1 << 58)
    }
    #expect(folder.names == [])
    _ = try begun("a.wav", most: 1000, expected: 1000)
    _ = try begun("a.flac", most: 1000, expected: 1001)
  }

  @Test("a file that needs more room than there is is refused before it begins")
  func noRoom() {
    do {
      _ = try begun("big.wav", most: 1 << 58, expected: 1 << 58)
      Issue.record("it was begun")
    } catch {
      guard case .diskFull(let path, let needed, let free)? = error as? SoundFileError else {
        Issue.record("the error is \(error)")
        return
      }
      #expect(path == folder.file("big.wav") && needed == (1 << 58) * 6 && free > 0 && free < needed)
    }
    #expect(folder.names == [])
  }

  @Test("sound that turns out to be longer stops there: what was written is a whole file, and FLAC goes on")
  func tooLongLater() throws {
    let sound = [Float](repeating: 0.25, count: 600)
    let rest = [Float](repeating: 0.25, count: 400)
    var writer = try begun("a.wav", most: 1000)
    try writer.write(left: sound.span, right: sound.span)
    do {
      try writer.write(left: sound.span, right: sound.span)
      Issue.record("it was written")
    } catch {
      #expect(error == .tooLong(path: folder.file("a.wav"), most: 6000))
    }
    try writer.write(left: rest.span, right: rest.span)
    try writer.finish()
    #expect(try SoundFileReader(path: folder.file("a.wav"), anyRate: true).frameCount == 1000)
    var other = try begun("a.flac", most: 1000)
    for _ in 0..<2 { try other.write(left: sound.span, right: sound.span) }
    try other.finish()
    #expect(try SoundFileReader(path: folder.file("a.flac"), anyRate: true).frameCount == 1200)
  }

  @Test("longest and longer: what is stated beyond half a year is refused")
  func bound() {
    // The greatest ratio of rates that is resampled keeps it a whole number that a Double has.
    let ratio =
      Double(SoundFileReader.resampledRates.upperBound) / Double(SoundFileReader.resampledRates.lowerBound)
    let frames = SoundFileReader.frames(SoundFileReader.greatestFrameCount, times: ratio)
    #expect(frames == SoundFileReader.greatestFrameCount * 96)
    #expect(Double(frames) < 0x1p53)
  }
}
