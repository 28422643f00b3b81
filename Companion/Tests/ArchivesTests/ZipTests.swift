import Foundation
import Testing

@testable import Archives

@Suite("Zip archives") struct ZipTests {
  static let limits = ArchiveLimits(files: 10, bytes: 1 << 20)
  static let files: [(name: String, content: [UInt8])] = [
    ("manifest.json", Array("{}".utf8)), ("texts/en/about.md", Array("# About\n".utf8)), ("empty", []),
  ]

  @Test("files are the same after packing and unpacking, an empty one too")
  func lossless() throws {
    let unpacked = try ZipArchive.files(ZipArchive.bytes(Self.files), limits: Self.limits)
    #expect(unpacked == Dictionary(uniqueKeysWithValues: Self.files.map { ($0.name, $0.content) }))
  }

  @Test(
    "the sum of the digits 1 to 9 is that of the catalogue of parametrised CRC algorithms, and of nothing 0"
  )
  func sum() {
    #expect(Checksum.of(Array("123456789".utf8)) == 0xCBF4_3926 && Checksum.of([]) == 0)
  }

  @Test("the same files give the same bytes in another zone and a second later")
  func deterministic() async {
    // In a process of its own: the zone is all tests', and others read the environment meanwhile.
    await #expect(processExitsWith: .success) {
      let before = try ZipArchive.bytes(ZipTests.files)
      setenv("TZ", "Pacific/Chatham", 1)
      tzset()
      usleep(10_000)
      #expect(try ZipArchive.bytes(ZipTests.files) == before)
    }
  }

  @Test(
    "Python's zipfile reads what is written, and finds no fault in it",
    .enabled(if: Zipped.isPython, "no python3"))
  func read() throws {
    let output = try Zipped.python(
      "z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), [(i.filename, i.file_size, i.date_time) for i in z.infolist()])",
      ZipArchive.bytes(Array(Self.files.prefix(1))))
    #expect(output.text == "None [('manifest.json', 2, (1980, 1, 1, 0, 0, 0))]\n")
  }

  @Test(
    "what Python's zipfile writes is read, compressed and with folders",
    .enabled(if: Zipped.isPython, "no python3"))
  func foreign() throws {
    let bytes = try Zipped.python(
      "z = zipfile.ZipFile(sys.argv[1], 'w', 8); z.writestr('a/', ''); z.writestr('a/b.txt', 'x' * 5000); z.close()"
    ).bytes
    #expect(bytes.count < 1000)
    #expect(
      try ZipArchive.files(bytes, limits: Self.limits) == ["a/b.txt": Array(repeating: 120, count: 5000)])
  }

  @Test(
    "what leads out of a folder, comes twice, is a link, too large or too many is refused, and nothing of it kept",
    .enabled(if: Zipped.isPython, "no python3"),
    arguments: [
      ("z.writestr('../out', 'x')", "the name"), ("z.writestr('/etc/x', 'x')", "the name"),
      ("z.writestr('a/../b', 'x')", "the name"), ("z.writestr('a//b', 'x')", "the name"),
      ("z.writestr('C:x', 'x')", "the name"), ("z.writestr('a b', 'x')", "the name"),
      ("z.writestr('ä', 'x')", "the name"), ("z.writestr('n' * 201, 'x')", "the name"),
      ("z.writestr('a', 'x'); z.writestr('a', 'y')", "two entries"),
      ("z.writestr('a', 'x'); z.writestr('A', 'y')", "two entries"),
      (
        "i = zipfile.ZipInfo('link'); i.create_system = 3; i.external_attr = 0o120777 << 16; z.writestr(i, '/etc/passwd')",
        "is a link"
      ),
      ("[z.writestr(f'f{n}', '') for n in range(11)]", "more than 10 files"),
      ("[z.writestr(f'f{n}/', '') for n in range(11)]", "more than 10 files"),
      // A thousandth of its content.
      ("z.writestr('bomb', b'0' * (1 << 24))", "more than 1048576 bytes"),
      ("z.writestr('a', b'0' * (1 << 20)); z.writestr('b', '0')", "more than 1048576 bytes"),
    ])
  func refused(code: String, words: String) throws {
    let bytes = try Zipped.python("z = zipfile.ZipFile(sys.argv[1], 'w', 8); \(code); z.close()").bytes
    #expect { try ZipArchive.files(bytes, limits: Self.limits) } throws: { "\($0)".contains(words) }
  }

  @Test("a name that is not safe, or comes twice, is not packed")
  func notPacked() {
    #expect(throws: ArchiveError.wrongName("../a")) { try ZipArchive.bytes([("../a", [])]) }
    #expect(throws: ArchiveError.repeatedName("B")) { try ZipArchive.bytes([("b", []), ("B", [])]) }
  }

  @Test(
    "an archive that is cut off at any byte, or has any bit of its contents turned, is refused or is another set of files"
  )
  func damaged() throws {
    let bytes = try ZipArchive.bytes(Self.files)
    let whole = try ZipArchive.files(bytes, limits: Self.limits)
    for length in 0..<bytes.count {
      let cut = try? ZipArchive.files(Array(bytes[..<length]), limits: Self.limits)
      #expect(cut == nil || cut?.count ?? 0 < whole.count, "\(length) bytes")
    }
    for place in bytes.indices {
      var turned = bytes
      turned[place] ^= 0x41
      // Reading ends, whatever is found; a content that is another one carries a wrong sum.
      if let files = try? ZipArchive.files(turned, limits: Self.limits) {
        #expect(
          files.allSatisfy { file in whole.values.contains(file.value) || file.value.isEmpty },
          "byte \(place)")
      }
    }
  }
}

/// Archives by Python's zipfile.
enum Zipped {
  static let isPython = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

  /// Runs a line that has the archive's path as its argument.
  static func python(_ code: String, _ archive: [UInt8] = []) throws -> (text: String, bytes: [UInt8]) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("zip-\(UUID()).zip")
    if !archive.isEmpty { try Data(archive).write(to: file) }
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-W", "ignore", "-c", "import sys, zipfile\n" + code, file.path]
    let sink = Pipe()
    process.standardOutput = sink
    try process.run()
    let output = try sink.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: output, as: UTF8.self), Array((try? Data(contentsOf: file)) ?? Data()))
  }
}
