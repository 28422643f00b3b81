import Base
import CommonTesting
import Control
import Glibc
import Testing

@testable import AuricleCommands
@testable import Service

/// A recording is a file of whoever hands it over.
@Suite("Recording of spectra") struct SpectrumRecordingTests {
  private let folder = TemporaryFolder()

  /// A file of spectra.
  private func recorded(_ reports: [SpectrumReport]) throws -> String {
    let path = folder.file("visit.jsonl")
    let file = try SpectrumFile(path, replacing: false)
    for report in reports { try file.append(report) }
    try file.publish()
    return path
  }

  private func times(_ recording: SpectrumRecording) throws -> [Double] {
    var times: [Double] = []
    while let report = try recording.next() { times.append(report.timeSeconds) }
    return times
  }

  @Test("a file that took the recording's name meanwhile stays where nothing is to be replaced")
  func taken() throws {
    let file = try SpectrumFile(folder.file("visit.jsonl"), replacing: false)
    folder.write("theirs", to: "visit.jsonl")
    let failure = try #require(throws: Failure.self) { try file.publish() }
    #expect(failure.exitStatus == .cannotCreate && failure.message.contains("exists already"))
    #expect(folder.bytes(of: "visit.jsonl") == [UInt8]("theirs".utf8))
    try SpectrumFile(folder.file("visit.jsonl"), replacing: true).publish()
    #expect(folder.bytes(of: "visit.jsonl") != [UInt8]("theirs".utf8))
  }

  @Test("a recording takes its name from no pipe and no folder, and is refused before it begins")
  func noFiles() throws {
    #expect(mkfifo(folder.file("pipe.jsonl"), 0o600) == 0 && mkdir(folder.file("folder.csv"), 0o700) == 0)
    #expect(symlink("/dev/full", folder.file("link.jsonl")) == 0)
    for name in ["pipe.jsonl", "folder.csv", "link.jsonl"] {
      let failure = try #require(throws: Failure.self) {
        _ = try SpectrumFile(folder.file(name), replacing: true)
      }
      #expect(failure.exitStatus == .cannotCreate)
    }
    #expect(folder.names == ["folder.csv", "link.jsonl", "pipe.jsonl"])
  }

  @Test("spectra are read in their order, and the end is no fault")
  func order() throws {
    let path = try recorded([0, 1, 2].map { SpectrumReport.sample(at: $0) })
    let recording = try SpectrumRecording(contentsOf: path)
    #expect(try times(recording) == [0, 1, 2])
    #expect(recording.note == nil)
    #expect(try recording.next() == nil)
  }

  @Test("a last line without its end is read, and one that is cut off is named")
  func ends() throws {
    let path = try recorded([0, 1, 2].map { SpectrumReport.sample(at: $0) })
    let bytes = folder.bytes(of: "visit.jsonl")
    folder.write(Array(bytes.dropLast()), to: "whole.jsonl")
    let whole = try SpectrumRecording(contentsOf: folder.file("whole.jsonl"))
    #expect(try times(whole) == [0, 1, 2])
    #expect(whole.note == nil)
    folder.write(Array(bytes.dropLast(100)), to: "cut.jsonl")
    let cut = try SpectrumRecording(contentsOf: folder.file("cut.jsonl"))
    #expect(try times(cut) == [0, 1])
    #expect(cut.note?.contains("is cut off or damaged after spectrum 2;") == true)
    // Within the first line.
    #expect(truncate(path, 10) == 0)
    #expect(throws: Failure.self) { _ = try SpectrumRecording(contentsOf: path) }
  }

  /// An hour at 96 kHz has more than 2³⁰ bytes. Holes of a file are read as zeros, and here they are one long line.
  @Test("a file of more than 2³⁰ bytes is read line by line, as far as its lines go")
  func length() throws {
    let path = try recorded([0, 1, 2].map { SpectrumReport.sample(at: $0) })
    #expect(truncate(path, 1 << 31) == 0)
    let recording = try SpectrumRecording(contentsOf: path)
    #expect(try times(recording) == [0, 1, 2])
    #expect(recording.note?.contains("after spectrum 3;") == true)
  }

  @Test(
    "a spectrum with a number that no sound has is damaged",
    arguments: [
      SpectrumReport.sample(at: 1e308), .sample(at: -1e9 - 1), .sample(bands: [125, 1e300]),
      .sample(bands: [0, 125]), .sample(bands: [250, 125]), .sample(level: 1e300), .sample(level: -10_001),
    ])
  func numbers(report: SpectrumReport) throws {
    let path = try recorded([.sample(at: 0), report, .sample(at: 2)])
    let recording = try SpectrumRecording(contentsOf: path)
    #expect(try times(recording) == [0])
    #expect(recording.note?.contains("after spectrum 1;") == true)
  }

  @Test("a name that leads to no file is refused as such, and a folder as no file")
  func names() {
    #expect {
      _ = try SpectrumRecording(contentsOf: folder.file("nothere.jsonl"))
    } throws: {
      ($0 as? Failure)?.exitStatus == .noInput
    }
    #expect {
      _ = try SpectrumRecording(contentsOf: folder.path)
    } throws: {
      ($0 as? Failure)?.exitStatus == .badData
    }
  }
}
