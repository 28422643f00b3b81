import Acoustics
import Base
import Testing

@testable import Service

/// Volume controls that stand elsewhere than when a record was begun.
extension ProcedurePlanningTests {
  private func master(_ gain: Double) -> [VolumeSetting] {
    [VolumeSetting(control: "Master", gain: Binaural(both: gain), isOn: true)]
  }

  @Test("where a threshold or a masking level does not count for the volume alone the refusal says so")
  func otherVolumeRefusal() throws {
    let test = try RecordedProcedure.hearingTest([500: 20, 1000: 20, 4000: 30], volumes: master(-20))
    let records = [test, try search(masking: 20, volumes: master(-20))]
    let reason =
      "(one of \(Timestamp(Self.january).day) does not count: the volume control Master stands at −15 dB, and it was begun at "
      + "−20 dB)"
    var (loudness, pitch, inhibition) = (
      ProcedureOrder(.loudness), ProcedureOrder(.pitch), ProcedureOrder(.inhibition)
    )
    (loudness.ear, loudness.frequency, pitch.ear) = (.left, 1000, .left)
    (inhibition.ear, inhibition.threshold) = (.left, 10)
    for (order, message) in [
      (
        loudness,
        "loudness: found no threshold of the left ear for this sound at 1000 Hz with this earphone \(reason), expected one of "
          + "a test that began in the last 180 days. Put the control back, or measure it anew: auricle hearing-test --ear "
          + "left --frequency 1000"
      ),
      (
        pitch,
        "pitch: found 0 thresholds of the left ear from 500 Hz up that tones can be heard above \(reason), expected two or "
          + "more, so that tones are equally loud. Put the control back, or measure them anew: auricle hearing-test --ear left"
      ),
      (
        inhibition,
        "inhibition: found no minimum masking level \(reason), expected one of this ear and noise. Put the control back, or "
          + "find the level anew: auricle match masking"
      ),
    ] as [(ProcedureOrder, String)] {
      let failure = #expect(throws: Failure.self) {
        try planning(order, records: records, volumes: master(-15)).plan()
      }
      #expect(failure?.message == message)
      // Put back, and where nobody can read them, they count.
      for volumes in [master(-20), nil] {
        #expect(throws: Never.self) { try planning(order, records: records, volumes: volumes).plan() }
      }
    }
    // Nobody has measured this one.
    loudness.frequency = 2000
    let missing = #expect(throws: Failure.self) {
      try planning(loudness, records: records, volumes: master(-15)).plan()
    }
    #expect(missing?.message.contains("does not count") == false)
    #expect(missing?.remedy == "Measure it first: auricle hearing-test --ear left --frequency 2000")
  }

  @Test(
    "a threshold at another volume is told in a match of pitch where none counts at its frequency, and where the match goes"
  )
  func otherVolumeElsewhere() throws {
    var order = ProcedureOrder(.pitch)
    order.ear = .left
    func failure(_ records: [ProcedureSummary]) -> Failure? {
      let failure = #expect(throws: Failure.self) {
        try planning(order, records: records, volumes: master(-15)).plan()
      }
      return failure
    }
    // A match of pitch begins at 500 Hz.
    let low = failure([try RecordedProcedure.hearingTest([250: 20], volumes: master(-20))])
    #expect(low?.message.contains("does not count") == false)
    #expect(low?.remedy == "Measure them first: auricle hearing-test --ear left")
    let close = try RecordedProcedure.hearingTest([3000: 30, 3150: 30], volumes: master(-15))
    let same = try RecordedProcedure.hearingTest([3000: 30, 3150: 30], volumes: master(-20))
    #expect(failure([close, same])?.found == "thresholds from 3000 to 3150 Hz")
    // Put back, those that count now would not.
    let other = failure([close, try RecordedProcedure.hearingTest([500: 30], volumes: master(-20))])
    #expect(
      other?.found
        == "thresholds from 3000 to 3150 Hz (one of \(Timestamp(Self.january).day) does not count: the volume control "
        + "Master stands at −15 dB, and it was begun at −20 dB)")
    #expect(other?.remedy == "Measure more frequencies: auricle hearing-test --ear left")
  }

  @Test("the list of records has the volume controls of matches of level, and of nothing otherwise")
  func listedVolumes() throws {
    let match = try search(masking: 20, volumes: master(-20))
    #expect(ProcedureList.Entry(match).volumes == master(-20))
    #expect(ProcedureList.Entry(try search(masking: 20)).volumes == nil)
    let test = try RecordedProcedure.hearingTest([1000: 20], volumes: master(-20))
    #expect(ProcedureList.Entry(test).volumes == nil)
  }
}
