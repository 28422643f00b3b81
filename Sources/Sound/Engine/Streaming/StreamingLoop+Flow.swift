import AudioIO
import HearingDSP
import Realtime

/// Sound on its way from the device to the feed.
extension StreamingLoop where Device: ~Copyable {
  /// Reads what there is and passes it on.
  ///
  /// - Parameter isExpected: True when the device says that there is something.
  mutating func transfer(isExpected: Bool) -> Double {
    var isHeard = false
    var got = 0
    reading: while true {
      switch capture.read() {
      case .sound(let frames):
        (isHeard, restarts) = (true, 0)
        unmeasured += frames
        got += frames
        pass(frames)
        // As of ALSA's null device: it would keep the thread for ever.
        guard got <= StreamingFeed.room else {
          return lose("it delivers sound without end, faster than any clock", Self.outOfStepPause)
        }
      case .nothing: break reading
      case .restarted(let fault):
        drain()
        restarts += 1
        guard restarts <= Self.restartLimit else {
          return lose("\(fault), again and again", backoff.next())
        }
        reading.losses += 1
        lastSound = now
        // Nothing is there before it has been waited for.
        break reading
      case .lost(let fault): return lose("\(fault)", backoff.next())
      }
    }
    if isHeard {
      note(burst: got)
      lastSound = now
      backoff.reset()
      if unmeasured >= capture.period { steer() }
      reading.level = chain?.inputLevel ?? -200
      reading.drift = capture.drift
      channel.reading = reading
    } else if now - lastSound > Self.patience {
      return lose("it delivers no sound", backoff.next())
    } else if isExpected {
      capture.pause()
    }
    guard !capture.isOutOfStep else {
      return lose("its clock differs by more than 0.5 % from the aid's", Self.outOfStepPause)
    }
    guard !breaksTooOften() else {
      return lose("it breaks off again and again: its rate is not what it says", Self.outOfStepPause)
    }
    return 0
  }

  /// Lets the feed run out before anything new is pushed.
  mutating func drain() {
    chain?.reset()
    isDraining = true
    channel.feed.target = 0
  }

  /// Passes on what was read, once the feed has run out of what was before a gap. A full feed makes one.
  mutating func pass(_ frames: Int) {
    if isDraining, channel.feed.waiting == 0 {
      isDraining = false
      channel.feed.target = target
    }
    guard !isDraining else { return }
    let lost = chain?.lostFrames
    chain?.process(left: capture.left, right: capture.right, count: frames)
    // Nobody takes any, as while a procedure plays: what waits is old by the time that somebody does.
    if chain?.lostFrames != lost { drain() }
  }

  /// Corrects the ratio by what waits, while somebody takes it.
  mutating func steer() {
    let feed = channel.feed
    unmeasured = 0
    if feed.interruptions != steeredBreaks {
      // What waits grows anew from nothing.
      steeredBreaks = feed.interruptions
      (taken, lastTaking) = (feed.taken, -.infinity)
    }
    if feed.taken != taken { (taken, lastTaking) = (feed.taken, now) }
    let waiting = feed.waiting + (chain?.pending ?? 0)
    guard !isDraining, now - lastTaking < Self.standstill, waiting < 2 * target else {
      // It piles up, or has just begun: that is no drift.
      aim = nil
      return capture.steerNothing()
    }
    // Sound begins up to a delivery above the target; to correct that would detune the first seconds.
    let wanted = aim ?? min(max(waiting, target), target + burst)
    aim = wanted
    capture.steer(excess: waiting - wanted)
  }

  /// True when the sound was interrupted too often in a short time.
  mutating func breaksTooOften() -> Bool {
    let breaks = channel.feed.interruptions
    guard breaks - formerBreaks >= Self.breakLimit || now - breaksSince > Self.breakTime else {
      return false
    }
    let isOften = breaks - formerBreaks >= Self.breakLimit
    (formerBreaks, breaksSince) = (breaks, now)
    return isOften
  }
}
