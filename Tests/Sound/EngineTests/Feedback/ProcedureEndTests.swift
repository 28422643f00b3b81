import Acoustics
import AudioIO
import Fitting
import Glibc
import HearingDSP
import Synchronization
import Testing

@testable import Engine
@testable import EngineTesting

/// What ends a procedure in the middle, and what is heard then: silence, and the former sound.
@Suite("End of a procedure") struct ProcedureEndTests {
  /// Frames of the aid's rise, 50 ms, and of the fall, 20 ms, at 48 kHz.
  static let (riseFrames, fallFrames) = (2400, 960)

  /// A room in which something is to be heard, and an aid in it.
  static func room() -> EchoRoom {
    let room = FeedbackTestTests.room()
    room.noise = Binaural(both: 1e-3)
    return room
  }

  /// Runs a test on an aid that sounds, and does something on the audio thread in the second of its sounds.
  ///
  /// - Returns: Why the test ended, and the frames played when that was done.
  static func test(
    _ room: EchoRoom, _ aid: HearingAid, _ event: @escaping (EchoRoom, HearingAid) -> Void
  ) throws -> (fault: FeedbackFault?, frame: Int) {
    try aid.start()
    #expect(eventually { aid.state == .running && !aid.reading.isSilent })
    let takes = room.takes
    let happened = Atomic<Int>(-1)
    room.before = { [unowned aid] room, _ in
      // Half a second into the sound.
      guard room.takes == takes + 2, room.framesSounding > 24_000,
        happened.load(ordering: .relaxed) < 0
      else { return }
      happened.store(room.sent.left.count, ordering: .relaxed)
      event(room, aid)
    }
    var fault: FeedbackFault?
    do {
      _ = try aid.measureFeedback([.left], at: 0)
    } catch {
      fault = error
    }
    return (fault, happened.load(ordering: .relaxed))
  }

  /// Lets the aid play for a while.
  ///
  /// - Returns: Frames played when that began.
  @discardableResult static func listen(_ room: EchoRoom) -> Int {
    let blocks = room.blocks
    #expect(eventually(within: 60) { room.blocks > blocks + 200 })
    return blocks * EchoRoom.period
  }

  /// The sound falls to silence by its ramp, 20 ms, and the block under way.
  ///
  /// - Returns: First frame of the silence.
  @discardableResult static func expectSilence(_ room: EchoRoom, after frame: Int) throws -> Int {
    let played = room.sent.left
    let silence = try #require(
      stride(from: frame, through: played.count - EchoRoom.period, by: EchoRoom.period).first {
        played[$0..<$0 + EchoRoom.period].allSatisfy { $0 == 0 }
      })
    #expect(silence - frame <= fallFrames + 2 * EchoRoom.period)
    // By the ramp, not at once.
    #expect(played[frame..<frame + fallFrames / 2].contains { $0 != 0 })
    return silence
  }

  /// Sound rises by its ramp from a silence.
  static func expectReturn(_ room: EchoRoom, after silence: Int) throws {
    let played = room.sent.left[silence...]
    let first = try #require(played.firstIndex { $0 != 0 })
    let full = try #require(played[(first + riseFrames)...].map(abs).max())
    #expect(full > 1e-4)
    for n in 0..<riseFrames {
      let x = Float(n + 1) / Float(riseFrames)
      // The noise is as loud in its rise as later, within a factor of 2.
      #expect(abs(played[first + n]) <= 2 * full * x * x * (3 - 2 * x) + 1e-9)
    }
  }

  @Test("cancelled: silence, then what sounded before, on devices that stayed open")
  func cancelled() throws {
    let room = Self.room()
    let aid = room.aid()
    let (fault, frame) = try Self.test(room, aid) { _, aid in aid.endProcedure() }
    #expect(fault == .cancelled)
    Self.listen(room)
    #expect(aid.state == .running && !aid.isInProcedure && aid.opens == 1)
    aid.stop()
    try Self.expectReturn(room, after: try Self.expectSilence(room, after: frame))
  }

  @Test("muted: silence that stays; unmuted, what sounded before")
  func muted() throws {
    let room = Self.room()
    let aid = room.aid()
    let (fault, frame) = try Self.test(room, aid) { _, aid in aid.mute() }
    #expect(fault == .muted)
    // Until the sound has fallen: the test ends as soon as it is to fall.
    Self.listen(room)
    let muted = Self.listen(room)
    #expect(aid.state == .muted)
    aid.unmute()
    Self.listen(room)
    aid.stop()
    try Self.expectSilence(room, after: frame)
    #expect(room.sent.left[muted..<muted + 200 * EchoRoom.period].allSatisfy { $0 == 0 })
    try Self.expectReturn(room, after: muted)
  }

  @Test("stopped: silence, and devices that are given back; started, what sounded before")
  func stopped() throws {
    let room = Self.room()
    let aid = room.aid()
    let (fault, frame) = try Self.test(room, aid) { _, aid in aid.requestStop() }
    #expect(fault == .stopped)
    #expect(eventually { aid.state == .stopped })
    aid.stop()
    try Self.expectSilence(room, after: frame)
    let end = room.sent.left.count
    #expect(room.sent.left.suffix(EchoRoom.period).allSatisfy { $0 == 0 })
    try aid.start()
    Self.listen(room)
    aid.stop()
    try Self.expectReturn(room, after: end)
  }

  @Test("a device lost: the test ends with the reason, and the aid sounds when the device is there again")
  func lost() throws {
    let room = Self.room()
    let aid = room.aid()
    let (fault, _) = try Self.test(room, aid) { room, _ in room.events = [.lost(.stalled)] }
    guard case .device(let reason) = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    #expect(reason.contains("stopped working"))
    #expect(eventually { aid.state == .running && aid.opens == 2 })
    Self.listen(room)
    aid.stop()
    // The test's sound ended with the device; the aid's rises from silence.
    try Self.expectReturn(room, after: room.openings[1])
  }

  @Test("one that is done: the aid sounds again, with the settings that came meanwhile")
  func done() throws {
    let room = FeedbackTestTests.room()
    let aid = room.aid()
    try aid.start()
    #expect(eventually { aid.state == .running })
    let other = HearingSettings(audiograms: Binaural(both: StandardAudiogram.n3.audiogram))
    var wasInProcedure = false
    let results = try aid.measureFeedback(
      [.left], at: 0,
      progress: { _ in
        guard !wasInProcedure else { return }
        wasInProcedure = aid.isInProcedure
        do { try aid.apply(other) } catch { Issue.record(error) }
      })
    #expect(results.count == 1 && wasInProcedure)
    let end = Self.listen(room)
    #expect(aid.opens == 1 && aid.currentSettings.hearing.audiograms == other.audiograms)
    // Some gain is prescribed for N3 in every band from 1 to 4 kHz, which the default settings have none
    // of.
    #expect(eventually { (7..<13).allSatisfy { aid.reading.meters.left.insertionGain[$0] > 1 } })
    aid.stop()
    #expect(room.sent.left[end...].contains { $0 != 0 })
  }

  @Test(
    "there is one procedure at a time, none on an aid that is stopped, and no other sound on one that is opened for it"
  )
  func one() throws {
    let room = Self.room()
    let aid = room.aid()
    #expect(throws: FeedbackFault.stopped) { _ = try aid.measureFeedback([.left], at: 0) }
    try aid.startSilently()
    var second: FeedbackFault?
    #expect(throws: FeedbackFault.cancelled) {
      _ = try aid.measureFeedback(
        [.left], at: 0,
        isCancelled: {
          do throws(FeedbackFault) { _ = try aid.measureFeedback([.left], at: 0) } catch { second = error }
          return true
        })
    }
    #expect(second == .system("another procedure is under way"))
    let opened = Self.listen(room)
    try aid.start()
    Self.listen(room)
    aid.stop()
    #expect(room.sent.left[..<opened].allSatisfy { $0 == 0 })
    try Self.expectReturn(room, after: opened)
  }

  @Test("half a minute in which the process stood still does not count as waiting for a device")
  func standstill() {
    var left = TimeLeft(seconds: 5)
    for _ in 0..<100 { left.pass(0.02) }
    left.pass(30)
    // 5 s less a hundred looks of 20 ms; sums of doubles.
    #expect(abs(left.seconds - 3) < 1e-9)
    for _ in 0..<4 { left.pass(0.9) }
    #expect(left.seconds <= 0)
  }
}
