import Base
import CLinux
import Glibc

/// Why a device cannot be used as asked. Each case has what one clear message needs.
public enum PCMOpenError: Error, Sendable, Equatable {
  /// No device has this name; `available` lists those of its kind that there are, the nearest names first.
  case noSuchDevice(name: String, available: [String])
  /// Someone else has it; `holders` is empty when the system does not let us see who.
  case busy(name: String, holders: [DeviceHolder])
  /// The device's file may not be opened; `node` is its path, where known.
  case noPermission(name: String, node: String?)
  /// The exact rate, Hz, is not offered.
  case rateRefused(name: String, asked: Int, offer: DeviceOffer)
  /// None of the formats is offered.
  case formatRefused(name: String, asked: [SampleFormat], offer: DeviceOffer)
  /// No number of channels that the direction can use is offered.
  case channelsRefused(name: String, direction: StreamDirection, offer: DeviceOffer)
  /// Interleaved transfer is not offered.
  case accessRefused(name: String, offer: DeviceOffer)
  /// The buffer, frames, that the latency needs is not available; `granted` is the one that is.
  case bufferRefused(name: String, asked: Int, granted: Int)
  /// The period, frames, that the device grants is not one that can be played; `expected` are those that can.
  case periodRefused(name: String, granted: Int, expected: ClosedRange<Int>)
  /// A Bluetooth microphone, which is not used for live sound.
  case bluetoothCapture(name: String)
  /// Any other failure; `call` is the C function, `errno` positive.
  case failed(name: String, call: String, errno: Int32)
}

extension PCMOpenError {
  /// True when a file tells of the end (``DeviceWatch``): that of the card which is missing, or which may not be opened.
  public var isToldByFile: Bool {
    switch self {
    case .noSuchDevice(let name, _): DevicePlace.isOnCard(name)
    case .noPermission(_, let node): node?.hasPrefix("\(DeviceWatch.folder)/") == true
    default: false
    }
  }

  /// True where words, ``description`` of an error, say that somebody has the device.
  public static func isBusy(_ words: String, _ name: String) -> Bool { words.hasPrefix(inUse(name)) }

  /// True where words say likewise that the device does not have the rate.
  public static func isOfRate(_ words: String, _ name: String) -> Bool { words.hasPrefix(otherRate(name)) }

  /// The words without the question that sends to `auricle doctor`; nil: they do not ask whether a server runs.
  public static func withoutQuestion(_ words: String) -> String? {
    words.hasSuffix(serverQuestion) ? String(words.dropLast(serverQuestion.count)) : nil
  }

  private static let serverQuestion = " (is its server running? auricle doctor)"
  private static func inUse(_ name: String) -> String { "\(name) is in use by " }
  private static func otherRate(_ name: String) -> String { "\(name) does not run at " }
}

extension PCMOpenError: CustomStringConvertible {
  /// One sentence or two: what was found, what was expected, what to do.
  public var description: String {
    switch self {
    case .noSuchDevice(let name, let available):
      let choice =
        available.isEmpty
        ? "this machine has none" : "there are \(available.prefix(8).joined(separator: ", "))"
      return "no sound device is called \(name): \(choice)"
    case .busy(let name, let holders):
      let who = holders.map { "\($0.command) (process \($0.processID))" }.joined(separator: ", ")
      return
        "\(Self.inUse(name))\(who.isEmpty ? "another program" : who): stop it, or choose another device"
    case .noPermission(let name, let node):
      return "\(name) may not be opened\(node.map { " (\($0))" } ?? ""): \(CardAccess.remedy(for: node))"
    case .rateRefused(let name, let asked, let offer):
      return "\(Self.otherRate(name))\(asked) Hz: it offers \(list(offer.rates)) Hz"
    case .formatRefused(let name, let asked, let offer):
      return "\(name) has no sample format \(list(asked.map(\.rawValue))): "
        + "it offers \(list(offer.formats.map(\.rawValue)))"
    case .channelsRefused(let name, let direction, let offer):
      return "\(name) has no \(direction.rawValue) with \(direction == .capture ? 1 : 2) or more channels: "
        + "it offers \(range(offer.channels))"
    case .accessRefused(let name, _): return "\(name) cannot transfer interleaved frames: try plug:\(name)"
    case .bufferRefused(let name, let asked, let granted):
      return "\(name) grants a buffer of \(granted) frames where \(asked) are needed: "
        + "ask for a longer period or fewer periods"
    case .periodRefused(let name, let granted, let expected):
      return "\(name) grants a period of \(granted) frames where \(range(expected)) are needed: "
        + "choose another device"
    case .bluetoothCapture(let name):
      return
        "\(name) is \(BluetoothLink.captureRefusal): choose a wired or USB microphone (auricle devices)"
    case .failed(let name, "snd_pcm_open", let code) where SystemShortage.words(for: code) != nil:
      return "the device \(name) cannot be opened: \(SystemShortage.words(for: code) ?? "")"
    case .failed(let name, "snd_pcm_open", let code):
      // What lies behind a name that exists: the card's own trouble, or a server that does not run.
      let isServer = [ENOENT, ENODEV, ENXIO, ECONNREFUSED].contains(code)
      let reason = isServer ? "" : ": \(SystemError.words(for: code))"
      return "the device \(name) cannot be opened\(reason)\(Self.serverQuestion)"
    case .failed(let name, let call, let code):
      return "\(name): \(call) failed: \(SystemError.words(for: code))"
    }
  }
}

private func list(_ values: [some CustomStringConvertible]) -> String {
  values.isEmpty ? "none" : values.map(\.description).joined(separator: ", ")
}

private func range(_ values: ClosedRange<Int>) -> String {
  values.lowerBound == values.upperBound
    ? "\(values.lowerBound)" : "\(values.lowerBound) to \(values.upperBound)"
}

/// Descriptors, address space and locked memory that a device needs, found missing by asking the system for
/// them.
enum SystemShortage {
  /// Descriptors that opening one direction takes at most: 10 by JACK's plugin, as measured, and two files
  /// that are read.
  private static let descriptors = 12
  /// Address space that it takes at most, bytes: JACK's engine is 105 MB of shared memory, as measured.
  private static let addressSpace = 128 << 20

  /// `EMFILE`, `ENFILE`, `ENOMEM` or `EAGAIN`; nil when there is enough of all.
  ///
  /// - Threads: control.
  static var present: Int32? { descriptorShortage ?? memoryShortage }

  private static var descriptorShortage: Int32? {
    var held: [Int32] = []
    defer { for descriptor in held { Glibc.close(descriptor) } }
    while held.count < descriptors {
      let descriptor = clinux_eventfd()
      guard descriptor >= 0 else {
        return descriptor == -EMFILE || descriptor == -ENFILE ? -descriptor : nil
      }
      held.append(descriptor)
    }
    return nil
  }

  private static var memoryShortage: Int32? {
    let memory = unsafe mmap(nil, addressSpace, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard unsafe memory != MAP_FAILED else { return shortage(ofMapping: errno) }
    unsafe munmap(memory, addressSpace)
    return nil
  }

  /// The shortage by which mmap(2) fails: of address space, or where all future memory is locked, of memory
  /// that may be. Nil for another error.
  static func shortage(ofMapping code: Int32) -> Int32? { code == ENOMEM || code == EAGAIN ? code : nil }

  /// The shortage, with the limit that says so; nil for another error.
  static func words(for code: Int32) -> String? {
    switch code {
    case EMFILE: "too few file descriptors, limit \(limit(CLINUX_RLIMIT_NOFILE)) (ulimit -n)"
    case ENFILE: "no file descriptors left on this machine (fs.file-max)"
    case ENOMEM:
      limit(CLINUX_RLIMIT_AS) == CLINUX_RLIM_INFINITY
        ? "no memory left"
        : "too little address space, limit \(limit(CLINUX_RLIMIT_AS) >> 20) MiB (ulimit -v)"
    case EAGAIN:
      "too little memory may be locked, limit \(limit(CLINUX_RLIMIT_MEMLOCK) >> 10) KiB (ulimit -l)"
    default: nil
    }
  }

  private static func limit(_ resource: Int) -> UInt64 {
    var (soft, hard) = (UInt64(), UInt64())
    unsafe clinux_get_limit(Int32(resource), &soft, &hard)
    return soft
  }
}
