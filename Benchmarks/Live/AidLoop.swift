import Acoustics
import AudioIO
import Base
import Engine
import Fitting
import Glibc
import Realtime

/// The whole aid: N3 in the left ear, N4 in the right, compression 2:1, at the default settings.
enum AidLoop {
  /// - Parameter isWatched: True where its spectra are fetched as the daemon does, for however many views.
  static func run(_ request: LoopRequest, isWatched: Bool) -> Int32 {
    var hearing = HearingSettings(
      audiograms: Binaural(left: StandardAudiogram.n3.audiogram, right: StandardAudiogram.n4.audiogram))
    let stated = DeviceCalibration(device: "benchmark", date: nil, status: .provisional)
    guard let scale = try? Sensitivity(flat: SoundPressureLevel(100)),
      let microphones = try? InputCalibration(device: stated, channels: [scale]),
      let loud = try? Sensitivity(flat: SoundPressureLevel(111))
    else { return 70 }
    hearing.microphones = microphones
    hearing.earphones = OutputCalibration(device: stated, sensitivity: Binaural(both: loud))
    let aid = HearingAid(
      settings: AidSettings(
        hearing: hearing, captureName: request.device, playbackName: request.device,
        stream: StreamRequest(rate: request.rate, period: request.period, periods: request.periods),
        ramp: 0.1))
    do {
      try aid.start()
    } catch {
      print("aid: \(error)")
      return 71
    }
    // A busy machine, or one that counts instructions, takes its time until sound flows.
    let latest = SystemTime.monotonic + 60
    while aid.reading.deviceLatency == nil, SystemTime.monotonic < latest { usleep(5000) }
    let end = SystemTime.monotonic + request.seconds
    if isWatched { aid.spectra.start() }
    var spectra = 0
    while SystemTime.monotonic < end {
      usleep(5000)
      if isWatched { spectra += aid.spectra.frames().count }
    }
    let (state, told) = (aid.state, aid.reading.deviceLatency)
    aid.stop()
    let reading = aid.reading
    guard state == .running, let latency = told else {
      print("aid: \(state), \(told == nil ? "no" : "a") latency of the devices known")
      return 75
    }
    let share = { (part: Double) in Double(Int(reading.load.percentile(part) * 10_000)) / 100 }
    print(
      "aid: \(latency) frames by the devices' account, \(reading.counters.restarts) restarts, "
        + "load median \(share(0.5)) %, 99 % \(share(0.99)) %, greatest \(Int(reading.load.greatest * 100)) %, "
        + "\(Int(reading.meters.frames) / request.period) blocks, \(spectra) spectra"
    )
    return 0
  }
}
