import CommonTesting
import Glibc
import Testing

@testable import HearingDSP

@Suite("Kept wisdom of FFTW") struct FFTPlanningTests {
  private let folder = TemporaryFolder()

  /// Wisdom of one transform at least, kept.
  private static func keep(at path: String) throws {
    _ = try InverseTransform(length: 512)
    try #require(FFTPlanning.keepWisdom(at: path))
  }

  @Test("is recalled as it was kept, and the file is the owner's alone")
  func recalled() throws {
    let path = folder.file("wisdom")
    try Self.keep(at: path)
    #expect(FFTPlanning.recallWisdom(from: path) == .recalled)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(folder.names == ["wisdom"])
  }

  /// In a process of its own: in this one other tests make plans meanwhile.
  @Test("that says what is known already is not written again; with another plan it is")
  func unchanged() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let path = folder.file("wisdom")
      func number() -> UInt {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_ino : 0
      }
      try FFTPlanningTests.keep(at: path)
      let first = number()
      try FFTPlanningTests.keep(at: path)
      #expect(number() == first)
      _ = try InverseTransform(length: 1024)
      // Two files at once have two numbers.
      link(path, folder.file("former"))
      try FFTPlanningTests.keep(at: path)
      #expect(number() != first)
    }
  }

  /// In a process of its own: FFTW ends the process on some texts.
  @Test("with any one bit flipped, or cut off anywhere, is not given to FFTW")
  func flips() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let path = folder.file("wisdom")
      try FFTPlanningTests.keep(at: path)
      let whole = folder.bytes(of: "wisdom")
      #expect(whole.count > 200)
      for bit in 0..<whole.count * 8 {
        var damaged = whole
        damaged[bit / 8] ^= 1 << UInt8(bit % 8)
        folder.write(damaged, to: "wisdom")
        #expect(FFTPlanning.recallWisdom(from: path) == .damaged, "bit \(bit)")
      }
      for count in 0..<whole.count {
        folder.write(Array(whole.prefix(count)), to: "wisdom")
        #expect(FFTPlanning.recallWisdom(from: path) == .damaged, "\(count) bytes")
      }
    }
  }

  /// FFTW's own text begins behind the first line, as files were before there was one.
  @Test("in the former form, damaged or not, is not given to FFTW and is replaced")
  func former() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let path = folder.file("wisdom")
      try FFTPlanningTests.keep(at: path)
      let whole = folder.bytes(of: "wisdom")
      let begin = whole.starts(with: "(fftw".utf8) ? 0 : try #require(whole.firstIndex(of: 10)) + 1
      let text = Array(whole[begin...])
      for bit in 0..<text.count * 8 {
        var damaged = text
        damaged[bit / 8] ^= 1 << UInt8(bit % 8)
        folder.write(damaged, to: "wisdom")
        FFTPlanning.recallWisdom(from: path)
      }
      folder.write(text, to: "wisdom")
      #expect(FFTPlanning.recallWisdom(from: path) == .nothing)
      #expect(FFTPlanning.keepWisdom(at: path))
      #expect(FFTPlanning.recallWisdom(from: path) == .recalled)
    }
  }

  @Test("is replaced when it is damaged, and then recalled")
  func replaced() throws {
    let path = folder.file("wisdom")
    for damage in [[UInt8](repeating: 0, count: 3000), Array("nothing".utf8), []] {
      folder.write(damage, to: "wisdom")
      #expect(FFTPlanning.recallWisdom(from: path) == .damaged)
      try Self.keep(at: path)
      #expect(FFTPlanning.recallWisdom(from: path) == .recalled)
    }
  }

  @Test("of another version of FFTW is whole and not for this one")
  func otherVersion() {
    let text = Array("(fftw-3.3.5 fftwf_wisdom #x0)\n".utf8)
    let file = WisdomFile.file(text, version: "fftw-3.3.5")
    #expect(WisdomFile.content(of: file, version: "fftw-3.3.5") == .whole(text))
    #expect(WisdomFile.content(of: file, version: "fftw-3.3.10") == .foreign)
    folder.write(file, to: "wisdom")
    #expect(FFTPlanning.recallWisdom(from: folder.file("wisdom")) == .nothing)
  }

  @Test("of which there is none is nothing, and a folder in its place is damage")
  func none() {
    #expect(FFTPlanning.recallWisdom(from: folder.file("none")) == .nothing)
    #expect(FFTPlanning.recallWisdom(from: folder.path) == .damaged)
    #expect(!FFTPlanning.keepWisdom(at: folder.file("none/wisdom")))
  }

  /// The check value of CRC-64/XZ in the catalogue of parametrised CRC algorithms, and the remainder of nothing.
  @Test("has the checksum that its standard gives for the nine digits")
  func checksum() {
    #expect(WisdomFile.checksum(Array("123456789".utf8)) == 0x995D_C9BB_DF19_39FA)
    #expect(WisdomFile.checksum([]) == 0)
  }
}
