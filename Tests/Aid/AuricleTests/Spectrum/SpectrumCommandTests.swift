import ArgumentParser
import Base
import CommonTesting
import Glibc
import Testing

@testable import AuricleCommands
@testable import Service

/// Times of a recording, and command lines that are refused before a daemon is asked.
@Suite("Command line of spectra") struct SpectrumCommandTests {
  private let folder = TemporaryFolder()

  /// Status and message of a refusal; a daemon that does not answer would have another.
  private func refusal(_ words: [String]) throws -> (status: Base.ExitStatus, message: String)? {
    do { _ = try Spectrum.parse(words).answer() } catch let failure as Failure {
      return (failure.exitStatus, failure.message)
    }
    return nil
  }

  private var sound: [String] {
    ["--record", folder.file("visit.jsonl"), "--sound", folder.file("visit.wav")]
      // Where nothing listens.
      + ["--socket", folder.file("nothing.sock")]
  }

  @Test("of live sound half a minute is recorded where --for does not say, and a recording to its end")
  func recordedTime() throws {
    let recorded = folder.file("visit.jsonl")
    let file = try SpectrumFile(recorded, replacing: false)
    for time in 0...60 { try file.append(.sample(at: Double(time))) }
    try file.publish()
    let ofRecording = try Spectrum.parse([recorded, "--record", "visit.csv"]).recordedTime
    for (length, count) in [(ofRecording, 61), (10, 11)] as [(Double, Int)] {
      var times: [Double] = []
      var spectra = SpectrumSource(of: try SpectrumRecording(contentsOf: recorded))
      try spectra.forEach(for: length) { times.append($0.timeSeconds) }
      #expect(times.count == count && times.last == Double(count - 1))
    }
    #expect(try Spectrum.parse(["--record", "visit.csv"]).recordedTime == 30)
  }

  @Test(
    "why there is no sound to look at is told without a line break, and no advice would end a test that plays"
  )
  func silence() throws {
    func message(_ state: StatusReport.State, isTesting: Bool = false) -> String? {
      SpectrumSource.silence(in: state, isTesting: isTesting)?.message
    }
    let waiting = StatusReport.State(.waitingForDevice, reason: "no such device null, jack", since: 0)
    #expect(
      message(waiting)
        == "spectrum: There is no sound to look at. Waiting: no such device null, jack. The sound starts by itself when that has"
        + " changed; stop waiting with: auricle stop.")
    let faulted = try #require(message(StatusReport.State(.faulted, reason: "no such rate", since: 0)))
    #expect(!faulted.contains { $0.isNewline } && faulted.contains("No sound: no such rate. Correct it"))
    let test = StatusReport.State(.waitingForDevice, reason: "a hearing test", since: 0)
    #expect(
      message(test, isTesting: true)
        == "spectrum: There is no sound of the aid to look at: a test plays. Look again afterwards.")
    for name in [StatusReport.State.Name.running, .muted] {
      #expect(message(StatusReport.State(name, since: 0)) == nil)
    }
  }

  @Test(
    "files that are there are refused without --overwrite, whichever it is, and folders and pipes in any case",
    arguments: ["visit.jsonl", "visit-input.wav", "visit-output.wav", "visit.json"])
  func takenNames(name: String) throws {
    folder.write("theirs", to: name)
    let taken = try refusal(sound)
    #expect(taken?.status == .cannotCreate && taken?.message.contains("give --overwrite") == true)
    // Nothing but the daemon is missing then.
    #expect(try refusal(sound + ["--overwrite"])?.status == .unavailable)
    #expect(folder.bytes(of: name) == [UInt8]("theirs".utf8))
    #expect(unlink(folder.file(name)) == 0 && mkfifo(folder.file(name), 0o600) == 0)
    for more in [[], ["--overwrite"]] {
      let pipe = try refusal(sound + more)
      #expect(pipe?.status == .cannotCreate && pipe?.message.contains("a pipe or a device") == true)
    }
    #expect(unlink(folder.file(name)) == 0 && mkdir(folder.file(name), 0o700) == 0)
    let directory = try refusal(sound + ["--overwrite"])
    #expect(directory?.status == .cannotCreate && directory?.message.contains("a folder") == true)
  }

  @Test("so are pictures that are there, the numbers of a spectrogram beside its own, and folders")
  func takenPicture() throws {
    let words = ["--picture", folder.file("now.png"), "--socket", folder.file("nothing.sock")]
    for (name, more) in [("now.png", []), ("now.jsonl", ["--spectrogram"])] as [(String, [String])] {
      folder.write("theirs", to: name)
      let taken = try refusal(words + more)
      #expect(taken?.status == .cannotCreate && taken?.message.contains("give --overwrite") == true)
      #expect(unlink(folder.file(name)) == 0 && mkdir(folder.file(name), 0o700) == 0)
      let directory = try refusal(words + more + ["--overwrite"])
      #expect(directory?.status == .cannotCreate && directory?.message.contains("a folder") == true)
      #expect(rmdir(folder.file(name)) == 0)
    }
  }

  @Test("a spectrogram is not asked for beside sound")
  func spectrogram() throws {
    let found = try refusal(sound + ["--spectrogram", "--picture", folder.file("visit.png")])
    #expect(found?.status == .usage)
    #expect(found?.message.contains("Draw it afterwards") == true)
    #expect(folder.names.isEmpty)
  }

  @Test("sound is refused for longer than any leave holds, before anything is asked or written")
  func longest() throws {
    let found = try refusal(sound + ["--for", "301s"])
    #expect(found?.status == .usage)
    #expect(found?.message.contains("at most 300 s of sound") == true)
    // Nothing but the daemon is missing for five minutes.
    #expect(try refusal(sound + ["--for", "300s"])?.status == .unavailable)
    #expect(folder.names.isEmpty)
  }

  /// Five seconds are for the beginning and the end.
  @Test("a leave that stands is taken up where it lasts for the recording")
  func standingLeave() throws {
    #expect(RecordingTime.leave(for: 30) == 35)
    #expect(RecordingTime.leave(for: 300) == 300)
    for (length, rest) in [(300, nil), (30, 60), (60, 59.9), (60, 55)] as [(Double, Double?)] {
      try RecordingTime.check(length, leave: rest)
    }
    for (length, rest, words) in [
      (300.1, nil, "at most 300 s"), (30, 20.7, "at most 20 s"), (600, 1e300, "at most 300 s"),
      (30, -1e300, "at most 0 s"),
    ] as [(Double, Double?, String)] {
      #expect {
        try RecordingTime.check(length, leave: rest)
      } throws: {
        let failure = $0 as? Failure
        return failure?.exitStatus == .usage && failure?.message.contains(words) == true
      }
    }
  }
}
