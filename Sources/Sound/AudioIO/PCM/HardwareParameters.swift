import CALSA
import Glibc

/// A set of configurations of a device, narrowed step by step. The C type is `snd_pcm_hw_params_t`.
@safe
struct HardwareParameters: ~Copyable {
  let pointer: OpaquePointer

  /// All configurations of an open device, without resampling by a plugin.
  ///
  /// - Throws: ``PCMOpenError/failed(name:call:errno:)`` when the device does not tell.
  init(_ pcm: OpaquePointer, device name: String) throws(PCMOpenError) {
    var memory: OpaquePointer?
    guard unsafe snd_pcm_hw_params_malloc(&memory) >= 0, let memory = unsafe memory else {
      throw .failed(name: name, call: "snd_pcm_hw_params_malloc", errno: ENOMEM)
    }
    let code = unsafe Self.fill(memory, pcm)
    guard code >= 0 else {
      unsafe snd_pcm_hw_params_free(memory)
      throw .failed(name: name, call: "snd_pcm_hw_params_any", errno: -code)
    }
    unsafe pointer = memory
  }

  deinit { unsafe snd_pcm_hw_params_free(pointer) }

  private static func fill(_ parameters: OpaquePointer, _ pcm: OpaquePointer) -> Int32 {
    let code = unsafe snd_pcm_hw_params_any(pcm, parameters)
    // Not all devices have the switch; one without resampling has nothing to switch off.
    if code >= 0 { _ = unsafe snd_pcm_hw_params_set_rate_resample(pcm, parameters, 0) }
    return code
  }

  func set(access: snd_pcm_access_t, _ pcm: OpaquePointer) -> Bool {
    unsafe snd_pcm_hw_params_set_access(pcm, pointer, access) >= 0
  }

  func set(format: SampleFormat, _ pcm: OpaquePointer) -> Bool {
    unsafe snd_pcm_hw_params_set_format(pcm, pointer, format.alsa) >= 0
  }

  func set(channels: Int, _ pcm: OpaquePointer) -> Bool {
    guard let count = UInt32(exactly: channels), count > 0 else { return false }
    return unsafe snd_pcm_hw_params_set_channels(pcm, pointer, count) >= 0
  }

  func set(rate: Int, _ pcm: OpaquePointer) -> Bool {
    guard let exact = UInt32(exactly: rate) else { return false }
    return unsafe snd_pcm_hw_params_set_rate(pcm, pointer, exact, 0) >= 0
  }

  /// Sets the nearest period, and the smallest buffer that holds `buffer` frames, or else the nearest.
  func setNear(period: Int, buffer: Int, _ pcm: OpaquePointer) {
    var frames = snd_pcm_uframes_t(period)
    var side: Int32 = 0
    _ = unsafe snd_pcm_hw_params_set_period_size_near(pcm, pointer, &frames, &side)
    var room = snd_pcm_uframes_t(buffer)
    if unsafe snd_pcm_hw_params_set_buffer_size(pcm, pointer, room) >= 0 { return }
    _ = unsafe snd_pcm_hw_params_set_buffer_size_min(pcm, pointer, &room)
    room = snd_pcm_uframes_t(buffer)
    _ = unsafe snd_pcm_hw_params_set_buffer_size_near(pcm, pointer, &room)
  }

  /// The period in force, frames.
  var period: Int {
    var frames: snd_pcm_uframes_t = 0
    var side: Int32 = 0
    unsafe snd_pcm_hw_params_get_period_size(pointer, &frames, &side)
    return Int(clamping: frames)
  }

  /// The buffer in force, frames.
  var buffer: Int {
    var frames: snd_pcm_uframes_t = 0
    unsafe snd_pcm_hw_params_get_buffer_size(pointer, &frames)
    return Int(clamping: frames)
  }

  /// Capabilities of the device before anything is set.
  func offer(of pcm: OpaquePointer) -> DeviceOffer {
    var side: Int32 = 0
    var fewest: UInt32 = 0
    var most: UInt32 = 0
    unsafe snd_pcm_hw_params_get_channels_min(pointer, &fewest)
    unsafe snd_pcm_hw_params_get_channels_max(pointer, &most)
    var shortest: snd_pcm_uframes_t = 0
    var longest: snd_pcm_uframes_t = 0
    unsafe snd_pcm_hw_params_get_period_size_min(pointer, &shortest, &side)
    unsafe snd_pcm_hw_params_get_period_size_max(pointer, &longest, &side)
    var smallest: snd_pcm_uframes_t = 0
    var largest: snd_pcm_uframes_t = 0
    unsafe snd_pcm_hw_params_get_buffer_size_min(pointer, &smallest)
    unsafe snd_pcm_hw_params_get_buffer_size_max(pointer, &largest)
    let rates = DeviceOffer.commonRates.filter {
      unsafe snd_pcm_hw_params_test_rate(pcm, pointer, UInt32($0), 0) == 0
    }
    let formats = SampleFormat.preferred.filter {
      unsafe snd_pcm_hw_params_test_format(pcm, pointer, $0.alsa) == 0
    }
    return DeviceOffer(
      rates: rates, formats: formats, channels: ordered(Int(fewest), Int(most)),
      period: ordered(Int(clamping: shortest), Int(clamping: longest)),
      buffer: ordered(Int(clamping: smallest), Int(clamping: largest)))
  }

  /// A range whatever the driver says.
  private func ordered(_ low: Int, _ high: Int) -> ClosedRange<Int> { low...max(low, high) }
}
