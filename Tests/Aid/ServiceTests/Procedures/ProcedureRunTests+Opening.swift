import Acoustics
import Base
import Procedures
import Testing

@testable import Engine
@testable import EngineTesting
@testable import Service

/// Records as they are opened, anew or to be gone on with.
extension ProcedureRunTests {
  /// A record that was left behind its first line, begun at 44.1 kHz.
  ///
  /// - Parameter volumes: Volume controls as they stood; nil: not known.
  private func leftRecord(
    in records: ProcedureFolder, volumes: [VolumeSetting]? = nil
  ) throws -> String {
    let lines = try RecordedProcedure.lines(.loudness, RecordedProcedure.plans[1].1)
    guard case .begin(let beginning)? = lines.first else { preconditionFailure("no beginning") }
    let (file, identifier) = try records.make("loudness", at: beginning.at)
    let device = ProcedureBeginning.Device(
      capture: "room", playback: "room", rateHz: 44_100, format: "FLOAT_LE", delaySeconds: nil,
      volumes: volumes)
    try file.add(.begin(beginning.named(identifier, device: device)), isSafe: false)
    return identifier
  }

  /// Opens a record on a device at 48 kHz.
  ///
  /// - Parameter volumes: Volume controls as they stand; nil: nobody can read them.
  /// - Returns: The refusal, if there is one.
  private func refusal(
    of task: ProcedureCommission.Task, in records: ProcedureFolder, volumes: [VolumeSetting]? = nil
  ) throws -> Failure? {
    let commission = ProcedureCommission(
      task: task, earphones: RecordedProcedure.calibration,
      microphones: HearingSettings().microphones, limit: SoundPressureLevel(110),
      found: FoundEarphone(
        name: "HDA 200", identities: [], profile: nil, calibration: .provisional, isHandsFree: false))
    let aid = EchoRoom().aid()
    try aid.startSilently()
    defer { aid.stop() }
    var refusal: Failure?
    try aid.present(isCancelled: { false }) { player throws(FeedbackFault) in
      do throws(ProcedureFault) {
        _ = try ProcedureOpening(
          commission, folder: records, player: player,
          look: { $0 == "room" ? .read(volumes) : .unread }
        ).run(inbox: ProcedureInbox(), allow: { _ in }, tell: { _ in })
      } catch {
        if case .plan(let failure) = error { refusal = failure }
      }
    }
    return refusal
  }

  private static func master(_ gain: Double) -> [VolumeSetting] {
    [VolumeSetting(control: "Master", gain: Binaural(both: gain), isOn: true)]
  }

  @Test(
    "a record has the volume controls that it was begun with, and is not gone on with where one is known to stand elsewhere"
  )
  func otherVolume() throws {
    let records = ProcedureFolder(state: folder.path)
    var order = ProcedureOrder(.loudness)
    (order.ear, order.frequency, order.threshold) = (.left, 1000, 20)
    #expect(try refusal(of: .new(order), in: records, volumes: Self.master(-20)) == nil)
    let made = try #require(records.identifiers.first)
    #expect(try records.record(made).beginning.device.volumes == Self.master(-20))
    for (own, present, isRefused) in [
      (Self.master(-20), Self.master(0), true), (Self.master(-20), [], true),
      (Self.master(-20), Self.master(-20.4), false), (Self.master(-20), nil, false),
      (nil, Self.master(0), false), ([], Self.master(0), false), (nil, nil, false),
    ] as [([VolumeSetting]?, [VolumeSetting]?, Bool)] {
      let left = try leftRecord(in: records, volumes: own)
      // One that may be gone on with by its volume is refused for its rate.
      let failure = try refusal(of: .resume(left), in: records, volumes: present)
      let found = try #require(failure).found
      #expect(found.contains("volume control") == isRefused, "\(found)")
      #expect(found.contains("48000 Hz") != isRefused)
      #expect(try records.record(left).lines.isEmpty)
    }
    let left = try leftRecord(in: records, volumes: Self.master(-20))
    #expect(
      try refusal(of: .resume(left), in: records, volumes: Self.master(0))?.message
        == "\(left): the volume control Master stands at 0 dB, and it was begun at −20 dB. Put it back, or begin "
        + "anew.")
  }

  @Test("a record is not gone on with at another rate, at which its sounds would have other samples")
  func otherRate() throws {
    let records = ProcedureFolder(state: folder.path)
    let identifier = try leftRecord(in: records)
    let refusal = try refusal(of: .resume(identifier), in: records)
    #expect(
      refusal?.message
        == "\(identifier): found a device at 48000 Hz, expected 44100 Hz, at which its sounds were made. Set device.rate "
        + "to that, or begin anew.")
    // Nothing was added.
    #expect(try records.record(identifier).lines.isEmpty)
  }

  @Test(
    "what was begun more than 30 days ago is not gone on with: answers of two times would be one result",
    arguments: [(40.5, true), (29.5, false)])
  func leftLongAgo(days: Double, isRefused: Bool) throws {
    let records = ProcedureFolder(state: folder.path)
    let lines = try RecordedProcedure.lines(
      .loudness, RecordedProcedure.plans[1].1, at: SystemTime.wall - days * 86_400)
    guard case .begin(let beginning)? = lines.first else { preconditionFailure("no beginning") }
    let (file, identifier) = try records.make("loudness", at: beginning.at)
    let device = ProcedureBeginning.Device(
      capture: "room", playback: "room", rateHz: 48_000, format: "FLOAT_LE", delaySeconds: nil)
    try file.add(.begin(beginning.named(identifier, device: device)), isSafe: false)
    // The younger one is refused for its threshold, which nobody has measured.
    let failure = try #require(try refusal(of: .resume(identifier), in: records))
    let message =
      "\(identifier): it was begun 41 days ago, expected one of the last 30 days, for hearing changes meanwhile. Begin "
      + "anew."
    #expect((failure.message == message) == isRefused && failure.exitStatus == .unavailable)
    #expect(failure.message.contains("no threshold") != isRefused)
    #expect(try records.record(identifier).lines.isEmpty)
  }
}
