import Acoustics
import Base
import Engine
import Procedures

/// Sound under way: keys and the room are looked at while it plays.
extension ProcedureRun {
  /// Plays, and looks at keys and room meanwhile.
  ///
  /// - Parameters:
  ///   - tone: Frequency of own sound, Hz, which is left out of the room's level; nil: none.
  ///   - hasNoise: True at a frame at which own noise is on.
  ///   - take: Given a key, its time, monotonic s, and the frames that were played; false ends the sound.
  mutating func carry(
    _ presentation: Presentation, by player: inout PresentationPlayer, tone: Double? = nil,
    hasNoise: (Int) -> Bool = { _ in false },
    take: (ProcedureKey, Double, Int) -> Bool
  ) throws(ProcedureFault) -> PresentationPlayer.Ending {
    var fault: ProcedureFault?
    var former = 0
    room?.leaveOut(tone)
    let ending: PresentationPlayer.Ending
    do throws(FeedbackFault) {
      ending = try player.play(presentation) { look in
        let isNoisy = hasNoise(former) || hasNoise(look.played)
        former = look.played
        do throws(ProcedureFault) {
          guard try hearRoom(look, isOwnNoiseOn: isNoisy) else { return false }
          var goesOn = true
          for (key, at) in inbox.take() {
            if keyRate.keeps(at: at) {
              try record.add(.key(PressedKey(key: key, at: SystemTime.wall)), isSafe: false)
            }
            if key.name == .pause {
              // Whoever asks once more has not seen that it is paused.
              if isPaused, goesOn { tell(notice(.paused, nil)) }
              (isPaused, goesOn) = (true, false)
            } else if goesOn, pace.allows(key, at: at) {
              goesOn = take(key, at, look.played)
            }
          }
          return goesOn
        } catch {
          fault = error
          return false
        }
      }
    } catch { throw .sound(error) }
    if let fault { throw fault }
    return ending
  }

  /// Plays the silence that the first sound, or a louder one, has to wait for, in which keys answer nothing, and takes note of that sound.
  ///
  /// - Parameters:
  ///   - level: Of a sound that answers make louder; nil: of another one.
  ///   - gap: Silence of the sound itself, s.
  ///   - tellEarly: Given each key.
  /// - Returns: False where it was stopped, or nothing may sound behind it.
  mutating func keepPace(
    _ level: SoundPressureLevel?, after gap: Double, by player: inout PresentationPlayer,
    tellEarly: (ProcedureKey) -> Void
  ) throws(ProcedureFault) -> Bool {
    let moment = SystemTime.monotonic + gap
    let wait = level.map { pace.silence(before: $0, at: moment) } ?? pace.silence(beforeFirstAt: moment)
    if wait > 0 {
      let ending = try carry(.silence(frames: Int(wait * player.rate)), by: &player) { key, _, _ in
        tellEarly(key)
        return true
      }
      guard ending != .stopped, !isHeldUp else { return false }
    }
    if let level { pace.note(level, at: SystemTime.monotonic + gap) }
    return true
  }

  /// - Returns: False where the room has become too loud.
  private mutating func hearRoom(
    _ look: PresentationPlayer.Look, isOwnNoiseOn: Bool
  ) throws(ProcedureFault) -> Bool {
    guard var watch = room else { return true }
    let wasOpen = watch.isOpen
    let windows = watch.take(look.heard, isOwnNoiseOn: isOwnNoiseOn, isBroken: look.hasGap)
    room = watch
    for level in windows {
      try record.add(
        .room(RoomReading(level: level, state: watch.gate.state, at: SystemTime.wall)), isSafe: false)
      // News of the room would take the place of a pause, which nothing but a key ends.
      if !isPaused, !watch.isOpen || !wasOpen { tellRoom(level) }
    }
    return watch.isOpen || !wasOpen
  }

  private func tellRoom(_ level: Double?) {
    guard let gate = room?.gate else { return }
    var notice = notice(.waitingForQuiet, nil)
    notice.room = ProcedureNotice.Room(level: level, state: gate.state, threshold: gate.limit)
    tell(notice)
  }

  /// Waits in silence while the room is loud, or a person wants a pause.
  mutating func waitUntilItMaySound(
    player: inout PresentationPlayer
  ) throws(ProcedureFault) {
    var told: ProcedureNotice.Phase?
    while isHeldUp {
      let phase = isPaused ? ProcedureNotice.Phase.paused : .waitingForQuiet
      if told != phase { if isPaused { tell(notice(.paused, nil)) } else { tellRoom(nil) } }
      told = phase
      var goesOn = false
      _ = try carry(.silence(frames: Int(player.rate)), by: &player) { key, _, _ in
        if key.name == .resume { goesOn = true }
        return !goesOn
      }
      if goesOn { (isPaused, told) = (false, nil) }
    }
  }
}
