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
    guard let pcm = unsafe pcm else {
      throw .failed(name: name, call: "snd_pcm_hw_params", errno: EBADFD)
    }
    let parameters = try unsafe HardwareParameters(pcm, device: name)
    let offer = unsafe parameters.offer(of: pcm)
    guard unsafe parameters.set(access: SND_PCM_ACCESS_RW_INTERLEAVED, pcm) else {
      throw .accessRefused(name: name, offer: offer)
    }
    let formats = request.format.map { [$0] } ?? SampleFormat.preferred
    guard let format = formats.first(where: { unsafe parameters.set(format: $0, pcm) }) else {
      throw .formatRefused(name: name, asked: formats, offer: offer)
    }
    let wanted = direction == .capture ? request.captureChannels : request.playbackChannels
    let candidates = wanted.map { [$0] } ?? channelCandidates(offer)
    guard let channels = candidates.first(where: { unsafe parameters.set(channels: $0, pcm) }) else {
      throw .channelsRefused(name: name, direction: direction, asked: wanted ?? 0, offer: offer)
    }
    guard unsafe parameters.set(rate: request.rate, pcm) else {
      throw .rateRefused(name: name, asked: request.rate, offer: offer)
    }
    unsafe parameters.setNear(period: request.period, buffer: buffer, pcm)
    let code = unsafe snd_pcm_hw_params(pcm, parameters.pointer)
    guard code >= 0 else { throw .failed(name: name, call: "snd_pcm_hw_params", errno: -code) }
    let granted = StreamFormat(
      rate: request.rate, channels: channels, format: format, period: parameters.period,
      buffer: parameters.buffer)
    guard DeviceAnswer.isUsable(period: granted.period, buffer: granted.buffer) else {
      throw .failed(name: name, call: "snd_pcm_hw_params", errno: EINVAL)
    }
    try unsafe setSoftwareParameters(granted, block: max(request.period, granted.period), pcm)
    return granted
  }

  /// The corresponding C functions are `snd_pcm_sw_params_set_silence_threshold` and `…_silence_size`.
  ///
  /// With a size of the boundary the kernel fills with silence what has been played, whenever it looks at
  /// the pointer. Without, the buffer goes round once more until the driver notices that it has run empty:
  /// 4 ms on snd-aloop.
  public mutating func silencePlayed() -> Int {
    guard let pcm = unsafe pcm else { return -Int(EBADFD) }
    var memory: OpaquePointer?
    guard unsafe snd_pcm_sw_params_malloc(&memory) >= 0, let memory = unsafe memory else {
      return -Int(ENOMEM)
    }
    defer { unsafe snd_pcm_sw_params_free(memory) }
    var boundary: snd_pcm_uframes_t = 0
    var code = unsafe snd_pcm_sw_params_current(pcm, memory)
    if code >= 0 { code = unsafe snd_pcm_sw_params_get_boundary(memory, &boundary) }
    if code >= 0 { code = unsafe snd_pcm_sw_params_set_silence_threshold(pcm, memory, 0) }
    if code >= 0 { code = unsafe snd_pcm_sw_params_set_silence_size(pcm, memory, boundary) }
    if code >= 0 { code = unsafe snd_pcm_sw_params(pcm, memory) }
    return Int(code)
  }

  /// Channels to try, best first: two; for capture one; otherwise as few as the device has.
  private func channelCandidates(_ offer: DeviceOffer) -> [Int] {
    let fewest = max(offer.channels.lowerBound, direction == .capture ? 1 : 2)
    return direction == .capture ? [2, 1, fewest] : [2, fewest]
  }

  /// Explicit start, stop when the buffer runs over or empty, wake when a block is there, monotonic times.
  private func setSoftwareParameters(
    _ format: StreamFormat, block: Int, _ pcm: OpaquePointer
  ) throws(PCMOpenError) {
    var memory: OpaquePointer?
    guard unsafe snd_pcm_sw_params_malloc(&memory) >= 0, let memory = unsafe memory else {
      throw .failed(name: name, call: "snd_pcm_sw_params_malloc", errno: ENOMEM)
    }
    defer { unsafe snd_pcm_sw_params_free(memory) }
    var boundary: snd_pcm_uframes_t = 0
    var code = unsafe snd_pcm_sw_params_current(pcm, memory)
    if code >= 0 { code = unsafe snd_pcm_sw_params_get_boundary(memory, &boundary) }
    // Above the buffer's size no filling reaches the threshold, so that only snd_pcm_start starts.
    if code >= 0 { code = unsafe snd_pcm_sw_params_set_start_threshold(pcm, memory, boundary) }
    if code >= 0 {
      code = unsafe snd_pcm_sw_params_set_stop_threshold(pcm, memory, snd_pcm_uframes_t(format.buffer))
    }
    if code >= 0 {
      code = unsafe snd_pcm_sw_params_set_avail_min(pcm, memory, snd_pcm_uframes_t(block))
    }
    guard code >= 0 else { throw .failed(name: name, call: "snd_pcm_sw_params", errno: -code) }
    // Time stamps are a comfort: a plugin without them is still good.
    _ = unsafe snd_pcm_sw_params_set_tstamp_mode(pcm, memory, SND_PCM_TSTAMP_ENABLE)
    _ = unsafe snd_pcm_sw_params_set_tstamp_type(pcm, memory, SND_PCM_TSTAMP_TYPE_MONOTONIC)
    code = unsafe snd_pcm_sw_params(pcm, memory)
    guard code >= 0 else { throw .failed(name: name, call: "snd_pcm_sw_params", errno: -code) }
  }
}
