import AudioIO
import CommonTesting
import Glibc
import Testing

@Suite("Sound files") struct SoundFileTests {
  let folder = TemporaryFolder()

  /// Left and right, each sample an exact multiple of 2^-15.
  static let left = (0..<10_000).map { Float(($0 &* 7919) % 65_536 - 32_768) * 0x1p-15 }
  static let right = (0..<10_000).map { Float(($0 &* 104_729) % 65_536 - 32_768) * 0x1p-15 }

  func write(
    _ name: String, rate: Int = 44_100, left: [Float] = Self.left, right: [Float] = Self.right
  ) throws {
    var writer = try SoundFileWriter(path: folder.file(name), rate: rate, expectedFrames: left.count)
    try writer.write(left: left.span, right: right.span)
    try writer.finish()
  }

  /// All of a source, read in blocks that do not divide it.
  func readAll(_ source: inout SoundFileReader) throws -> (left: [Float], right: [Float]) {
    var result: (left: [Float], right: [Float]) = ([], [])
    var left = [Float](repeating: 0, count: 777)
    var right = left
    while true {
      var leftSpan = left.mutableSpan
      var rightSpan = right.mutableSpan
      let count = try source.read(left: &leftSpan, right: &rightSpan)
      if count == 0 { return result }
      result.left += left[..<count]
      result.right += right[..<count]
    }
  }

  @Test("what is written is read back bit for bit", arguments: ["a.wav", "a.flac", "A.WAV"])
  func roundTrip(name: String) throws {
    try write(name)
    var reader = try SoundFileReader(path: folder.file(name))
    #expect(reader.rate == 44_100 && reader.frameCount == 10_000)
    let (left, right) = try readAll(&reader)
    #expect(left == Self.left && right == Self.right)
    #expect(folder.names == [name])
  }

  @Test("one channel is heard in both ears")
  func mono() throws {
    let samples = Self.left.map { Int16($0 * 0x1p15) }
    folder.write(WAVE.bytes(rate: 44_100, channels: 1, samples: samples), to: "mono.wav")
    var reader = try SoundFileReader(path: folder.file("mono.wav"))
    let (left, right) = try readAll(&reader)
    #expect(left == Self.left && right == Self.left)
  }

  @Test("what does not fit full scale is held there and counted")
  func clipping() throws {
    var writer = try SoundFileWriter(path: folder.file("clip.wav"), rate: 48_000)
    let loud: [Float] = [0.5, 1.5, -1.5, .nan, .infinity]
    try writer.write(left: loud.span, right: [Float](repeating: 0, count: 5).span)
    let clipped = writer.clippedSamples
    #expect(clipped == 4)
    try writer.finish()
    var reader = try SoundFileReader(path: folder.file("clip.wav"))
    #expect(try readAll(&reader).left == [0.5, 1 - 0x1p-23, -1, 0, 1 - 0x1p-23])
  }

  @Test("a writer that is dropped leaves nothing, and what stood there still stands")
  func dropped() throws {
    folder.write([1, 2, 3], to: "kept.wav")
    do {
      var writer = try SoundFileWriter(path: folder.file("kept.wav"), rate: 44_100)
      try writer.write(left: Self.left.span, right: Self.right.span)
      #expect(folder.bytes(of: "kept.wav") == [1, 2, 3])
    }
    #expect(folder.names == ["kept.wav"])
    #expect(folder.bytes(of: "kept.wav") == [1, 2, 3])
  }

  @Test("a link of the file's name is replaced, and what it leads to stays as it was")
  func link() throws {
    folder.write([1, 2, 3], to: "real.wav")
    #expect(symlink("real.wav", folder.file("a.wav")) == 0)
    try write("a.wav")
    #expect(folder.names == ["a.wav", "real.wav"])
    #expect(folder.bytes(of: "real.wav") == [1, 2, 3])
    var status = stat()
    #expect(lstat(folder.file("a.wav"), &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
  }

  @Test(
    "a disk that fills up while a sound is written keeps the sound that stood there",
    .enabled(if: SmallDisk.isPossible, "mounting is for root"))
  func disk() throws {
    let disk = try #require(SmallDisk(size: "128k"))
    let path = disk.path + "/a.wav"
    let second = [Float](repeating: 0.5, count: 8000)
    func write(seconds: Int) throws(SoundFileError) {
      // A length that is not known beforehand cannot be refused beforehand.
      var writer = try SoundFileWriter(path: path, rate: 8000)
      for _ in 0..<seconds { try writer.write(left: second.span, right: second.span) }
      try writer.finish()
    }
    // 48 kB, then 960 kB.
    try write(seconds: 1)
    do {
      try write(seconds: 20)
      Issue.record("it was written")
    } catch {
      guard case .diskFull(path, _, _) = error else {
        Issue.record("the error is \(error)")
        return
      }
    }
    #expect(disk.names == ["a.wav"])
    #expect(try SoundFileReader(path: path, anyRate: true).frameCount == 8000)
  }

  @Test(
    "names that say no format are refused",
    arguments: ["a.mp3", "a"])
  func badName(name: String) {
    let path = folder.file(name)
    #expect(throws: SoundFileError.formatRefused(path: path, expected: [".wav", ".flac"])) {
      _ = try SoundFileWriter(path: path, rate: 44_100)
    }
  }

  @Test("a folder that does not exist cannot be written to")
  func noFolder() {
    let path = folder.file("none/a.wav")
    #expect(throws: SoundFileError.unwritable(path: path, errno: ENOENT)) {
      _ = try SoundFileWriter(path: path, rate: 44_100)
    }
  }

  // MARK: - Reading what is wrong

  @Test("a missing file is called missing")
  func missing() {
    let path = folder.file("none.wav")
    #expect(throws: SoundFileError.missing(path: path)) { _ = try SoundFileReader(path: path) }
  }

  @Test("a pipe is refused as no file, without waiting for whoever would write into it")
  func pipe() {
    let path = folder.file("pipe.wav")
    #expect(mkfifo(path, 0o600) == 0)
    let refusal = SoundFileError.notAudio(path: path, reason: "it is not a file")
    #expect(throws: refusal) { _ = try SoundFileReader(path: path) }
  }

  @Test("text, a folder and an empty file are not sound", arguments: ["text.wav", "empty.wav", "."])
  func notAudio(name: String) {
    folder.write(Array("This is not a sound, whatever its name says.".utf8), to: "text.wav")
    folder.write([], to: "empty.wav")
    do {
      _ = try SoundFileReader(path: folder.file(name))
      Issue.record("it was opened")
    } catch {
      guard case .notAudio(let path, let reason) = error else {
        Issue.record("the error is \(error)")
        return
      }
      #expect(path == folder.file(name) && !reason.isEmpty && reason.last != ".")
    }
  }

  @Test("a file that ends early gives what it has")
  func truncated() throws {
    try write("whole.wav")
    folder.write(Array(folder.bytes(of: "whole.wav").prefix(6044)), to: "cut.wav")
    var reader = try SoundFileReader(path: folder.file("cut.wav"))
    let (left, _) = try readAll(&reader)
    // 44 bytes of header, six a frame.
    #expect(left == Array(Self.left.prefix(1000)))
  }

  /// Ten seconds of noise as FLAC, in 108 frames of 4096 samples; its left channel, and the bytes of the file.
  private func noise() throws -> (left: [Float], bytes: [UInt8]) {
    var random = SeededGenerator(48)
    let noise = (0..<441_000).map { _ in Float(Int.random(in: -16_384..<16_384, using: &random)) * 0x1p-15 }
    try write("noise.flac", left: noise, right: noise.reversed())
    return (noise, folder.bytes(of: "noise.flac"))
  }

  @Test(
    "a FLAC file that is cut off gives the whole frames that it has, at its rate and at another",
    arguments: [1, 20, 5000, 400_000])
  func cutFLAC(missing: Int) throws {
    let (left, bytes) = try noise()
    try #require(bytes.count > 2 * missing)
    folder.write(Array(bytes.dropLast(missing)), to: "cut.flac")
    var reader = try SoundFileReader(path: folder.file("cut.flac"))
    #expect(reader.frameCount == left.count && reader.isLengthExact)
    let got = try readAll(&reader).left
    #expect(got.count < left.count && got.count > left.count / 2)
    #expect(got == Array(left.prefix(got.count)))
    let other = try SoundFileReader(path: folder.file("cut.flac"))
    var resampled = other.resampled(to: 48_000)
    let most = try readAll(&resampled).left.count
    #expect(abs(Double(most) - Double(got.count) * 48_000 / 44_100) < 1)
  }

  @Test("a FLAC file with a damaged frame before others is refused, in the library's plain words")
  func damagedFLAC() throws {
    var bytes = try noise().bytes
    for place in bytes.count / 2..<bytes.count / 2 + 40 { bytes[place] ^= 0x5A }
    folder.write(bytes, to: "damaged.flac")
    // So is one that is cut off behind it.
    folder.write(Array(bytes.dropLast(bytes.count / 4)), to: "both.flac")
    for name in ["damaged.flac", "both.flac"] {
      var reader = try SoundFileReader(path: folder.file(name))
      do {
        _ = try readAll(&reader)
        Issue.record("\(name) was read")
      } catch {
        guard case .damaged(folder.file(name), let frame, let reason)? = error as? SoundFileError else {
          Issue.record("the error is \(error)")
          continue
        }
        #expect((1..<441_000).contains(frame) && !reason.hasPrefix("Error"), "\(reason)")
      }
    }
  }

  @Test("six channels are refused with their number")
  func surround() {
    folder.write(
      WAVE.bytes(rate: 48_000, channels: 6, samples: [Int16](repeating: 0, count: 60)), to: "six.wav")
    let path = folder.file("six.wav")
    #expect(throws: SoundFileError.channelsRefused(path: path, found: 6)) {
      _ = try SoundFileReader(path: path)
    }
  }

  @Test("a rate that is not processed is refused, with those that are")
  func rate() throws {
    try write("speech.wav", rate: 16_000)
    let path = folder.file("speech.wav")
    let error = SoundFileError.rateRefused(path: path, found: 16_000, expected: [44_100, 48_000, 96_000])
    #expect(throws: error) { _ = try SoundFileReader(path: path) }
    let reader = try SoundFileReader(path: path, anyRate: true)
    let found = reader.rate
    #expect(found == 16_000)
  }

  // MARK: - Resampling

  @Test(
    "a resampled tone keeps its pitch, level and length",
    arguments: [(16_000, 44_100), (22_050, 44_100), (48_000, 44_100), (44_100, 48_000), (44_100, 96_000)])
  func resampled(from: Int, to: Int) throws {
    let frequency = 1000.0
    let tone = (0..<from).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / Double(from))) }
    try write("tone.wav", rate: from, left: tone, right: tone.map { -$0 })
    let reader = try SoundFileReader(path: folder.file("tone.wav"), anyRate: true)
    var source = reader.resampled(to: to)
    let (rate, frames) = (source.rate, source.frameCount)
    #expect(rate == to && frames == to)
    let (left, right) = try readAll(&source)
    #expect(left.count == to)
    // The converter's filter sees the tone's edges for 144 input frames; its noise lies 144 dB below full
    // scale, below a Float's own rounding.
    let edge = to / 20
    var worst = 0.0
    for n in edge..<(to - edge) {
      let expected = 0.5 * sin(2 * .pi * frequency * Double(n) / Double(to))
      worst = max(worst, abs(Double(left[n]) - expected), abs(Double(right[n]) + expected))
    }
    #expect(worst < 1e-5)
  }
}
