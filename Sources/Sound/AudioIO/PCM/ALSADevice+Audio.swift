import CALSA
import Glibc

/// The calls of the audio thread. Each is one call of alsa-lib and returns what that returns; the compiler
/// cannot look into C, hence the exemption from its analysis.
extension ALSADevice {
  private var closed: Int { -Int(EBADFD) }

  /// The corresponding C function is `snd_pcm_link`.
  public mutating func link(with other: borrowing ALSADevice) -> Int {
    guard let pcm = unsafe pcm, let peer = unsafe other.pcm else { return closed }
    return Int(unsafe snd_pcm_link(pcm, peer))
  }

  /// The corresponding C function is `snd_pcm_prepare`.
  @_semantics("no_performance_analysis")
  public mutating func prepare() -> Int {
    guard let pcm = unsafe pcm else { return closed }
    return Int(unsafe snd_pcm_prepare(pcm))
  }

  /// The corresponding C function is `snd_pcm_start`.
  @_semantics("no_performance_analysis")
  public mutating func start() -> Int {
    guard let pcm = unsafe pcm else { return closed }
    return Int(unsafe snd_pcm_start(pcm))
  }

  /// The corresponding C function is `snd_pcm_drop`.
  @_semantics("no_performance_analysis")
  public mutating func drop() -> Int {
    guard let pcm = unsafe pcm else { return closed }
    return Int(unsafe snd_pcm_drop(pcm))
  }

  /// The corresponding C function is `snd_pcm_resume`.
  @_semantics("no_performance_analysis")
  public mutating func resume() -> Int {
    guard let pcm = unsafe pcm else { return closed }
    return Int(unsafe snd_pcm_resume(pcm))
  }

  /// The corresponding C function is `snd_pcm_state`.
  @_semantics("no_performance_analysis")
  public mutating func state() -> PCMState {
    guard let pcm = unsafe pcm else { return .invalid }
    return PCMState(alsa: unsafe snd_pcm_state(pcm))
  }

  /// The corresponding C function is `snd_pcm_poll_descriptors_count`.
  @_semantics("no_performance_analysis")
  public mutating func pollDescriptorCount() -> Int {
    guard let pcm = unsafe pcm else { return closed }
    return Int(unsafe snd_pcm_poll_descriptors_count(pcm))
  }

  /// The corresponding C function is `snd_pcm_poll_descriptors`.
  @_semantics("no_performance_analysis")
  public mutating func fillPollDescriptors(
    _ descriptors: UnsafeMutablePointer<pollfd>, capacity: Int
  ) -> Int {
    guard let pcm = unsafe pcm else { return closed }
    return DeviceAnswer.count(
      Int(unsafe snd_pcm_poll_descriptors(pcm, descriptors, UInt32(capacity))), atMost: capacity)
  }

  /// The corresponding C function is `snd_pcm_poll_descriptors_revents`.
  @_semantics("no_performance_analysis")
  public mutating func pollEvents(_ descriptors: UnsafeMutablePointer<pollfd>, count: Int) -> Int {
    guard let pcm = unsafe pcm else { return closed }
    var events: UInt16 = 0
    let code = unsafe snd_pcm_poll_descriptors_revents(pcm, descriptors, UInt32(count), &events)
    return code < 0 ? Int(code) : Int(events)
  }

  /// The corresponding C function is `snd_pcm_readi`.
  @_semantics("no_performance_analysis")
  public mutating func readInterleaved(_ buffer: UnsafeMutableRawPointer, frames: Int) -> Int {
    guard let pcm = unsafe pcm else { return closed }
    return DeviceAnswer.count(
      Int(unsafe snd_pcm_readi(pcm, buffer, snd_pcm_uframes_t(frames))), atMost: frames)
  }

  /// The corresponding C function is `snd_pcm_writei`.
  @_semantics("no_performance_analysis")
  public mutating func writeInterleaved(_ buffer: UnsafeRawPointer, frames: Int) -> Int {
    guard let pcm = unsafe pcm else { return closed }
    return DeviceAnswer.count(
      Int(unsafe snd_pcm_writei(pcm, buffer, snd_pcm_uframes_t(frames))), atMost: frames)
  }

  /// The corresponding C function is `snd_pcm_avail`.
  @_semantics("no_performance_analysis")
  public mutating func available() -> Int {
    guard let pcm = unsafe pcm else { return closed }
    return DeviceAnswer.frames(Int(unsafe snd_pcm_avail(pcm)))
  }

  /// The corresponding C function is `snd_pcm_delay`.
  @_semantics("no_performance_analysis")
  public mutating func delay() -> (frames: Int, code: Int) {
    guard let pcm = unsafe pcm else { return (0, closed) }
    var frames: snd_pcm_sframes_t = 0
    let code = unsafe snd_pcm_delay(pcm, &frames)
    return (DeviceAnswer.frames(Int(frames)), Int(code))
  }

  /// The corresponding C function is `snd_pcm_status`.
  @_semantics("no_performance_analysis")
  public mutating func status() -> PCMStatus? {
    guard let pcm = unsafe pcm, let memory = unsafe statusMemory else { return nil }
    guard unsafe snd_pcm_status(pcm, memory) >= 0 else { return nil }
    var trigger = timespec()
    var time = timespec()
    unsafe snd_pcm_status_get_trigger_htstamp(memory, &trigger)
    unsafe snd_pcm_status_get_htstamp(memory, &time)
    return PCMStatus(
      state: PCMState(alsa: unsafe snd_pcm_status_get_state(memory)), triggerTime: seconds(trigger),
      time: seconds(time),
      available: DeviceAnswer.frames(Int(clamping: unsafe snd_pcm_status_get_avail(memory))),
      delay: DeviceAnswer.frames(Int(unsafe snd_pcm_status_get_delay(memory))))
  }

  private func seconds(_ time: timespec) -> Double { Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9 }
}

extension PCMState {
  /// The state of ALSA's code, which may be a negative error.
  @_semantics("no_performance_analysis")
  init(alsa code: snd_pcm_state_t) {
    self =
      switch code {
      case SND_PCM_STATE_OPEN: .open
      case SND_PCM_STATE_SETUP: .setup
      case SND_PCM_STATE_PREPARED: .prepared
      case SND_PCM_STATE_RUNNING: .running
      case SND_PCM_STATE_XRUN: .xrun
      case SND_PCM_STATE_DRAINING: .draining
      case SND_PCM_STATE_PAUSED: .paused
      case SND_PCM_STATE_SUSPENDED: .suspended
      case SND_PCM_STATE_DISCONNECTED: .disconnected
      default: .invalid
      }
  }
}
