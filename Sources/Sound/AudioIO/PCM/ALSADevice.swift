import CALSA
import CJack
import Glibc

/// One direction of an ALSA device: `hw:CARD=id,DEV=n`, or any plugin.
///
/// Opened without blocking, transferred by read and write of interleaved frames, started only when told to.
/// The corresponding C interface is `snd_pcm`.
@safe public struct ALSADevice: PCMDevice, ~Copyable {
  /// The system's monotonic clock.
  public typealias Clock = SystemClock

  /// ALSA's name of the device, such as `hw:CARD=PCH`.
  public let name: String
  /// Capture or playback.
  public let direction: StreamDirection
  /// The card's number; nil while closed, and for plugins that have no card.
  public internal(set) var clockIdentity: Int?

  /// A capture device behind a Bluetooth link is opened too.
  private let takesBluetooth: Bool
  private var lock: PlaybackLock?
  var pcm: OpaquePointer?
  var statusMemory: OpaquePointer?

  /// A device, not yet open.
  ///
  /// - Parameter takesBluetooth: True for a source of calls and music, which may come by a Bluetooth link: that it is not the microphone
  ///   of the earphones that play is the owner's to see. False, the default: such a capture device is a microphone, and refused.
  public init(name: String, direction: StreamDirection, takesBluetooth: Bool = false) {
    (self.name, self.direction, self.takesBluetooth) = (name, direction, takesBluetooth)
    unsafe pcm = nil
    unsafe statusMemory = nil
  }

  deinit {
    if let pcm = unsafe pcm { unsafe snd_pcm_close(pcm) }
    if let statusMemory = unsafe statusMemory { unsafe snd_pcm_status_free(statusMemory) }
  }

  /// The corresponding C function is `snd_pcm_open`, with `SND_PCM_NONBLOCK`.
  ///
  /// - Throws: ``PCMOpenError/bluetoothCapture(name:)`` for a Bluetooth microphone, whoever named it.
  public mutating func open() throws(PCMOpenError) {
    close()
    if direction == .capture, !takesBluetooth, BluetoothLink(deviceName: name) != nil {
      throw .bluetoothCapture(name: name)
    }
    ALSALibrary.prepare()
    var handle: OpaquePointer?
    let stream = direction == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK
    let code = unsafe snd_pcm_open(&handle, name, stream, SND_PCM_NONBLOCK)
    guard code >= 0, let handle = unsafe handle else { throw openError(-code) }
    unsafe pcm = handle
    clockIdentity = unsafe Self.place(of: handle)?.card
    if unsafe statusMemory == nil { unsafe snd_pcm_status_malloc(&statusMemory) }
  }

  /// A device without a card, such as JACK's, is nobody's.
  public mutating func claim() throws(PCMOpenError) {
    guard let handle = unsafe pcm, let place = unsafe Self.place(of: handle) else { return }
    lock = PlaybackLock(card: place.card, device: place.device)
    guard lock == nil else { return }
    let holders = DeviceNode(name: name, direction: direction)?.holders() ?? []
    throw .busy(name: name, holders: holders.filter { $0.processID != getpid() })
  }

  /// The corresponding C function is `snd_pcm_close`.
  public mutating func close() {
    lock = nil
    if let handle = unsafe pcm { unsafe snd_pcm_close(handle) }
    unsafe pcm = nil
    clockIdentity = nil
  }

  /// Numbers of card and device behind an open device, or nil when it is not on a card.
  private static func place(of handle: OpaquePointer) -> (card: Int, device: Int)? {
    var info: OpaquePointer?
    guard unsafe snd_pcm_info_malloc(&info) >= 0, let info = unsafe info else { return nil }
    defer { unsafe snd_pcm_info_free(info) }
    guard unsafe snd_pcm_info(handle, info) >= 0 else { return nil }
    let card = unsafe snd_pcm_info_get_card(info)
    return card >= 0 ? (Int(card), unsafe Int(snd_pcm_info_get_device(info))) : nil
  }

  /// The error of a failed open, with what is needed to explain it.
  private func openError(_ code: Int32) -> PCMOpenError {
    // ALSA reports a plugin or card that it cannot open for lack of these as missing.
    if let shortage = SystemShortage.present {
      return .failed(name: name, call: "snd_pcm_open", errno: shortage)
    }
    switch code {
    case EBUSY, EAGAIN:
      return .busy(name: name, holders: DeviceNode(name: name, direction: direction)?.holders() ?? [])
    case EACCES, EPERM:
      let file = CardAccess().refusedFile(for: name, direction)
      return .noPermission(name: name, node: file ?? DeviceNode(name: name, direction: direction)?.path)
    case ENOENT, ENODEV, ENXIO:
      // What alsa-lib says of a card that it may not open, too.
      if let file = CardAccess().refusedFile(for: name, direction) {
        return .noPermission(name: name, node: file)
      }
      let names = DeviceList.names()
      // A name that is listed exists; what is missing lies behind it, such as a sound server.
      if names.contains(name) { return .failed(name: name, call: "snd_pcm_open", errno: code) }
      // Who asks for hardware is not helped by a list of plugins.
      let likely = name.contains("hw:") ? names.filter { $0.hasPrefix("hw:") } : names
      return .noSuchDevice(name: name, available: likely.nearest(to: name))
    default: return .failed(name: name, call: "snd_pcm_open", errno: code)
    }
  }
}

/// Settings of alsa-lib as a whole, made once per process.
public enum ALSALibrary {
  private static let settled: Bool = {
    calsa_silence_errors()
    // alsa-lib locks a mutex in every call on every device but `hw`, for programs that share a device
    // between threads. A stream has one owner at a time, and its thread should not even lock uncontended.
    return unsafe setenv("LIBASOUND_THREAD_SAFE", "0", 0) == 0
  }()

  /// Keeps alsa-lib from printing to standard error, and from locking (unless LIBASOUND_THREAD_SAFE is set
  /// already); libjack, where a plugin of ALSA's has loaded it, from printing too. Opening a device does it too; a
  /// program that has threads by then should do it first, because it sets an environment variable.
  ///
  /// - Threads: control.
  public static func prepare() {
    _ = settled
    cjack_prepare()
  }
}

/// Numbers that a sound device answers, held within what can be: a device may be a plugin, which is another
/// program's code, and arithmetic on the audio thread must not overflow whatever it says.
///
/// - Threads: audio.
enum DeviceAnswer {
  /// Longest period and buffer that are taken, frames: three minutes at 96 kHz.
  static let greatestLength = 1 << 24

  /// Frames, or a negative error code: within 32 bits, as no ring is longer.
  static func frames(_ answer: Int) -> Int { min(max(answer, Int(Int32.min)), Int(Int32.max)) }

  /// Frames or descriptors of those that there is room for, or a negative error code.
  static func count(_ answer: Int, atMost room: Int) -> Int { min(answer, room) }

  /// True when a granted period and buffer can be used.
  static func isUsable(period: Int, buffer: Int) -> Bool {
    period >= 1 && buffer >= period && buffer <= greatestLength
  }
}
