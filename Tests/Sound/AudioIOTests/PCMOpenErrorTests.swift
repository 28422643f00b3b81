import Glibc
import Testing

@testable import AudioIO

@Suite("Messages of devices that refuse") struct PCMOpenErrorTests {
  static let offer = DeviceOffer(
    rates: [48_000, 96_000], formats: [.signed16], channels: 2...2, period: 64...4096,
    buffer: 128...65_536)

  private static let userName = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "NAME"

  @Test("words of a device that somebody has say so, and those of another device or another fault do not")
  func busy() {
    let words = PCMOpenError.busy(name: "hw:0", holders: []).description
    #expect(PCMOpenError.isBusy(words, "hw:0") && !PCMOpenError.isBusy(words, "hw:01"))
    let missing = PCMOpenError.noSuchDevice(name: "hw:0", available: []).description
    #expect(!PCMOpenError.isBusy(missing, "hw:0"))
  }

  @Test("words of a device without the rate say so, and those of another device or another fault do not")
  func otherRate() {
    let words = PCMOpenError.rateRefused(name: "hw:0", asked: 44_100, offer: Self.offer).description
    #expect(PCMOpenError.isOfRate(words, "hw:0") && !PCMOpenError.isOfRate(words, "hw:01"))
    let busy = PCMOpenError.busy(name: "hw:0", holders: []).description
    #expect(!PCMOpenError.isOfRate(busy, "hw:0"))
  }

  @Test("memory that cannot be had because it would be locked is a shortage, and its limit is named")
  func lockedMemory() {
    #expect(SystemShortage.shortage(ofMapping: EAGAIN) == EAGAIN)
    #expect(SystemShortage.shortage(ofMapping: ENOMEM) == ENOMEM)
    #expect(SystemShortage.shortage(ofMapping: EINVAL) == nil)
    let words = PCMOpenError.failed(name: "hw:0", call: "snd_pcm_open", errno: EAGAIN).description
    #expect(words.hasPrefix("the device hw:0 cannot be opened: too little memory may be locked, limit "))
    #expect(words.hasSuffix(" KiB (ulimit -l)"))
  }

  @Test(
    "each says what was found and what was expected",
    arguments: [
      (
        PCMOpenError.noSuchDevice(name: "hw:9", available: ["hw:CARD=Aid,DEV=0"]),
        "no sound device is called hw:9: there are hw:CARD=Aid,DEV=0"
      ),
      (.noSuchDevice(name: "hw:9", available: []), "no sound device is called hw:9: this machine has none"),
      (
        .busy(name: "hw:0", holders: [DeviceHolder(processID: 42, command: "pipewire")]),
        "hw:0 is in use by pipewire (process 42): stop it, or choose another device"
      ),
      (
        .busy(name: "hw:0", holders: []),
        "hw:0 is in use by another program: stop it, or choose another device"
      ),
      (
        .noPermission(name: "hw:0", node: "/dev/snd/pcmC0D0p"),
        "hw:0 may not be opened (/dev/snd/pcmC0D0p): "
          + "it needs the group audio: sudo usermod -aG audio \(userName), then log in again"
      ),
      (
        .rateRefused(name: "hw:0", asked: 44_100, offer: offer),
        "hw:0 does not run at 44100 Hz: it offers 48000, 96000 Hz"
      ),
      (
        .formatRefused(name: "hw:0", asked: [.float32], offer: offer),
        "hw:0 has no sample format FLOAT_LE: it offers S16_LE"
      ),
      (
        .channelsRefused(name: "hw:0", direction: .capture, offer: offer),
        "hw:0 has no capture with 1 or more channels: it offers 2"
      ),
      (
        .bufferRefused(name: "hw:0", asked: 192, granted: 128),
        "hw:0 grants a buffer of 128 frames where 192 are needed: ask for a longer period or fewer periods"
      ),
      (
        .periodRefused(name: "hw:0", granted: 2048, expected: 16...1024),
        "hw:0 grants a period of 2048 frames where 16 to 1024 are needed: choose another device"
      ),
      (
        .failed(name: "hw:0", call: "snd_pcm_open", errno: EIO),
        "the device hw:0 cannot be opened: input/output error (is its server running? auricle doctor)"
      ),
    ])
  func messages(error: PCMOpenError, message: String) {
    #expect(error.description == message)
  }
}
