import Acoustics
import Base
import CommonTesting
import Control
import Glibc
import Procedures
import Synchronization
import Testing

@testable import Engine
@testable import EngineTesting
@testable import Service

/// Procedures on a simulated sound card, answered by their news.
@Suite("Run of a procedure") struct ProcedureRunTests {
  let folder = TemporaryFolder()

  /// One trial of a loudness match.
  private static let loudness = ProcedurePlan.loudness(
    LoudnessPlan(ear: .left, frequency: 1000, range: RecordedProcedure.range, trialCount: 1))

  private static func key(_ name: ProcedureKey.Name) -> ProcedureKey { ProcedureKey(name)! }

  /// A room in which silence takes longer than a busy machine keeps a thread waiting, so that a key that comes with the news of a sound is read
  /// before the sound begins.
  private static func slowRoom() -> EchoRoom {
    let room = EchoRoom()
    room.before = { room, _ in if room.framesSounding == 0 { usleep(1000) } }
    return room
  }

  /// Carries a procedure out.
  ///
  /// - Parameters:
  ///   - procedure: In place of the plan's.
  ///   - pause: Time until the second of silence before the first sound begins, s.
  ///   - keys: Pressed as soon as a notice is told, before the sound that it tells of.
  /// - Returns: All notices, and the lines of the record.
  private func carriedOut(
    _ plan: ProcedurePlan, as procedure: (any Procedure)? = nil, in room: EchoRoom,
    watch: RoomWatch? = nil, inbox: ProcedureInbox = ProcedureInbox(), pause: Double = 0,
    keys: @escaping (ProcedureNotice) -> [ProcedureKey.Name]
  ) throws -> (notices: [ProcedureNotice], lines: [ProcedureLine]) {
    let (file, identifier) = try ProcedureFolder(state: folder.path).make(plan.name, at: 1_790_000_000)
    let rendering = StimulusRendering(
      calibration: RecordedProcedure.calibration, rate: EchoRoom.rate,
      limit: Binaural(both: SoundPressureLevel(110)))
    let record = ProcedureWriter(file, identifier: identifier)
    var notices: [ProcedureNotice] = []
    let aid = room.aid()
    try aid.startSilently()
    defer { aid.stop() }
    // A fault that lets nothing end is no hang; an idle machine needs some seconds.
    let due = SystemTime.monotonic + 120
    var outcome = Result<Void, ProcedureFault>.success(())
    try aid.present(isCancelled: { SystemTime.monotonic > due }) { player throws(FeedbackFault) in
      outcome = Result { () throws(ProcedureFault) in
        var run = ProcedureRun(
          procedure ?? plan.begin(seed: 3), of: plan, record: record, rendering: rendering, room: watch,
          inbox: inbox
        ) { notice in
          notices.append(notice)
          for name in keys(notice) { inbox.put(Self.key(name), at: SystemTime.monotonic) }
        }
        if pause > 0 { run.pace = LoudnessPace(start: SystemTime.monotonic + pause) }
        _ = try run.carryOut(by: &player)
      }
    }
    try outcome.get()
    let bytes = try FileContent.bytes(of: file.path, limit: ProcedureFile.greatestSize)
    let lines = try bytes.split(separator: UInt8(ascii: "\n")).map {
      try JSON.value(ProcedureLine.self, from: Array($0))
    }
    return (notices, lines)
  }

  /// Sounds of a step as they were played.
  private func sounds(of step: Int, in lines: [ProcedureLine]) -> [PresentedSound] {
    lines.compactMap { if case .presented(let sound) = $0, sound.step == step { sound } else { nil } }
  }

  @Test("of two tones none is chosen before both were heard, however early the keys come, which is told")
  func earlyChoice() throws {
    let points = [1000.0, 2000].map {
      LevelCurve.Point(frequency: $0, level: HearingLevel(30), ceiling: HearingLevel(60))
    }
    let curve = try #require(LevelCurve(points))
    // A key with each sound, in the silence before it, and one when the answer is asked for.
    let (notices, lines) = try carriedOut(
      .pitch(PitchPlan(ear: .right, curve: curve)), in: Self.slowRoom()
    ) { $0.note == nil ? [.first] : [] }
    let answers = lines.compactMap {
      if case .answer(let step, let answer, _) = $0 { (step, answer) } else { nil }
    }
    // An octave is halved four times until a twelfth of one is left.
    #expect(answers.count == 4 && answers.allSatisfy { $0.1 == .first })
    for (step, _) in answers {
      #expect(sounds(of: step, in: lines).map(\.cue) == [0, 1])
      let areWhole = sounds(of: step, in: lines).map(\.isWhole)
      #expect(!areWhole.contains(false))
    }
    let notes = notices.compactMap(\.note)
    #expect(Set(notes) == ["This key counts once the second sound has begun: listen first."])
    // One with each of both sounds.
    #expect(notes.count == 2 * answers.count)
  }

  @Test("a key that is pressed twice takes the tone that was heard, and not the next trial's beside it")
  func doublePress() throws {
    let plan = ProcedurePlan.loudness(
      LoudnessPlan(ear: .left, frequency: 1000, range: RecordedProcedure.range, trialCount: 3))
    let (notices, lines) = try carriedOut(plan, in: Self.slowRoom()) { notice in
      notice.phase == .sounding && notice.note == nil ? [.accept] : []
    }
    // Each trial has one answer: its tone was heard whole once, and came again.
    for step in 1...3 {
      #expect(sounds(of: step, in: lines).map(\.isWhole) == [true, false])
    }
    #expect(notices.last?.result?.loudness?.trials.count == 3)
    #expect(
      notices.compactMap(\.note).allSatisfy {
        $0 == "This key counts once the sound has begun: listen first."
      })
  }

  /// A question for a rating, behind a silence alone.
  private struct Question: Procedure {
    /// Told once it is answered.
    let end: ProcedureResult
    var answer: ProcedureAnswer?

    var nextStep: ProcedureStep? {
      answer == nil ? ProcedureStep(1, [ProcedureStep.Cue(gap: 0.2, nil)], .rating) : nil
    }
    var progress: Double { 0 }
    var result: ProcedureResult? { answer == nil ? nil : end }

    mutating func take(_ answer: ProcedureAnswer) -> Bool {
      self.answer = answer
      return true
    }
  }

  private final class Flag: Sendable { let isSet = Atomic<Bool>(false) }

  /// A tone that is heard to its end, behind 0.4 s of silence.
  private struct Tone: Procedure {
    /// Told once it is over.
    let end: ProcedureResult
    var isOver = false

    var nextStep: ProcedureStep? {
      let tone = Stimulus(.tone, .left, frequency: 1000, level: HearingLevel(15), duration: 0.3)
      return isOver ? nil : ProcedureStep(1, [ProcedureStep.Cue(gap: 0.4, tone)], .listening)
    }
    var progress: Double { 0 }
    var result: ProcedureResult? { isOver ? end : nil }

    mutating func take(_ answer: ProcedureAnswer) -> Bool {
      isOver = answer == .ended
      return true
    }
  }

  @Test("the first sound waits for its second of silence, also where no answer makes it louder")
  func firstSound() throws {
    let (room, told) = (Self.slowRoom(), Flag())
    let slow = room.before
    room.before = { room, block in
      if room.marks == 0, told.isSet.load(ordering: .acquiring) { room.marks = block }
      slow(room, block)
    }
    let tone = Tone(end: try JSON.value(ProcedureResult.self, from: Array("{}".utf8)))
    _ = try carriedOut(Self.loudness, as: tone, in: room, pause: 2) { notice in
      if notice.phase == .sounding { told.isSet.store(true, ordering: .releasing) }
      return []
    }
    let first = try #require(room.sent.left.firstIndex { $0 != 0 })
    // Three seconds from the moment before the news. One of them is left to a busy machine; its own silence has 0.4 s.
    #expect(first - room.marks * EchoRoom.period > 2 * Int(EchoRoom.rate))
  }

  @Test(
    "a rating that comes in the last look of the silence before its question counts, and is not asked for again"
  )
  func ratingAtTheEnd() throws {
    let (room, inbox, told) = (EchoRoom(), ProcedureInbox(), Flag())
    let rate = try #require(ProcedureKey(.rate, value: 80))
    room.before = { room, _ in
      guard room.marks == 0, told.isSet.load(ordering: .acquiring) else { return }
      room.marks = 1
      // The silence has been asked for by then and looked at once. Its 150 blocks come at once, and the next look is at its end, or
      // 20 ms later.
      usleep(5000)
      inbox.put(rate, at: SystemTime.monotonic)
    }
    let question = Question(end: try JSON.value(ProcedureResult.self, from: Array("{}".utf8)))
    let (notices, lines) = try carriedOut(Self.loudness, as: question, in: room, inbox: inbox) { notice in
      switch notice.phase {
      case .sounding: told.isSet.store(true, ordering: .releasing)
      // Nobody would answer it otherwise.
      case .asking: inbox.put(rate, at: SystemTime.monotonic)
      case .waitingForQuiet, .paused, .finished, .broken: break
      }
      return []
    }
    #expect(notices.map(\.phase) == [.sounding, .finished])
    let ratings = lines.compactMap { line -> Double? in
      if case .answer(_, .rate(let loudness, _), _) = line { loudness } else { nil }
    }
    #expect(ratings == [80])
  }

  @Test("a pause that is asked for when a tone has just ended lets no other one sound before it is over")
  func pauseAtTheEnd() throws {
    let (room, inbox) = (EchoRoom(), ProcedureInbox())
    room.before = { room, _ in
      // The tone has 48,000 frames; behind it the take ends within the fall of the safety stage, 20 ms.
      if room.marks == 0, room.framesSounding > 40_000 { room.marks = 1 }
      if room.marks == 1, room.framesSounding == 0 {
        room.marks = 2
        inbox.put(Self.key(.pause), at: SystemTime.monotonic)
      }
    }
    var again = 0
    let (notices, lines) = try carriedOut(Self.loudness, in: room, inbox: inbox) { notice in
      switch notice.phase {
      case .paused: return [.resume]
      case .sounding where notice.step == 2 && notice.note == nil:
        again += 1
        return again == 2 ? [.accept] : []
      default: return []
      }
    }
    #expect(notices.filter { $0.note == nil }.map(\.phase).prefix(3) == [.sounding, .paused, .sounding])
    #expect(notices.compactMap(\.note) == ["Once more: paused."])
    #expect(sounds(of: 1, in: lines).count == 1)
    #expect(notices.last?.result?.loudness?.trials == [15])
  }

  /// News of a pause that have been told.
  private final class Pauses: Sendable { let count = Atomic<Int>(0) }

  @Test(
    "a pause while the room is loud stays on the screen until a key takes it back; one that is asked for again is told again"
  )
  func pauseBeforeQuiet() throws {
    let (room, inbox, pauses) = (EchoRoom(), ProcedureInbox(), Pauses())
    // 83 dB SPL where full scale stands for 120.
    room.noise = Binaural(both: 0.01)
    room.before = { room, _ in
      // The room goes on slowly, so that nothing of its sound is lost on a busy machine.
      usleep(300)
      switch pauses.count.load(ordering: .acquiring) {
      case 0: break
      case 1:
        // Two seconds of the loud room behind the news of the pause.
        room.marks += 1
        if room.marks == 1500 { inbox.put(Self.key(.pause), at: SystemTime.monotonic) }
      default: room.noise = Binaural(both: 3e-6)
      }
    }
    let watch = try RoomWatch(
      .tinnitusStudy, rate: EchoRoom.rate,
      fullScale: Calibrated(SoundPressureLevel(120), status: .provisional))
    var (isAsked, sounds) = (false, 0)
    let (notices, _) = try carriedOut(Self.loudness, in: room, watch: watch, inbox: inbox) { notice in
      switch notice.phase {
      case .waitingForQuiet where notice.room?.level != nil && !isAsked:
        isAsked = true
        return [.pause]
      case .paused:
        let told = pauses.count.add(1, ordering: .acquiringAndReleasing).newValue
        return told == 2 ? [.resume] : []
      case .sounding:
        sounds += 1
        return sounds == 2 ? [.accept] : []
      default: return []
      }
    }
    var phases: [ProcedureNotice.Phase] = []
    for phase in notices.map(\.phase) where phase != phases.last { phases.append(phase) }
    #expect(phases == [.waitingForQuiet, .paused, .waitingForQuiet, .sounding, .finished])
    #expect(notices.count { $0.phase == .paused } == 2)
    // Before the room has passed the study's threshold binds.
    #expect(notices.first?.room?.threshold == 45)
  }
}
