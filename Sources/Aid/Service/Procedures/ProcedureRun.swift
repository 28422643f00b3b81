import Acoustics
import Base
import Engine
import Procedures

/// Carries a procedure out: plays its steps, waits for answers, keeps a record, and listens to the room.
///
/// - Threads: the procedure's.
struct ProcedureRun {
  /// End of the sounds of a step.
  private enum Course {
    case answered(ProcedureAnswer)
    /// The sounds are over.
    case over
    /// The step is to be begun again, after an answer that it was interrupted.
    case interrupted(String)
    /// Both sounds once more, or the same sound again.
    case again
  }

  let record: ProcedureWriter
  private let plan: ProcedurePlan
  let rendering: StimulusRendering
  let inbox: ProcedureInbox
  let tell: (ProcedureNotice) -> Void
  private(set) var procedure: any Procedure
  var room: RoomWatch?
  var isPaused = false
  var pace = LoudnessPace(start: SystemTime.monotonic)
  var keyRate = KeyRate()
  /// When the last sound ended, monotonic s.
  private var soundEnded = 0.0
  private var soundedStep = SoundedStep()

  /// Time after the last sound in which a key still counts as heard, s (1 to 2 s after the beginning of a tone of 1 to 2 s:
  /// from memory).
  private static let detectionWindow = 1.0

  init(
    _ procedure: any Procedure, of plan: ProcedurePlan, record: ProcedureWriter,
    rendering: StimulusRendering, room: RoomWatch?, inbox: ProcedureInbox,
    tell: @escaping (ProcedureNotice) -> Void
  ) {
    (self.procedure, self.plan, self.record, self.rendering) = (procedure, plan, record, rendering)
    (self.room, self.inbox, self.tell) = (room, inbox, tell)
  }

  /// Goes on until the procedure has a result.
  ///
  /// - Throws: ``ProcedureEndReason``: of the devices, of a record that cannot be written, of a sound that may not be played.
  mutating func carryOut(by player: inout PresentationPlayer) throws(ProcedureFault) -> ProcedureResult {
    while let step = procedure.nextStep {
      try waitUntilItMaySound(player: &player)
      let answer = try perform(step, by: &player)
      guard procedure.take(answer) else { continue }
      try record.add(.answer(step: step.number, answer, at: SystemTime.wall), isSafe: true)
    }
    guard let result = procedure.result else { throw .noResult }
    if case .hearingTest(let plan) = plan, let room {
      let bands = RoomBands(room.quietBands, beside: rendering.calibration.cover, plan.frequencies)
      try record.add(.bands(bands), isSafe: false)
    }
    try record.add(.end(result, at: SystemTime.wall), isSafe: true)
    var notice = notice(.finished, nil)
    notice.result = result
    tell(notice)
    return result
  }

  /// True while nothing may sound: a person wants a pause, or the room is loud. Where that is seen in the last look of a sound, the sound is
  /// over, and nothing was stopped.
  var isHeldUp: Bool { isPaused || room?.isOpen == false }

  func notice(_ phase: ProcedureNotice.Phase, _ step: ProcedureStep?) -> ProcedureNotice {
    let share = procedure.progress
    var notice = ProcedureNotice(record.identifier, phase, share: share.isFinite ? share : 0)
    guard let step else { return notice }
    (notice.step, notice.question, notice.trial) = (step.number, step.question, procedure.trial)
    notice.ear = step.cues.first?.stimulus?.ear
    // A tone that is to be detected is not described.
    if step.question == .detection {
      notice.ear = nil
    } else {
      notice.level = step.cues.first?.stimulus?.level
    }
    return notice
  }

  // MARK: - Steps

  private mutating func perform(
    _ step: ProcedureStep, by player: inout PresentationPlayer
  ) throws(ProcedureFault) -> ProcedureAnswer {
    while true {
      switch try course(of: step, by: &player) {
      case .answered(let answer): return answer
      case .again: try waitUntilItMaySound(player: &player)
      case .interrupted(let reason):
        return try interrupted(step, reason)
      case .over:
        switch step.question {
        case .detection: return .notHeard
        case .listening: return .ended
        case .adjustment, .presence: continue
        case .comparison, .rating, .balance, .likeness:
          switch try wait(step, by: &player) {
          case .answered(let answer): return answer
          case .again, .over: continue
          case .interrupted(let reason):
            return try interrupted(step, reason)
          }
        }
      }
    }
  }

  /// Notes that a step is begun again, and tells why.
  private func interrupted(
    _ step: ProcedureStep, _ reason: String
  ) throws(ProcedureFault) -> ProcedureAnswer {
    try record.add(.interrupted(reason: reason, at: SystemTime.wall), isSafe: false)
    var notice = notice(.sounding, step)
    notice.note = "Once more: \(reason)."
    tell(notice)
    return .interrupted
  }

  /// Plays the sounds of a step, one after the other.
  private mutating func course(
    of step: ProcedureStep, by player: inout PresentationPlayer
  ) throws(ProcedureFault) -> Course {
    var heard: ProcedureAnswer?
    for (index, cue) in step.cues.enumerated() {
      guard !isHeldUp else { return .interrupted(brokenOff) }
      var notice = notice(.sounding, step)
      if step.question != .detection { notice.sound = index + 1 }
      tell(notice)
      switch try play(cue, index, of: step, heard: &heard, by: &player) {
      case .over: continue
      case let course: return course
      }
    }
    if let heard { return .answered(heard) }
    guard step.question == .detection else { return .over }
    guard !isHeldUp else { return .interrupted(brokenOff) }
    // Somebody who has decided late is still heard.
    let window = Int(Self.detectionWindow * player.rate)
    let toneLength = HearingTest.toneLength
    let end = SystemTime.monotonic
    return try listen(frames: window, step, by: &player) { key, at in
      key.name == .heard ? .heard(after: toneLength + at - end) : nil
    }
  }

  /// Plays one sound, with the silence before it.
  private mutating func play(
    _ cue: ProcedureStep.Cue, _ index: Int, of step: ProcedureStep, heard: inout ProcedureAnswer?,
    by player: inout PresentationPlayer
  ) throws(ProcedureFault) -> Course {
    let sound = try CueSound(cue, of: step, in: plan, by: rendering)
    var sounded = soundedStep
    var early: ProcedureNotice? = notice(unheard: step, sound: index + 1)
    let say = tell
    if cue.stimulus != nil || cue.masker != nil {
      // Noise in the other ear comes before the tone.
      let gap = cue.masker == nil ? cue.gap : HearingTest.noiseDelay
      let level = step.isTurned ? sound.level?.sound : nil
      let isKept = try keepPace(level, after: gap, by: &player) { key in
        guard step.answer(of: key, after: 0) != nil, !sounded.allows(key, in: step) else { return }
        if let notice = early { say(notice) }
        early = nil
      }
      guard isKept else { return .interrupted(brokenOff) }
    }
    let (began, rate, soundBefore) = (SystemTime.wall, rendering.rate, soundEnded)
    var course = Course.over
    var found: ProcedureAnswer?
    let ending = try carry(
      sound.presentation, by: &player, tone: sound.tone, hasNoise: { sound.hasNoise($0) }
    ) {
      key, at, played in
      let after = step.question == .detection ? Double(played - sound.onset) / rate : at - soundBefore
      let answer = step.answer(of: key, after: after)
      sounded.note(played, of: index, in: step, onset: sound.onset)
      guard answer == nil || sounded.allows(key, in: step) else {
        if let notice = early { say(notice) }
        early = nil
        return true
      }
      switch (key.name, answer) {
      case (.heard, let answer?):
        // The tone goes on to its end: that it stops would tell that there was one.
        if after > 0 { found = found ?? answer }
        return true
      case (_, let answer?):
        course = .answered(answer)
        return false
      case (.again, nil) where step.canRepeat:
        course = .again
        return false
      case (_, nil): return true
      }
    }
    if ending == .whole {
      sounded.note(sound.presentation.frames, of: index, in: step, onset: sound.onset)
    }
    soundedStep = sounded
    if cue.stimulus != nil { soundEnded = SystemTime.monotonic }
    if case .over = course, ending == .whole, cue.stimulus == nil, step.question != .detection {
      // A pause between questions is no sound; an answer in its last look is one all the same.
      heard = found
      return .over
    }
    let level = sound.level
    try record.add(
      .presented(
        PresentedSound(
          step: step.number, cue: index, stimulus: cue.stimulus, masker: cue.masker, sound: level?.sound,
          digital: level?.digital, status: level?.status ?? rendering.calibration.device.status,
          digest: SampleDigest.of(sound.presentation.samples), at: began, isWhole: ending == .whole)),
      isSafe: false)
    heard = heard ?? found
    switch (ending, course) {
    case (_, .answered), (_, .again): return course
    case (.whole, _): return .over
    case (.gap, _): return .interrupted("the sound had a gap")
    case (.stopped, _): return .interrupted(brokenOff)
    }
  }

  /// News for whoever answers a sound that has not begun.
  private func notice(unheard step: ProcedureStep, sound: Int) -> ProcedureNotice {
    var notice = notice(.sounding, step)
    notice.sound = sound
    notice.note =
      "This key counts once the \(step.cues.count > 1 ? "second sound" : "sound") has begun: listen first."
    return notice
  }

  /// Reason for which a sound was stopped that nobody has answered.
  private var brokenOff: String { isPaused ? "paused" : "the room was not quiet" }

  /// Waits for the answer to a question, in silence.
  private mutating func wait(
    _ step: ProcedureStep, by player: inout PresentationPlayer
  ) throws(ProcedureFault) -> Course {
    tell(notice(.asking, step))
    while true {
      guard !isHeldUp else { return .interrupted(brokenOff) }
      let ended = soundEnded
      let course = try listen(frames: Int(player.rate), step, by: &player) { key, at in
        step.answer(of: key, after: at - ended)
      }
      if case .over = course { continue }
      return course
    }
  }

  /// Silence in which keys count.
  private mutating func listen(
    frames: Int, _ step: ProcedureStep, by player: inout PresentationPlayer,
    answer: (ProcedureKey, Double) -> ProcedureAnswer?
  ) throws(ProcedureFault) -> Course {
    var course = Course.over
    let ending = try carry(.silence(frames: frames), by: &player) { key, at, _ in
      if let answer = answer(key, at) {
        course = .answered(answer)
        return false
      }
      if key.name == .again, step.canRepeat {
        course = .again
        return false
      }
      return true
    }
    switch (ending, course) {
    case (_, .answered), (_, .again), (.whole, _): return course
    case (.gap, _): return step.question == .detection ? .interrupted("the sound had a gap") : .over
    case (.stopped, _): return .interrupted(brokenOff)
    }
  }
}
