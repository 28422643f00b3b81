import Glibc
import Testing

@testable import Base

@Suite("Environment of the process") struct ProcessEnvironmentTests {
  /// Reads entries that lie in memory as those of a process do.
  private func read(_ entries: [[UInt8]]) -> [String: String] {
    var places = entries.map { entry -> UnsafeMutablePointer<CChar>? in
      (entry + [0]).withUnsafeBytes { strdup($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
    }
    defer { for place in places { free(place) } }
    places.append(nil)
    return places.withUnsafeBufferPointer { ProcessEnvironment.entries(at: $0.baseAddress) }
  }

  @Test("a name goes as far as the first sign; a value may be empty, or have the sign itself")
  func forms() {
    let entries = ["HOME=/home/ada", "EMPTY=", "OPTIONS=a=b,c=d", "nothing", "=C:", "LAST=1"]
    #expect(
      read(entries.map { Array($0.utf8) })
        == ["HOME": "/home/ada", "EMPTY": "", "OPTIONS": "a=b,c=d", "": "C:", "LAST": "1"])
  }

  @Test("a letter that combines with the sign before it does not hide it")
  func combining() {
    // U+0301: with the sign it is one Character, which is another than the sign.
    #expect(read([Array("NAME=\u{301}e".utf8)])["NAME"].map { Array($0.utf8) } == [0xCC, 0x81, 0x65])
  }

  @Test("bytes that are no text are replaced, and what comes behind them is read")
  func noText() {
    #expect(read([[0x41, 0x3D, 0xFF, 0x42], Array("NEXT=1".utf8)]) == ["A": "\u{FFFD}B", "NEXT": "1"])
  }

  @Test("there may be none")
  func none() {
    #expect(read([]).isEmpty)
    #expect(ProcessEnvironment.entries(at: nil).isEmpty)
  }

  @Test("the process's own are those that it was started with")
  func own() throws {
    // The copy that the kernel made when it started this process (proc(5)); tests set others later.
    let bytes = try FileContent.bytes(of: "/proc/self/environ", limit: 1 << 22)
    let started = read(bytes.split(separator: 0).map(Array.init))
    for (name, value) in started where getenv(name).map({ String(cString: $0) }) == value {
      #expect(ProcessEnvironment.variables[name] == value, "\(name)")
    }
    #expect(ProcessEnvironment.variables["PATH"] != nil)
  }
}
