import Testing

@testable import Realtime

@Suite("Program pages") struct ProgramPagesTests {
  // As Linux 6.1 writes them, less the lines that nobody reads.
  let smaps = """
    1000-3000 r--p 00000000 fe:01 17 /usr/bin/program
    Rss:                   8 kB
    Anonymous:             0 kB
    3000-9000 r-xp 00002000 fe:01 17 /usr/bin/program
    Rss:                  24 kB
    Anonymous:             0 kB
    VmFlags: rd ex mr mw me
    9000-a000 rw-p 00008000 fe:01 17 /usr/bin/program
    Anonymous:             4 kB
    b000-c000 r-xp 00000000 fe:01 18 /usr/lib/debugged library.so (deleted)
    Anonymous:             4 kB
    d000-e000 r-xp 00000000 fe:01 19 /usr/lib/library name.so
    Anonymous:             0 kB
    f000-10000 r-xp 00000000 00:00 0
    Anonymous:             0 kB
    7ffc0000-7ffc2000 r-xp 00000000 00:00 0 [vdso]
    Anonymous:             0 kB
    """

  @Test("only unchanged code of files is released")
  func selection() {
    #expect(ProgramPages.cleanCode(Array(smaps.utf8)) == [0x3000..<0x9000, 0xd000..<0xe000])
  }

  @Test(
    "a description in no known form releases nothing",
    arguments: [
      "", "\n\n", "3000-9000 r-xp", "9000-3000 r-xp 0 0 0 /a\nAnonymous: 0 kB",
      "x-y r-xp 0 0 0 /a\nAnonymous: 0",
      "3000-9000 r-xp 0 0 0 /a", "Anonymous: 0 kB", "3000-9000 r-xp 0 0 0 /a\nAnonymous:",
    ])
  func unknownForm(text: String) {
    #expect(ProgramPages.cleanCode(Array(text.utf8)).isEmpty)
  }

  @Test("a process without /proc keeps its pages")
  func withoutProc() {
    ProgramPages.release(smaps: "/nonexistent/smaps") { _, _ in Issue.record("something was released") }
  }

  @Test("the process runs on, with less code mapped than before")
  func runsOn() async {
    await #expect(processExitsWith: .success) {
      let before = try #require(ProcessStatus.memory("RssFile"))
      ProgramPages.release()
      let after = try #require(ProcessStatus.memory("RssFile"))
      precondition(before > 0 && after < before)
    }
  }
}
