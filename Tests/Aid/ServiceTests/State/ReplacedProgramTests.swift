import CommonTesting
import Control
import Glibc
import Testing

@testable import Service

@Suite("Another version of the program, in time") struct ReplacedProgramTests {
  private static func looks(_ timeline: Timeline) -> Bool {
    timeline.effects.contains { if case .checkProgram = $0 { true } else { false } }
  }

  @Test("it is looked for each second; once found, log and status say so and the sound goes on")
  func replaced() {
    let timeline = Timeline.running()
    timeline.pass(1)
    #expect(Self.looks(timeline) && timeline.state.report.daemon.replacedUnixSeconds == nil)
    timeline.happen(.programReplaced)
    let found = timeline.now
    #expect(timeline.orders == [] && timeline.end == nil)
    timeline.pass(1)
    #expect(!Self.looks(timeline))
    timeline.happen(.programReplaced)
    #expect(timeline.state.report.daemon.replacedUnixSeconds == found)
    #expect(timeline.state.report.state.name == .running)
    #expect(
      timeline.log.filter { $0.hasPrefix("notice: another version of the program was installed") }.count
        == 1)
  }

  @Test(
    "the kernel's word for a file that has lost its name is what counts; a file that is there and a missing /proc are no other version"
  )
  func link() {
    let folder = TemporaryFolder()
    for (number, (text, isReplaced)) in [("/usr/bin/auricle (deleted)", true), ("/usr/bin/auricle", false)]
      .enumerated()
    {
      let path = folder.file("\(number)")
      symlink(text, path)
      #expect(RunningProgram(link: path).isReplaced == isReplaced)
    }
    #expect(!RunningProgram(link: folder.file("none")).isReplaced)
    #expect(!RunningProgram().isReplaced)
  }
}
