import CALSA
import Glibc

extension SampleFormat {
  /// ALSA's constant for this format.
  var alsa: snd_pcm_format_t {
    switch self {
    case .float32: SND_PCM_FORMAT_FLOAT_LE
    case .signed32: SND_PCM_FORMAT_S32_LE
    case .signed24: SND_PCM_FORMAT_S24_LE
    case .signed24Packed: SND_PCM_FORMAT_S24_3LE
    case .signed16: SND_PCM_FORMAT_S16_LE
    }
  }
}

extension ALSADevice {
  /// The corresponding C functions are `snd_pcm_hw_params_set_…` and `snd_pcm_sw_params_set_…`.
  ///
  /// Rate and format are exact. Period and buffer are exact where the device can, otherwise the nearest,
  /// and are read back.
  public mutating func configure(
    _ request: StreamRequest, buffer: Int
  ) throws(PCMOpenError) -> StreamFormat {
    guard let pcm = unsafe pcm else { throw .failed(name: name, call: "snd_pcm_hw_params", errno: EBADFD) }
    let parameters = try unsafe HardwareParameters(pcm, device: name)
    let access = SND_PCM_ACCESS_RW_INTERLEAVED
    guard unsafe snd_pcm_hw_params_set_access(pcm, parameters.pointer, access) >= 0 else {
      throw .accessRefused(name: name, offer: parameters.offer)
    }
    let (format, channels) = try parameters.settle(request, direction, device: name)
    parameters.setNear(period: request.period, buffer: buffer)
    let code = unsafe snd_pcm_hw_params(pcm, parameters.pointer)
    guard code >= 0 else { throw .failed(name: name, call: "snd_pcm_hw_params", errno: -code) }
    let granted = StreamFormat(
      rate: request.rate, channels: channels, format: format, period: parameters.period,
      buffer: parameters.buffer)
    guard DeviceAnswer.isUsable(period: granted.period, buffer: granted.buffer) else {
      throw .failed(name: name, call: "snd_pcm_hw_params", errno: EINVAL)
    }
    let set = unsafe setSoftwareParameters(granted, block: max(request.period, granted.period), pcm)
    guard set >= 0 else { throw .failed(name: name, call: "snd_pcm_sw_params", errno: -set) }
    return granted
  }

  /// The corresponding C functions are `snd_pcm_sw_params_set_silence_threshold` and `…_silence_size`.
  ///
  /// With a size of the boundary the kernel fills with silence what has been played, whenever it looks at
  /// the pointer. Without, the buffer goes round once more until the driver notices that it has run empty:
  /// 4 ms on snd-aloop.
  public mutating func silencePlayed() -> Int {
    guard let pcm = unsafe pcm else { return -Int(EBADFD) }
    let code = unsafe changeSoftwareParameters(pcm) { memory, boundary in
      let code = unsafe snd_pcm_sw_params_set_silence_threshold(pcm, memory, 0)
      return code < 0 ? code : unsafe snd_pcm_sw_params_set_silence_size(pcm, memory, boundary)
    }
    return Int(code)
  }

  /// Explicit start, stop when the buffer runs over or empty, wake when a block is there, monotonic times.
  ///
  /// - Returns: 0 or `-errno`.
  private func setSoftwareParameters(_ format: StreamFormat, block: Int, _ pcm: OpaquePointer) -> Int32 {
    unsafe changeSoftwareParameters(pcm) { memory, boundary in
      // Above the buffer's size no filling reaches the threshold, so that only snd_pcm_start starts.
      var code = unsafe snd_pcm_sw_params_set_start_threshold(pcm, memory, boundary)
      let buffer = snd_pcm_uframes_t(format.buffer)
      if code >= 0 { code = unsafe snd_pcm_sw_params_set_stop_threshold(pcm, memory, buffer) }
      if code >= 0 { code = unsafe snd_pcm_sw_params_set_avail_min(pcm, memory, snd_pcm_uframes_t(block)) }
      guard code >= 0 else { return code }
      // A plugin without time stamps can be used as well.
      _ = unsafe snd_pcm_sw_params_set_tstamp_mode(pcm, memory, SND_PCM_TSTAMP_ENABLE)
      _ = unsafe snd_pcm_sw_params_set_tstamp_type(pcm, memory, SND_PCM_TSTAMP_TYPE_MONOTONIC)
      return 0
    }
  }

  /// Puts in force what `change` makes of the present software parameters.
  ///
  /// - Parameter change: Given the parameters and the boundary; returns 0 or `-errno`.
  /// - Returns: 0 or `-errno`.
  private func changeSoftwareParameters(
    _ pcm: OpaquePointer, _ change: (OpaquePointer, snd_pcm_uframes_t) -> Int32
  ) -> Int32 {
    var memory: OpaquePointer?
    guard unsafe snd_pcm_sw_params_malloc(&memory) >= 0, let memory = unsafe memory else { return -ENOMEM }
    defer { unsafe snd_pcm_sw_params_free(memory) }
    var boundary: snd_pcm_uframes_t = 0
    var code = unsafe snd_pcm_sw_params_current(pcm, memory)
    if code >= 0 { code = unsafe snd_pcm_sw_params_get_boundary(memory, &boundary) }
    if code >= 0 { code = unsafe change(memory, boundary) }
    return code < 0 ? code : unsafe snd_pcm_sw_params(pcm, memory)
  }
}

/// A set of configurations of a device, narrowed step by step. The C type is `snd_pcm_hw_params_t`.
@safe struct HardwareParameters: ConfigurationSpace, ~Copyable {
  let pointer: OpaquePointer
  /// The device, which stays open meanwhile.
  private let pcm: OpaquePointer
  private let name: String

  /// All configurations of an open device, without resampling by a plugin.
  ///
  /// - Throws: ``PCMOpenError/failed(name:call:errno:)`` when the device does not tell.
  init(_ pcm: OpaquePointer, device name: String) throws(PCMOpenError) {
    let memory = try unsafe Self.memory(device: name)
    let code = unsafe snd_pcm_hw_params_any(pcm, memory)
    guard code >= 0 else {
      unsafe snd_pcm_hw_params_free(memory)
      throw .failed(name: name, call: "snd_pcm_hw_params_any", errno: -code)
    }
    // Not all devices have the switch; one without resampling has nothing to switch off.
    _ = unsafe snd_pcm_hw_params_set_rate_resample(pcm, memory, 0)
    unsafe pointer = memory
    unsafe self.pcm = pcm
    self.name = name
  }

  private init(_ memory: OpaquePointer, of pcm: OpaquePointer, device name: String) {
    unsafe pointer = memory
    unsafe self.pcm = pcm
    self.name = name
  }

  deinit { unsafe snd_pcm_hw_params_free(pointer) }

  private static func memory(device name: String) throws(PCMOpenError) -> OpaquePointer {
    var memory: OpaquePointer?
    guard unsafe snd_pcm_hw_params_malloc(&memory) >= 0, let memory = unsafe memory else {
      throw .failed(name: name, call: "snd_pcm_hw_params_malloc", errno: ENOMEM)
    }
    return unsafe memory
  }

  func copy() throws(PCMOpenError) -> HardwareParameters {
    let memory = try unsafe Self.memory(device: name)
    unsafe snd_pcm_hw_params_copy(memory, pointer)
    return unsafe HardwareParameters(memory, of: pcm, device: name)
  }

  func set(format: SampleFormat) -> Bool {
    unsafe snd_pcm_hw_params_set_format(pcm, pointer, format.alsa) >= 0
  }

  func set(channels: Int) -> Bool {
    guard let count = UInt32(exactly: channels), count > 0 else { return false }
    return unsafe snd_pcm_hw_params_set_channels(pcm, pointer, count) >= 0
  }

  func set(rate: Int) -> Bool {
    guard let exact = UInt32(exactly: rate) else { return false }
    return unsafe snd_pcm_hw_params_set_rate(pcm, pointer, exact, 0) >= 0
  }

  /// Sets the nearest period, and the smallest buffer that holds `buffer` frames, or else the nearest.
  func setNear(period: Int, buffer: Int) {
    var (frames, room) = (snd_pcm_uframes_t(period), snd_pcm_uframes_t(buffer))
    _ = unsafe snd_pcm_hw_params_set_period_size_near(pcm, pointer, &frames, nil)
    if unsafe snd_pcm_hw_params_set_buffer_size(pcm, pointer, room) >= 0 { return }
    _ = unsafe snd_pcm_hw_params_set_buffer_size_min(pcm, pointer, &room)
    room = snd_pcm_uframes_t(buffer)
    _ = unsafe snd_pcm_hw_params_set_buffer_size_near(pcm, pointer, &room)
  }

  /// The period in force, frames.
  var period: Int { unsafe frames { unsafe snd_pcm_hw_params_get_period_size(pointer, $0, nil) } }

  /// The buffer in force, frames.
  var buffer: Int { unsafe frames { unsafe snd_pcm_hw_params_get_buffer_size(pointer, $0) } }

  var channels: ClosedRange<Int> {
    var (fewest, most) = (UInt32(), UInt32())
    unsafe snd_pcm_hw_params_get_channels_min(pointer, &fewest)
    unsafe snd_pcm_hw_params_get_channels_max(pointer, &most)
    return ordered(Int(fewest), Int(most))
  }

  /// Capabilities of the device, as far as they are left.
  var offer: DeviceOffer {
    let rates = DeviceOffer.commonRates.filter {
      unsafe snd_pcm_hw_params_test_rate(pcm, pointer, UInt32($0), 0) == 0
    }
    let formats = SampleFormat.preferred.filter {
      unsafe snd_pcm_hw_params_test_format(pcm, pointer, $0.alsa) == 0
    }
    return DeviceOffer(
      rates: rates, formats: formats, channels: channels,
      period: ordered(
        unsafe frames { unsafe snd_pcm_hw_params_get_period_size_min(pointer, $0, nil) },
        unsafe frames { unsafe snd_pcm_hw_params_get_period_size_max(pointer, $0, nil) }),
      buffer: ordered(
        unsafe frames { unsafe snd_pcm_hw_params_get_buffer_size_min(pointer, $0) },
        unsafe frames { unsafe snd_pcm_hw_params_get_buffer_size_max(pointer, $0) }))
  }

  /// Number of frames that a call of alsa-lib gives; 0 where it gives none.
  private func frames(_ call: (UnsafeMutablePointer<snd_pcm_uframes_t>) -> Int32) -> Int {
    var frames: snd_pcm_uframes_t = 0
    _ = unsafe call(&frames)
    return Int(clamping: frames)
  }

  /// A range whatever the driver says.
  private func ordered(_ low: Int, _ high: Int) -> ClosedRange<Int> { low...max(low, high) }
}
