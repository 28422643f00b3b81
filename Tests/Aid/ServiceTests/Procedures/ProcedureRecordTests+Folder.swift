import Base
import Glibc
import Testing

@testable import Service

/// Files of records and their folder, whatever others do to them meanwhile.
extension ProcedureRecordTests {
  @Test(
    "a file that somebody else makes shorter or longer meanwhile gets no line: its end would be elsewhere")
  func changedMeanwhile() throws {
    let records = ProcedureFolder(state: folder.path)
    let (file, _) = try records.make("pitch", at: 1_790_000_000)
    try file.add(.resumed(at: 1), isSafe: false)
    let size = try #require(try? FileContent.bytes(of: file.path, limit: 1000)).count
    for other in [0, size - 1, size + 1] {
      #expect(truncate(file.path, other) == 0)
      let error = #expect(throws: SystemError.self) { try file.add(.resumed(at: 2), isSafe: false) }
      #expect(error?.code == ESTALE)
      #expect(try FileContent.bytes(of: file.path, limit: 1000).count == other)
    }
    #expect(truncate(file.path, size) == 0)
    try file.add(.resumed(at: 3), isSafe: false)
  }

  @Test(
    "a file that is moved, removed or another one by now gets no line; one that others could read is its owner's again"
  )
  func movedMeanwhile() throws {
    let records = ProcedureFolder(state: folder.path)
    let (file, identifier) = try records.make("pitch", at: 1_790_000_000)
    let aside = folder.file("aside")
    func fails() {
      let error = #expect(throws: SystemError.self) { try file.add(.resumed(at: 2), isSafe: false) }
      #expect(error?.code == ESTALE)
    }
    #expect(rename(file.path, aside) == 0)
    fails()
    try WholeFile.save([], to: file.path)
    fails()
    #expect(unlink(file.path) == 0 && symlink(aside, file.path) == 0)
    fails()
    #expect(rename(aside, file.path) == 0 && chmod(file.path, 0o666) == 0)
    try file.add(.resumed(at: 3), isSafe: false)
    var status = stat()
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(records.identifiers == [identifier])
  }

  @Test(
    "records are listed a part at a time, newest part first, with the names of those that cannot be read")
  func pages() throws {
    let records = ProcedureFolder(state: folder.path)
    let lines = try RecordedProcedure.lines(.loudness, RecordedProcedure.plans[1].1)
    guard case .begin(let first) = lines[0] else { preconditionFailure("a record without a beginning") }
    var names: [String] = []
    for day in 0..<7 {
      let (file, identifier) = try records.make("loudness", at: first.at + Double(day) * 86_400)
      names.append(identifier)
      // The first day's alone has this name, others are somebody else's.
      if day != 3 { try file.add(.begin(first.named(identifier)), isSafe: false) }
    }
    let newest = records.page(3)
    #expect(newest.summaries.map(\.beginning.identifier) == Array(names[4...]) && newest.hasOlder)
    #expect(newest.unreadable.isEmpty)
    let next = records.page(3, before: names[4])
    #expect(next.summaries.map(\.beginning.identifier) == Array(names[1...2]))
    #expect(next.unreadable == [names[3]] && next.hasOlder)
    let last = records.page(3, before: names[1])
    #expect(last.summaries.map(\.beginning.identifier) == [names[0]] && !last.hasOlder)
    #expect(records.page(3, before: names[0]).summaries.isEmpty)
  }

  @Test("every record is reached part by part, however many there are")
  func manyPages() throws {
    let records = ProcedureFolder(state: folder.path)
    #expect(mkdir(records.path, 0o700) == 0)
    let count = ProcedureFolder.greatestCount + 300
    // Nothing is in them, so that each is told by its name.
    let names = (0..<count).map { "20260921T141320Z-pitch-\($0 + 10_000)" }
    for name in names { close(creat(records.file(name), 0o600)) }
    var (reached, before): ([String], String?) = ([], nil)
    while true {
      let page = records.page(500, before: before)
      reached = page.unreadable + reached
      guard page.hasOlder, let oldest = page.unreadable.first, reached.count < 2 * count else { break }
      before = oldest
    }
    #expect(reached == names)
  }

  @Test(
    "names that lead out of the folder are no records",
    arguments: ["../x", "/etc/passwd", "", "a/b", "a.b", "x\u{0}", String(repeating: "a", count: 81)])
  func names(_ name: String) {
    let records = ProcedureFolder(state: folder.path)
    let failure = #expect(throws: Failure.self) { try records.record(name) }
    #expect(failure?.exitStatus == .usage)
  }

  @Test("two records of one second have two names, and both are listed in order")
  func sameSecond() throws {
    let records = ProcedureFolder(state: folder.path)
    let names = try (0..<3).map { _ in try records.make("pitch", at: 1_790_000_000).identifier }
    #expect(names == ["20260921T141320Z-pitch", "20260921T141320Z-pitch-2", "20260921T141320Z-pitch-3"])
    #expect(records.identifiers == names)
    // Without a first line they are nobody's record yet.
    #expect(records.summaries().isEmpty)
  }
}
