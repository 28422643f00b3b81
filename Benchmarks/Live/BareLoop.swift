import CALSA
import Glibc

/// The least a program can do between a microphone and an earphone: read a period, write it.
///
/// It is what the aid's delay and drop-outs are compared with, and so it uses nothing of the aid's own: plain blocking ALSA calls on a
/// thread with SCHED_FIFO.
struct BareLoop: ~Copyable {
  private let request: LoopRequest
  /// False: it writes silence, so that a real card's earphones stay quiet.
  private let isHeard: Bool
  private let capture: BareDevice
  private let playback: BareDevice
  private var input: [UInt8]
  private var output: [UInt8]
  private var held: [Int] = []
  private var errors = 0

  /// - Returns: Exit status.
  static func run(_ request: LoopRequest, isHeard: Bool) -> Int32 {
    let room = request.periods * request.period
    guard let capture = BareDevice(request, SND_PCM_STREAM_CAPTURE, buffer: 2 * room),
      let playback = BareDevice(request, SND_PCM_STREAM_PLAYBACK, buffer: room)
    else { return 75 }
    guard !isHeard || capture.bytesPerFrame == playback.bytesPerFrame else {
      print("\(request.device): the microphone's frames are not the earphones'")
      return 75
    }
    var loop = BareLoop(request: request, isHeard: isHeard, capture: capture, playback: playback)
    return loop.run()
  }

  private init(request: LoopRequest, isHeard: Bool, capture: BareDevice, playback: BareDevice) {
    (self.request, self.isHeard, self.capture, self.playback) = (request, isHeard, capture, playback)
    input = [UInt8](repeating: 0, count: request.period * capture.bytesPerFrame)
    output = [UInt8](repeating: 0, count: request.period * playback.bytesPerFrame)
  }

  private mutating func run() -> Int32 {
    var parameter = sched_param()
    parameter.sched_priority = 70
    _ = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter)
    begin()
    let start = Self.now
    print("bare: runs")
    fflush(nil)
    for _ in 0..<Int(request.seconds * Double(request.rate)) / request.period {
      let read = snd_pcm_readi(capture.handle, &input, snd_pcm_uframes_t(request.period))
      if isHeard, read > 0 { output = input }
      let written = read > 0 ? snd_pcm_writei(playback.handle, output, snd_pcm_uframes_t(read)) : read
      if read == -Int(ENODEV) || written == -Int(ENODEV) {
        print("bare: the device has gone")
        return 75
      }
      if read < 0 || written < 0 {
        errors += 1
        print("bare: xrun after \(Double(Int((Self.now - start) * 1000)) / 1000) s")
        // At once, for who counts while it runs.
        fflush(nil)
        begin()
      } else {
        held.append(latency)
      }
    }
    guard !held.isEmpty else {
      print("bare: \(errors) errors, nothing else")
      return 75
    }
    held.sort()
    print("bare: \(held[held.count / 2]) frames by the devices' account, \(errors) errors")
    snd_pcm_close(capture.handle)
    snd_pcm_close(playback.handle)
    return 0
  }

  /// Begins from silence, so that the delay is the same every time.
  private mutating func begin() {
    for handle in [capture.handle, playback.handle] {
      snd_pcm_drop(handle)
      snd_pcm_prepare(handle)
    }
    for index in output.indices { output[index] = 0 }
    for _ in 0..<request.periods {
      snd_pcm_writei(playback.handle, output, snd_pcm_uframes_t(request.period))
    }
    snd_pcm_start(capture.handle)
    snd_pcm_start(playback.handle)
  }

  /// Frames between the microphone and the earphone that the devices hold, by their own account.
  private var latency: Int {
    var recorded = 0
    var played = 0
    snd_pcm_delay(capture.handle, &recorded)
    snd_pcm_delay(playback.handle, &played)
    return recorded + played
  }

  /// Monotonic time, s.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
