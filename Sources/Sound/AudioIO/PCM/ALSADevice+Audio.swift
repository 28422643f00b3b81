import CALSA
import Glibc

/// The calls of the audio thread. Each is one call of alsa-lib and returns what that returns; the compiler
/// cannot look into C, hence the exemption from its analysis.
extension ALSADevice {
  /// Result of a call on the open device; `-EBADFD` while it is closed.
  @inline(__always) private func call(_ function: (OpaquePointer) -> some BinaryInteger) -> Int {
    guard let pcm = unsafe pcm else { return -Int(EBADFD) }
    return Int(unsafe function(pcm))
  }

  /// The corresponding C function is `snd_pcm_link`.
  public mutating func link(with other: borrowing ALSADevice) -> Int {
    guard let peer = unsafe other.pcm else { return -Int(EBADFD) }
    return unsafe call { unsafe snd_pcm_link($0, peer) }
  }

  /// The corresponding C function is `snd_pcm_prepare`.
  @_semantics("no_performance_analysis")
  public mutating func prepare() -> Int { unsafe call { unsafe snd_pcm_prepare($0) } }

  /// The corresponding C function is `snd_pcm_start`.
  @_semantics("no_performance_analysis")
  public mutating func start() -> Int { unsafe call { unsafe snd_pcm_start($0) } }

  /// The corresponding C function is `snd_pcm_drop`.
  @_semantics("no_performance_analysis")
  public mutating func drop() -> Int { unsafe call { unsafe snd_pcm_drop($0) } }

  /// The corresponding C function is `snd_pcm_resume`.
  @_semantics("no_performance_analysis")
  public mutating func resume() -> Int { unsafe call { unsafe snd_pcm_resume($0) } }

  /// The corresponding C function is `snd_pcm_state`.
  @_semantics("no_performance_analysis")
  public mutating func state() -> PCMState {
    guard let pcm = unsafe pcm else { return .invalid }
    return PCMState(alsa: unsafe snd_pcm_state(pcm))
  }

  /// The corresponding C function is `snd_pcm_poll_descriptors`.
  @_semantics("no_performance_analysis")
  public mutating func fillPollDescriptors(
    _ descriptors: UnsafeMutablePointer<pollfd>, capacity: Int
  ) -> Int {
    DeviceAnswer.count(
      unsafe call { unsafe snd_pcm_poll_descriptors($0, descriptors, UInt32(capacity)) }, atMost: capacity)
  }

  /// The corresponding C function is `snd_pcm_poll_descriptors_revents`.
  @_semantics("no_performance_analysis")
  public mutating func pollEvents(_ descriptors: UnsafeMutablePointer<pollfd>, count: Int) -> Int {
    var events: UInt16 = 0
    let code = unsafe call {
      unsafe snd_pcm_poll_descriptors_revents($0, descriptors, UInt32(count), &events)
    }
    return code < 0 ? code : Int(events)
  }

  /// The corresponding C function is `snd_pcm_readi`.
  @_semantics("no_performance_analysis")
  public mutating func readInterleaved(_ buffer: UnsafeMutableRawPointer, frames: Int) -> Int {
    DeviceAnswer.count(
      unsafe call { unsafe snd_pcm_readi($0, buffer, snd_pcm_uframes_t(frames)) }, atMost: frames)
  }

  /// The corresponding C function is `snd_pcm_writei`.
  @_semantics("no_performance_analysis")
  public mutating func writeInterleaved(_ buffer: UnsafeRawPointer, frames: Int) -> Int {
    DeviceAnswer.count(
      unsafe call { unsafe snd_pcm_writei($0, buffer, snd_pcm_uframes_t(frames)) }, atMost: frames)
  }

  /// The corresponding C function is `snd_pcm_avail`.
  @_semantics("no_performance_analysis")
  public mutating func available() -> Int { DeviceAnswer.frames(unsafe call { unsafe snd_pcm_avail($0) }) }

  /// The corresponding C function is `snd_pcm_delay`.
  @_semantics("no_performance_analysis")
  public mutating func delay() -> (frames: Int, code: Int) {
    var frames: snd_pcm_sframes_t = 0
    let code = unsafe call { unsafe snd_pcm_delay($0, &frames) }
    return (DeviceAnswer.frames(frames), code)
  }

  /// The corresponding C function is `snd_pcm_status`.
  @_semantics("no_performance_analysis")
  public mutating func status() -> PCMStatus? {
    guard let pcm = unsafe pcm, let memory = unsafe statusMemory else { return nil }
    guard unsafe snd_pcm_status(pcm, memory) >= 0 else { return nil }
    var (trigger, time) = (timespec(), timespec())
    unsafe snd_pcm_status_get_trigger_htstamp(memory, &trigger)
    unsafe snd_pcm_status_get_htstamp(memory, &time)
    return PCMStatus(
      state: PCMState(alsa: unsafe snd_pcm_status_get_state(memory)), triggerTime: seconds(trigger),
      time: seconds(time),
      available: DeviceAnswer.frames(Int(clamping: unsafe snd_pcm_status_get_avail(memory))))
  }

  private func seconds(_ time: timespec) -> Double { Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9 }
}

extension PCMState {
  /// The state of ALSA's code, which may be a negative error.
  @_semantics("no_performance_analysis")
  init(alsa code: snd_pcm_state_t) {
    self = PCMState(rawValue: Int32(bitPattern: code.rawValue)) ?? .invalid
  }
}
