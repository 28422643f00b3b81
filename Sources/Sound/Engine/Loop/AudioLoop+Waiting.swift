import AudioIO
import Base
import Glibc
import HearingDSP
import Realtime

/// Waits of the audio thread while there is no sound.
extension AudioLoop where Stream: ~Copyable {
  /// Sign by which the end of a wait is known.
  enum Sign {
    /// A file of the devices' folder: a card that comes, or the right to use one.
    case file
    /// Nothing: other settings of a sound server or a card, which it may have again. Each attempt makes a client of a server that is
    /// there, so it is asked as seldom as for a file.
    case settings
    /// Nothing that could be watched: a device that others hold, a sound server, an error of a driver.
    case none
    /// Nothing either: a device that was open and stopped working.
    case loss
  }

  /// Time from the first news of devices' files to the attempt, s: a card has several files, each made first and then given its
  /// rights, and no storm of news makes more than ten attempts a second. Own choice.
  private static var settling: Double { 0.1 }

  /// Sleeps until the next attempt may succeed.
  ///
  /// - Parameters:
  ///   - reason: Reason for which there is no sound, a clause.
  ///   - sign: For a file and for settings the wait is the longest, otherwise a pause that is longer each time. News of files
  ///     end every wait.
  mutating func wait(_ reason: String, for sign: Sign, until stop: StopSignal) {
    state.enter(.waiting, because: reason, isAfterLoss: sign == .loss)
    // Of devices that have been away for so long that is to be told, whatever they did before.
    if SystemTime.monotonic - state.lastBlock.load(ordering: .acquiring) > longestWait {
      state.isBreakingOff.store(false, ordering: .releasing)
    }
    rehearse()
    let isWatched = watch != nil
    beginWatch()
    let pause = backoff.next()
    // What came before the watch, it does not tell: one more attempt is made soon.
    let isLong = sign == .settings || (sign == .file && isWatched && watch != nil)
    rest(isLong ? longestWait : pause, until: stop)
  }

  /// Stays silent until somebody acts.
  mutating func latch(_ reason: String, until stop: StopSignal) {
    state.enter(.faulted, because: reason)
    while !stop.isRequested { Self.pause(3600, until: stop) }
  }

  /// Builds a chain for the devices that are wanted, once, while they are away: what FFTW measures for it is known when
  /// they come, and sound is there sooner by that time.
  private mutating func rehearse() {
    guard !hasBuilt else { return }
    hasBuilt = true
    let wishes = settings()
    OrdinaryWork.make {
      guard
        let geometry = try? ChainGeometry(
          sampleRate: Double(wishes.stream.rate), blockFrames: wishes.stream.period),
        let parameters = try? wishes.hearing.parameters(for: geometry)
      else { return }
      _ = try? LimitedChain(
        geometry: geometry, bands: wishes.hearing.bands, parameters: parameters, rise: wishes.ramp)
    }
  }

  /// Watches the devices' files from the first wait on, which the next loss then finds watched.
  private mutating func beginWatch() {
    guard watch == nil, let deviceFolder else { return }
    do throws(SystemError) { watch = try DeviceWatch(folder: deviceFolder) } catch { giveUpWatch(error) }
  }

  private mutating func giveUpWatch(_ error: SystemError) {
    watch = nil
    noteUnwatched("its files cannot be watched (\(error))")
  }

  /// Has control tell why no file ends a wait.
  func noteUnwatched(_ reason: String) { state.notice.withLock { $0.watchRefusal = reason } }

  /// Sleeps, unless `stop` is requested or the devices' files have news.
  private mutating func rest(_ time: Double, until stop: StopSignal) {
    let end = SystemTime.monotonic + time
    while !stop.isRequested {
      let left = end - SystemTime.monotonic
      guard left > 0 else { return }
      guard Self.poll(stop, watch?.descriptor ?? -1, atMost: left) else { continue }
      Self.pause(Self.settling, until: stop)
      do throws(SystemError) { if try watch?.takeNews() == true { return } } catch { giveUpWatch(error) }
    }
  }

  /// Sleeps, unless `stop` is requested.
  private static func pause(_ time: Double, until stop: StopSignal) {
    let end = SystemTime.monotonic + time
    while !stop.isRequested, case let left = end - SystemTime.monotonic, left > 0 {
      _ = poll(stop, -1, atMost: left)
    }
  }

  /// - Parameter news: A descriptor; negative for none.
  /// - Returns: True when that one is readable.
  private static func poll(_ stop: StopSignal, _ news: Int32, atMost time: Double) -> Bool {
    let milliseconds = Int32(clamping: Int64(min(time, 1e6) * 1000) + 1)
    var descriptors = [stop.descriptor, news].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return unsafe Glibc.poll(&descriptors, 2, milliseconds) > 0 && descriptors[1].revents != 0
  }
}
