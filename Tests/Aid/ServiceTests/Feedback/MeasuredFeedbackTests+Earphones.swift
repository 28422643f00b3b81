import Acoustics
import CommonTesting
import Glibc
import Testing

@testable import Engine
@testable import HearingDSP
@testable import Service

/// Sound of each earphone at each microphone, which a former version did not tell apart.
extension MeasuredFeedbackTests {
  @Test("what each earphone sends to which microphone is kept, and comes back as it was")
  func divided() throws {
    var ear = Self.ear
    (ear.ownDB, ear.crossingDB) = ([-61, -22.25, -50], [-144, -35.5, -60])
    let record = FeedbackRecord(left: ear)
    #expect(record.isReadable && record.cautions.isEmpty && record.schema == 102)
    let measured = try #require(record.measurements.left)
    #expect(measured.cells.compactMap(\.own) == ear.ownDB)
    #expect(measured.cells.compactMap(\.crossing) == ear.crossingDB)
    #expect(FeedbackRecord([(.left, measured)]) == record)
    let mistakes: [[Double]] = [[-60, -20], [-60, -20, 1e9], [-60, -20, .nan]]
    for mistake in mistakes {
      var (own, crossing) = (ear, ear)
      own.ownDB = mistake
      crossing.crossingDB = mistake
      #expect(!FeedbackRecord(left: own).isReadable && !FeedbackRecord(left: crossing).isReadable)
    }
  }

  private static func caution(_ ears: String, without ear: String) -> String {
    "\(ears): measured by a former version, which did not tell apart what the other earphone sends to the same microphone: no gain "
      + "is granted for the canceller at either ear, and a test without \(ear) raises no limit. Measure again: auricle fit feedback"
  }

  @Test("a file of a former version grants no gain for the canceller, and says so until the next test")
  func formerVersion() throws {
    let folder = TemporaryFolder()
    folder.write(
      #"{"schema":101,"left":{"capture":"hw:1","playback":"hw:2","measured_unix_seconds":1,"rate_hz":48000,"#
        + #""level_db_spl":65,"delay_seconds":0.006,"device_delay_seconds":0.004,"response":[0.5,-0.25],"#
        + #""frequencies_hz":[100,1000,3000],"levels_db":[-60,-30,-20.5],"noise_db":[-70,-80,-75]}}"#,
      to: "feedback.json")
    let memory = KeptFeedback(folder: folder.path)
    #expect(memory.problem == nil && !memory.isEmpty)
    #expect(memory.look(Self.devices(), reading: Self.reading(240), opens: 1, now: 0))
    func limit() throws -> Double {
      var hearing = HearingSettings(audiograms: Binaural(both: StandardAudiogram.n3.audiogram))
      hearing.program = .quiet
      let limits = try #require(try memory.informed(hearing).stableGains(for: .left))
      return limits[try #require(hearing.bands.centres.firstIndex(of: 3000))]
    }
    let former = try limit()
    #expect(memory.cautions == [Self.caution("left", without: "that ear")])
    var ear = Self.ear
    (ear.frequenciesHz, ear.levelsDB) = ([100, 1000, 3000], [-60, -30, -20.5])
    (ear.ownDB, ear.crossingDB) = (ear.levelsDB, [-144, -144, -144])
    try memory.keep(FeedbackRecord(left: ear))
    #expect(memory.cautions.isEmpty)
    // Ten decibels are what the canceller is counted on for (MaximumStableGain.certainAddedGain).
    #expect(abs(try limit() - (former + 10)) < 1e-9)
  }

  @Test(
    "after a former version's test of both ears a test of one raises no limit, and one of the other ear grants the canceller's gain"
  )
  func oneEarAfterFormer() throws {
    let folder = TemporaryFolder()
    let memory = KeptFeedback(folder: folder.path)
    var former = Self.ear
    (former.frequenciesHz, former.levelsDB) = ([100, 1000, 3000], [-60, -30, -20.5])
    try memory.keep(FeedbackRecord(left: former, right: former))
    #expect(memory.look(Self.devices(), reading: Self.reading(240), opens: 1, now: 0))
    func limit(_ ear: Ear) throws -> Double {
      var hearing = HearingSettings(audiograms: Binaural(both: StandardAudiogram.n3.audiogram))
      hearing.program = .quiet
      let limits = try #require(try memory.informed(hearing).stableGains(for: ear))
      return limits[try #require(hearing.bands.centres.firstIndex(of: 3000))]
    }
    let before = try limit(.left)
    #expect(memory.cautions == [Self.caution("left and right", without: "one of them")])
    // As much from each earphone at 3 kHz: 6.02 dB less alone.
    let alone = -20.5 - 20 * log10(2.0)
    var new = former
    new.levelsDB = [-60, -30, alone]
    (new.ownDB, new.crossingDB) = (new.levelsDB, [-144, -144, alone])
    try memory.keep(FeedbackRecord(left: new))
    #expect(memory.cautions == [Self.caution("right", without: "that ear")])
    #expect(abs(try limit(.left) - before) < 1e-9)
    try memory.keep(FeedbackRecord(right: new))
    #expect(memory.cautions.isEmpty)
    // A tenth of the own half's power remains, and the other half whole.
    let granted = 20 * log10(2 / (1 + 0.1.squareRoot()))
    for ear in Ear.allCases { #expect(abs(try limit(ear) - (before + granted)) < 1e-9, "\(ear)") }
  }

  @Test(
    "a former version's level counts at an ear that was measured alone until the other one is measured too")
  func otherEarAfterFormer() throws {
    let folder = TemporaryFolder()
    let memory = KeptFeedback(folder: folder.path)
    // Loose moulds.
    var former = Self.ear
    (former.frequenciesHz, former.levelsDB) = ([100, 1000, 3000], [-60, -60, -10])
    try memory.keep(FeedbackRecord(left: former, right: former))
    #expect(memory.look(Self.devices(), reading: Self.reading(240), opens: 1, now: 0))
    func limit() throws -> Double {
      var hearing = HearingSettings(audiograms: Binaural(both: StandardAudiogram.n3.audiogram))
      hearing.program = .quiet
      let limits = try #require(try memory.informed(hearing).stableGains(for: .left))
      return limits[try #require(hearing.bands.centres.firstIndex(of: 3000))]
    }
    let before = try limit()
    // New moulds: as much from each earphone.
    var new = former
    new.levelsDB = [-60, -60, -30]
    (new.ownDB, new.crossingDB) = (new.levelsDB, [-144, -144, -30])
    try memory.keep(FeedbackRecord(left: new))
    #expect(abs(try limit() - before) < 1e-9)
    try memory.keep(FeedbackRecord(right: new))
    // 20 dB less, of which a tenth of the own half's power remains, and the other half whole.
    let granted = 20 - 20 * log10(1 + 0.1.squareRoot())
    #expect(abs(try limit() - (before + granted)) < 1e-9)
  }

  @Test(
    "a microphone that could not be read while the other ear was measured alone is told, once its ear is measured"
  )
  func unreadMicrophone() throws {
    var (left, right) = (Self.ear, Self.ear)
    left.ownDB = left.levelsDB
    (right.ownDB, right.crossingDB) = (right.levelsDB, [-144, -144, -144])
    let alone = FeedbackRecord(left: left)
    #expect(alone.isReadable && alone.cautions.isEmpty)
    let measured = try #require(alone.measurements.left)
    #expect(FeedbackRecord([(.left, measured)]) == alone)
    #expect(
      FeedbackRecord(left: left, right: right).cautions == [
        "right: its microphone was driven beyond full scale when the left ear was measured alone, so nobody knows what that "
          + "earphone sends to it: no gain is granted for the canceller at the right ear, and a test of it alone raises no limit. "
          + "Measure both ears: auricle fit feedback"
      ])
  }
}
