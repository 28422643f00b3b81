import Base
import CommonTesting
import Glibc
import Testing

@testable import Engine
@testable import HearingDSP
@testable import Service

/// The file that measurements are kept in.
extension MeasuredFeedbackTests {
  @Test("what is kept comes back in another process, for its owner's eyes, one ear after the other")
  func kept() throws {
    let folder = TemporaryFolder()
    // A state folder that is not there yet is made.
    let path = folder.file("state")
    let memory = KeptFeedback(folder: path)
    #expect(memory.isEmpty && memory.problem == nil)
    try memory.keep(FeedbackRecord(left: Self.ear))
    var right = Self.ear
    right.delaySeconds = nil
    try memory.keep(FeedbackRecord(right: right))
    var status = stat()
    #expect(stat(path + "/feedback.json", &status) == 0 && status.st_mode & 0o777 == 0o600)
    let again = FeedbackFile(folder: path).read()
    #expect(again.problem == nil && again.record == FeedbackRecord(left: Self.ear, right: right))
    let measured = again.record.measurements
    #expect(measured.left?.cells.map(\.level) == Self.ear.levelsDB && measured.right?.delay == nil)
    // And what the aid measured becomes the same record.
    let left = try #require(measured.left)
    #expect(FeedbackRecord([(.left, left)]) == FeedbackRecord(left: Self.ear))
    try memory.clear()
    #expect(access(path + "/feedback.json", F_OK) != 0 && memory.isEmpty)
    try memory.clear()
  }

  @Test("a measured delay is kept beside the paths, comes back as it was, and limits nothing by itself")
  func keptDelay() throws {
    let folder = TemporaryFolder()
    let memory = KeptFeedback(folder: folder.path)
    try memory.keep(FeedbackRecord(left: Self.ear))
    try memory.keep(FeedbackRecord(leftDelay: Self.delay))
    let (record, problem) = FeedbackFile(folder: folder.path).read()
    #expect(problem == nil && record == FeedbackRecord(left: Self.ear, leftDelay: Self.delay))
    let measured = try #require(record.delays.left)
    #expect(measured.delay == 0.0072 && measured.period == 64 && record.delays.right == nil)
    #expect(FeedbackRecord([(.left, measured)]) == FeedbackRecord(leftDelay: Self.delay))
    var hearing = HearingSettings()
    hearing.feedback.delays.left = measured
    #expect(try hearing.stableGains(for: .left) == nil)
    try memory.clear()
    #expect(memory.isEmpty)
  }

  @Test("what cannot be a delay is damage")
  func brokenDelay() {
    let mistakes: [(inout FeedbackRecord.Delay) -> Void] = [
      { $0.delaySeconds = -0.001 }, { $0.delaySeconds = .nan }, { $0.delaySeconds = 11 },
      { $0.spreadSeconds = .infinity }, { $0.deviceDelaySeconds = -1 }, { $0.repetitions = 0 },
      { $0.periodFrames = 0 }, { $0.periodFrames = .max }, { $0.rateHz = 1 }, { $0.levelDBSPL = 1e300 },
      { $0.measuredUnixSeconds = 1e300 }, { $0.capture = "" }, { $0.playback = "\u{1B}[2J" },
    ]
    for mistake in mistakes {
      var delay = Self.delay
      mistake(&delay)
      #expect(!FeedbackRecord(leftDelay: delay).isReadable, "\(delay)")
    }
    #expect(FeedbackRecord(leftDelay: Self.delay).isReadable)
  }

  @Test(
    "a file that cannot be understood is put aside and said, and limits nothing",
    arguments: [
      "", "{", #"{"schema":100,"left":{"rate_hz":48000}}"#, #"{"schema":200}"#,
      #"{"schema":100,"left":{"capture":"a","playback":"b","measured_unix_seconds":1,"rate_hz":48000,"level_db_spl":65,"#
        + #""response":[],"frequencies_hz":[100,50],"levels_db":[-60,-60],"noise_db":[-70,-70]}}"#,
      #"{"schema":100,"left":{"capture":"a","playback":"b","measured_unix_seconds":1,"rate_hz":48000,"level_db_spl":65,"#
        + #""response":[1e300],"frequencies_hz":[100],"levels_db":[-60],"noise_db":[-70]}}"#,
    ])
  func damaged(content: String) throws {
    let folder = TemporaryFolder()
    folder.write(content, to: "feedback.json")
    let memory = KeptFeedback(folder: folder.path)
    #expect(memory.isEmpty)
    #expect(try #require(memory.problem).contains("content that cannot be understood"))
    #expect(folder.names == ["feedback.json.damaged"])
    try memory.keep(FeedbackRecord(left: Self.ear))
    #expect(memory.problem == nil)
  }

  @Test("a file that cannot be read again lets go of nothing and stays as it is; one that is gone does")
  func rereading() throws {
    let folder = TemporaryFolder()
    let memory = KeptFeedback(folder: folder.path)
    try memory.keep(FeedbackRecord(left: Self.ear))
    let measured = memory.informed(HearingSettings()).feedback.measurements
    folder.write("{", to: "feedback.json")
    #expect(!memory.reread())
    #expect(memory.informed(HearingSettings()).feedback.measurements == measured)
    #expect(try #require(memory.problem).contains("goes on limiting the gain"))
    #expect(folder.names == ["feedback.json"])
    try FeedbackFile(folder: folder.path).write(FeedbackRecord(left: Self.ear))
    #expect(!memory.reread() && memory.problem == nil)
    try FeedbackFile(folder: folder.path).clear()
    #expect(memory.reread() && memory.isEmpty && memory.problem == nil)
    folder.write("{", to: "feedback.json")
    #expect(!memory.reread() && memory.isEmpty)
    #expect(try #require(memory.problem).contains("Gain is not limited by it"))
  }

  @Test("a measurement that was put aside at the start is missed until there is another")
  func missed() throws {
    let folder = TemporaryFolder()
    folder.write("{", to: "feedback.json")
    let memory = KeptFeedback(folder: folder.path)
    #expect(!memory.reread())
    #expect(try #require(memory.problem).contains("Gain is not limited by it"))
    try FeedbackFile(folder: folder.path).write(FeedbackRecord(left: Self.ear))
    #expect(memory.reread() && !memory.isEmpty && memory.problem == nil)
  }

  @Test("a place that cannot be written keeps what was known")
  func unwritable() throws {
    let folder = TemporaryFolder()
    // A file where a folder should be stops root as well.
    folder.write("", to: "file")
    let memory = KeptFeedback(folder: folder.file("file"))
    #expect(throws: Failure.self) { try memory.keep(FeedbackRecord(left: Self.ear)) }
    #expect(memory.isEmpty)
    #expect(throws: Failure.self) {
      try KeptFeedback(folder: nil).keep(FeedbackRecord(left: Self.ear))
    }
  }
}
