import Glibc
import Testing

@testable import AudioIO

/// Devices that need no hardware, by a configuration of their own.
enum ALSALaboratory {
  /// Whether alsa-lib's own configuration is there to be extended; it is what this suite needs.
  static let isReady: Bool = {
    guard access("/usr/share/alsa/alsa.conf", R_OK) == 0 else { return false }
    let text = """
      </usr/share/alsa/alsa.conf>
      pcm.auricle48 { type plug slave { pcm "null" rate 48000 } }
      pcm.auriclefloat { type lfloat slave { pcm "null" format S16_LE } }
      pcm.auriclemono { type plug slave { pcm "null" channels 1 } route_policy copy ttable.0.0 1 }
      """
    // Kept until the process ends: alsa-lib reads it again when it likes.
    let path = "/tmp/auricle-alsa-\(getpid()).conf"
    guard let file = fopen(path, "w") else { return false }
    fputs(text, file)
    fclose(file)
    setenv("ALSA_CONFIG_PATH", path, 1)
    atexit { unlink("/tmp/auricle-alsa-\(getpid()).conf") }
    return true
  }()
}

@Suite("ALSA device", .serialized, .enabled(if: ALSALaboratory.isReady)) struct ALSADeviceTests {
  @Test("the null device grants what is asked, exactly", arguments: StreamDirection.allCases)
  func grantsExactly(direction: StreamDirection) throws {
    var device = ALSADevice(name: "null", direction: direction)
    try device.open()
    let granted = try device.configure(StreamRequest(rate: 44_100, period: 64, periods: 3), buffer: 192)
    #expect(
      granted == StreamFormat(rate: 44_100, channels: 2, format: .float32, period: 64, buffer: 192))
    let (before, code, after) = (device.state(), device.prepare(), device.state())
    #expect(before == .prepared && code == 0 && after == .prepared)
  }

  @Test("each format can be chosen", arguments: SampleFormat.allCases)
  func formats(format: SampleFormat) throws {
    var device = ALSADevice(name: "null", direction: .playback)
    try device.open()
    let granted = try device.configure(StreamRequest(format: format), buffer: 192)
    #expect(granted.format == format)
    let bytes = [UInt8](repeating: 0, count: 64 * granted.bytesPerFrame)
    let prepared = device.prepare()
    let written = bytes.withUnsafeBytes { device.writeInterleaved($0.baseAddress!, frames: 64) }
    #expect(prepared == 0 && written == 64)
  }

  @Test("a playback buffer can be silenced behind what is played, and plays on")
  func silencesPlayed() throws {
    var device = ALSADevice(name: "null", direction: .playback)
    try device.open()
    let granted = try device.configure(StreamRequest(), buffer: 192)
    let silenced = device.silencePlayed()
    let prepared = device.prepare()
    let bytes = [UInt8](repeating: 0, count: 64 * granted.bytesPerFrame)
    let written = bytes.withUnsafeBytes { device.writeInterleaved($0.baseAddress!, frames: 64) }
    #expect(silenced == 0 && prepared == 0 && written == 64)
  }

  @Test("a whole stream runs over the null device", arguments: [ClockPairing.shared, .separate])
  func stream(pairing: ClockPairing) throws {
    var stream = DuplexStream(
      capture: ALSADevice(name: "null", direction: .capture),
      playback: ALSADevice(name: "null", direction: .playback), clock: SystemClock(), pairing: pairing)
    try stream.open()
    var left = [Float](repeating: 0, count: stream.period)
    var right = left
    for _ in 0..<20 {
      #expect(stream.wait() == .block)
      var leftSpan = left.mutableSpan
      var rightSpan = right.mutableSpan
      #expect(stream.read(left: &leftSpan, right: &rightSpan) == .block)
      #expect(stream.write(left: left.span, right: right.span) == .block)
    }
    let blocks = stream.counters.blocks
    #expect(blocks == 20)
  }

  @Test("a misspelt name is told with the nearest names first")
  func noSuchDevice() {
    var device = ALSADevice(name: "nul", direction: .capture)
    do {
      try device.open()
      Issue.record("it was opened")
    } catch {
      guard case .noSuchDevice(let name, let available) = error else {
        Issue.record("the error is \(error)")
        return
      }
      #expect(name == "nul" && available.first == "null")
    }
  }

  @Test("a card that is not there is told by name, in one sentence")
  func noSuchCard() {
    var device = ALSADevice(name: "hw:CARD=Nowhere,DEV=7", direction: .playback)
    do {
      try device.open()
      Issue.record("it was opened")
    } catch {
      guard case .noSuchDevice(_, let available) = error else {
        Issue.record("the error is \(error)")
        return
      }
      #expect(available.allSatisfy { $0.hasPrefix("hw:") })
      #expect(error.description.hasPrefix("no sound device is called hw:CARD=Nowhere,DEV=7: "))
    }
  }

  @Test("a rate that would have to be resampled is refused, with the rate that is offered")
  func rateRefused() throws {
    var device = ALSADevice(name: "auricle48", direction: .playback)
    try device.open()
    do {
      _ = try device.configure(StreamRequest(rate: 44_100), buffer: 192)
      Issue.record("it was granted")
    } catch {
      guard case .rateRefused(_, let asked, let offer) = error else {
        Issue.record("the error is \(error)")
        return
      }
      #expect(asked == 44_100 && offer.rates == [48_000])
      #expect(error.description == "auricle48 does not run at 44100 Hz: it offers 48000 Hz")
    }
  }

  @Test("a format that is not there is refused, with those that are")
  func formatRefused() throws {
    var device = ALSADevice(name: "auriclefloat", direction: .playback)
    try device.open()
    do {
      _ = try device.configure(StreamRequest(format: .signed16), buffer: 192)
      Issue.record("it was granted")
    } catch {
      guard case .formatRefused(_, let asked, let offer) = error else {
        Issue.record("the error is \(error)")
        return
      }
      #expect(asked == [.signed16] && offer.formats == [.float32])
    }
  }

  @Test("what is asked of a closed device fails by name and does not crash")
  func closed() {
    var device = ALSADevice(name: "null", direction: .capture)
    let codes = [
      device.prepare(), device.start(), device.drop(), device.resume(), device.available(),
      device.delay().code, device.silencePlayed(),
    ]
    #expect(codes.allSatisfy { PCMFault(code: $0) == .badState })
    let (state, status) = (device.state(), device.status())
    #expect(state == .invalid && status == nil)
    #expect(throws: PCMOpenError.failed(name: "null", call: "snd_pcm_hw_params", errno: EBADFD)) {
      _ = try device.configure(StreamRequest(), buffer: 192)
    }
    device.close()
  }

  @Test("a device can be opened again")
  func reopens() throws {
    var device = ALSADevice(name: "null", direction: .capture)
    for _ in 0..<3 {
      try device.open()
      let granted = try device.configure(StreamRequest(), buffer: 384)
      #expect(granted.buffer == 384)
      device.close()
    }
  }

  @Test("the devices that are listed can be named, and those that hide delay say so")
  func list() {
    let names = DeviceList.names()
    #expect(names.contains("null"))
    for device in DeviceList.all() where device.name == "pulse" || device.name.hasPrefix("default") {
      #expect(device.hiddenDelay == .mixing)
    }
  }
}
