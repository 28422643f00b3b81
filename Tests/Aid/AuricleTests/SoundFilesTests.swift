import Base
import CommonTesting
import Engine
import Testing

@testable import AuricleCommands
@testable import Service

/// Sound from the socket is another program's, whatever it says of itself.
@Suite("Recorded sound") struct SoundFilesTests {
  private let folder = TemporaryFolder()

  private func files(replacing isReplacing: Bool = false) throws -> SoundFiles {
    try SoundFiles(
      folder.path + "/visit.wav", scale: #require(SoundScale(HearingSettings())), replacing: isReplacing)
  }

  private func notice(at position: Int = 0, rate: Double = 44_100) -> SoundNotice {
    SoundNotice([SIMD4<Float>](repeating: .zero, count: 100)[...], position: position, time: 0, rate: rate)
  }

  @Test(
    "a rate that no sound has is refused with a sentence",
    arguments: [.infinity, -.infinity, .nan, 0, -44_100, 44_100.5, 192_001, 1e9, 1e300])
  func rates(rate: Double) throws {
    let files = try files()
    #expect { try files.append(notice(rate: rate)) } throws: {
      ($0 as? Failure)?.exitStatus == .protocolMismatch
    }
  }

  @Test(
    "a number of the first frame that no recording reaches makes no gap", arguments: [Int.min, -1, 0, .max])
  func positions(position: Int) throws {
    let files = try files()
    try files.append(notice())
    try files.append(notice(at: position))
    let sentences = try files.publish(spectra: "visit.csv")
    #expect(sentences.count == 1 && sentences[0].hasPrefix("Wrote 0.0 s of sound"))
  }

  @Test(
    "a file that took one of the names meanwhile stays where nothing is to be replaced",
    arguments: ["visit-input.wav", "visit-output.wav", "visit.json"])
  func taken(name: String) throws {
    let files = try files()
    try files.append(notice())
    folder.write("theirs", to: name)
    let failure = try #require(throws: Failure.self) { _ = try files.publish(spectra: "visit.csv") }
    #expect(failure.exitStatus == .cannotCreate && failure.message.contains("give --overwrite"))
    #expect(folder.bytes(of: name) == [UInt8]("theirs".utf8))
    // The others are there, and it is said which.
    let rest = ["visit-input.wav", "visit-output.wav", "visit.json"].filter { $0 != name }
    #expect(rest.allSatisfy { !folder.bytes(of: $0).isEmpty })
    let kept = rest.map { folder.path + "/" + $0 }.joined(separator: " and ")
    #expect(failure.message.contains("\(kept) are kept. \(folder.path)/\(name) is lost."))
    let others = try self.files(replacing: true)
    try others.append(notice())
    #expect(try others.publish(spectra: "visit.csv").first?.hasPrefix("Wrote 0.0 s of sound") == true)
    #expect(folder.bytes(of: name) != [UInt8]("theirs".utf8))
  }

  @Test("of sound whose names are all taken it is said that it is lost")
  func allTaken() throws {
    let files = try files()
    try files.append(notice())
    let names = ["visit-input.wav", "visit-output.wav", "visit.json"]
    for name in names { folder.write("theirs", to: name) }
    let said = files.keep(spectra: "", isFull: false).joined(separator: " ")
    #expect(said.contains("visit.json are lost.") && !said.contains("kept"))
    for name in names { #expect(folder.bytes(of: name) == [UInt8]("theirs".utf8)) }
  }

  @Test("sound that was lost is silence of the same length, and is named")
  func gap() throws {
    let files = try files()
    try files.append(notice())
    try files.append(notice(at: 44_200))
    #expect(try files.publish(spectra: "visit.csv")[1].hasPrefix("1.00 s of it were lost"))
  }
}
