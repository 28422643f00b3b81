import CALSA
import Glibc

/// One open direction of a device, in the first format that it takes and about two channels.
struct BareDevice {
  let handle: OpaquePointer
  let bytesPerFrame: Int

  /// In the order of the aid's own preference.
  private static let formats: [snd_pcm_format_t] = [
    SND_PCM_FORMAT_FLOAT_LE, SND_PCM_FORMAT_S32_LE, SND_PCM_FORMAT_S24_LE, SND_PCM_FORMAT_S24_3LE,
    SND_PCM_FORMAT_S16_LE,
  ]

  /// - Parameter buffer: Frames.
  /// - Returns: Nil, and a line on standard output, when the device refuses.
  init?(_ request: LoopRequest, _ direction: snd_pcm_stream_t, buffer: Int) {
    var pcm: OpaquePointer?
    let code = snd_pcm_open(&pcm, request.device, direction, 0)
    guard code >= 0, let pcm else {
      print("\(request.device): \(String(cString: snd_strerror(code)))")
      return nil
    }
    var hardware: OpaquePointer?
    snd_pcm_hw_params_malloc(&hardware)
    defer { snd_pcm_hw_params_free(hardware) }
    var frames = snd_pcm_uframes_t(request.period)
    var room = snd_pcm_uframes_t(buffer)
    var granted = UInt32(request.rate)
    var channels: UInt32 = 2
    snd_pcm_hw_params_any(pcm, hardware)
    snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED)
    let format = Self.formats.first { snd_pcm_hw_params_set_format(pcm, hardware, $0) >= 0 }
    snd_pcm_hw_params_set_channels_near(pcm, hardware, &channels)
    snd_pcm_hw_params_set_rate_near(pcm, hardware, &granted, nil)
    snd_pcm_hw_params_set_period_size_near(pcm, hardware, &frames, nil)
    snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &room)
    let result = snd_pcm_hw_params(pcm, hardware)
    guard result >= 0, let format, granted == UInt32(request.rate) else {
      print("\(request.device): \(String(cString: snd_strerror(result))), rate \(granted)")
      snd_pcm_close(pcm)
      return nil
    }
    var software: OpaquePointer?
    snd_pcm_sw_params_malloc(&software)
    defer { snd_pcm_sw_params_free(software) }
    snd_pcm_sw_params_current(pcm, software)
    // It starts when it is told to.
    snd_pcm_sw_params_set_start_threshold(pcm, software, 1 << 30)
    snd_pcm_sw_params(pcm, software)
    handle = pcm
    bytesPerFrame = Int(channels) * Int(snd_pcm_format_physical_width(format)) / 8
  }
}
