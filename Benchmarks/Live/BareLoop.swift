import CALSA
import Glibc

/// The least a program can do between a microphone and an earphone: read a period, write it.
///
/// It is what the aid's delay is compared with, and so it uses nothing of the aid's own: plain blocking ALSA calls on a
/// thread with SCHED_FIFO.
enum BareLoop {
  private static let rate: UInt32 = 44_100
  private static let period = 64
  private static let channels: UInt32 = 2

  static func run(device: String, seconds: Double, periods: Int) -> Int32 {
    guard let capture = open(device, SND_PCM_STREAM_CAPTURE, buffer: 2 * periods * period),
      let playback = open(device, SND_PCM_STREAM_PLAYBACK, buffer: periods * period)
    else { return 75 }
    var parameter = sched_param()
    parameter.sched_priority = 70
    _ = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter)
    var block = [Float](repeating: 0, count: period * Int(channels))
    for _ in 0..<periods { snd_pcm_writei(playback, block, snd_pcm_uframes_t(period)) }
    snd_pcm_start(capture)
    snd_pcm_start(playback)
    var errors = 0
    var held = [Int]()
    for _ in 0..<Int(seconds * Double(rate)) / period {
      let read = snd_pcm_readi(capture, &block, snd_pcm_uframes_t(period))
      let written = read > 0 ? snd_pcm_writei(playback, block, snd_pcm_uframes_t(read)) : read
      if read < 0 || written < 0 {
        errors += 1
        recover(capture, playback, &block, periods)
      } else {
        held.append(latency(capture, playback))
      }
    }
    guard !held.isEmpty else {
      print("bare: \(errors) errors, nothing else")
      return 75
    }
    held.sort()
    print("bare: \(held[held.count / 2]) frames by the devices' account, \(errors) errors")
    snd_pcm_close(capture)
    snd_pcm_close(playback)
    return 0
  }

  /// Frames between the microphone and the earphone that the devices hold, by their own account.
  private static func latency(_ capture: OpaquePointer, _ playback: OpaquePointer) -> Int {
    var recorded = 0
    var played = 0
    snd_pcm_delay(capture, &recorded)
    snd_pcm_delay(playback, &played)
    return recorded + played
  }

  /// Begins again as at the start, so that the delay is the same as before.
  private static func recover(
    _ capture: OpaquePointer, _ playback: OpaquePointer, _ block: inout [Float], _ periods: Int
  ) {
    snd_pcm_drop(capture)
    snd_pcm_drop(playback)
    snd_pcm_prepare(capture)
    snd_pcm_prepare(playback)
    for n in block.indices { block[n] = 0 }
    for _ in 0..<periods { snd_pcm_writei(playback, block, snd_pcm_uframes_t(period)) }
    snd_pcm_start(capture)
    snd_pcm_start(playback)
  }

  private static func open(_ name: String, _ direction: snd_pcm_stream_t, buffer: Int) -> OpaquePointer? {
    var pcm: OpaquePointer?
    let code = snd_pcm_open(&pcm, name, direction, 0)
    guard code >= 0, let pcm else {
      print("\(name): \(String(cString: snd_strerror(code)))")
      return nil
    }
    var hardware: OpaquePointer?
    snd_pcm_hw_params_malloc(&hardware)
    defer { snd_pcm_hw_params_free(hardware) }
    var frames = snd_pcm_uframes_t(period)
    var room = snd_pcm_uframes_t(buffer)
    var granted = rate
    snd_pcm_hw_params_any(pcm, hardware)
    snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED)
    snd_pcm_hw_params_set_format(pcm, hardware, SND_PCM_FORMAT_FLOAT_LE)
    snd_pcm_hw_params_set_channels(pcm, hardware, channels)
    snd_pcm_hw_params_set_rate_near(pcm, hardware, &granted, nil)
    snd_pcm_hw_params_set_period_size_near(pcm, hardware, &frames, nil)
    snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &room)
    let result = snd_pcm_hw_params(pcm, hardware)
    guard result >= 0, granted == rate else {
      print("\(name): \(String(cString: snd_strerror(result))), rate \(granted)")
      return nil
    }
    var software: OpaquePointer?
    snd_pcm_sw_params_malloc(&software)
    defer { snd_pcm_sw_params_free(software) }
    snd_pcm_sw_params_current(pcm, software)
    snd_pcm_sw_params_set_start_threshold(pcm, software, 1 << 30)
    snd_pcm_sw_params(pcm, software)
    return pcm
  }
}
