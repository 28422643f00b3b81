import CSamplerate
import Glibc
public import Realtime

/// A device that captures at its own rate by its own clock, read at the rate and pace of another clock.
///
/// The owner puts what is read into a queue that the other clock empties, and tells after each reading how many frames
/// wait there beyond those that are to (``steer(excess:)``); a ``DelayLockedLoop`` turns that into the ratio of
/// the converter (`SRC_SINC_FASTEST`, see ``RateMatcher``). So the delay is held, and the queue never runs empty or over
/// because of the clocks.
///
/// Nothing here waits for the device but ``wait(atMost:orUntil:)``.
///
/// - Threads: one at a time, which may wait; opening and closing allocates.
public struct PacedCapture<Device: PCMDevice & ~Copyable>: ~Copyable {
  /// Result of a reading.
  public enum Event: BitwiseCopyable, Sendable, Equatable {
    /// So many frames are in ``left`` and ``right``.
    case sound(frames: Int)
    /// There is nothing to be read now.
    case nothing
    /// The device was started again; what it held is lost.
    case restarted(PCMFault)
    /// The device cannot be used any more: close it, and open it again later.
    case lost(PCMFault)
  }

  /// Time between two of the device's interrupts, s: what is asked for. Own choice: long enough for a thread of lower
  /// priority.
  static var periodTime: Double { 0.005 }
  /// Time that the device's buffer holds, s: what is asked for. A thread that is later than that loses sound.
  static var bufferTime: Double { 0.1 }
  /// Longest period taken, s, where the owner's queue holds it: the delay is two of them.
  static var longestPeriod: Double { 0.1 }
  /// Time at the greatest correction after which the clocks count as too far apart, s. Own choice: twice as long as a drift
  /// of 300 ppm needs to settle.
  static var outOfStepTime: Double { 2 }
  /// Excess that is more than jitter, s, from which the loop corrects faster: what a thread that wakes late makes of it
  /// stays below. Own choice.
  static var tolerance: Double { 0.002 }
  /// Frames read at a time.
  private static var chunk: Int { 1024 }
  private static var descriptorRoom: Int { 8 }

  private var device: Device
  private var clock: Device.Clock
  /// Format granted; nil while closed.
  public private(set) var format: StreamFormat?
  /// Rate of what is read, Hz.
  private var rate = 0
  private var converter: RateConverter?
  private var loop = DelayLockedLoop(step: 1, tolerance: 1, limit: RateMatcher.limit)
  private var ratio = 1.0
  private var saturated = 0.0
  private var raw = AlignedBuffer<UInt8>(count: 0)
  private var planar = AlignedBuffer<Float>(count: 2 * Self.chunk)
  private var input = AlignedBuffer<Float>(count: 2 * Self.chunk)
  private var output = AlignedBuffer<Float>(count: 0)
  /// Left channel of the last reading, at the wanted rate: as many frames as ``Event/sound(frames:)`` tells.
  public private(set) var left = AlignedBuffer<Float>(count: 0)
  /// Right channel, as ``left``; the same of a device with one channel.
  public private(set) var right = AlignedBuffer<Float>(count: 0)
  private var descriptors: AlignedBuffer<pollfd>

  /// A closed device that captures.
  public init(_ device: consuming Device, clock: Device.Clock) {
    precondition(device.direction == .capture)
    self.device = device
    self.clock = clock
    descriptors = AlignedBuffer(count: Self.descriptorRoom + 1)
  }

  /// ALSA name of the device.
  public var name: String { device.name }

  /// Drift of the device's clock against the other one: excess in parts per million.
  public var drift: ClockDrift {
    loop.settledDrift.map { .known(partsPerMillion: $0 * 1e6) } ?? .settling
  }

  /// The clock's time, s.
  public var now: Double { clock.now() }

  /// True when the clocks are further apart than resampling corrects.
  public var isOutOfStep: Bool { saturated >= Self.outOfStepTime }

  /// Frames that arrive at once, at the other clock's rate.
  public var period: Int {
    format.map { Int((Double($0.period) * Double(rate) / Double($0.rate)).rounded(.up)) } ?? 0
  }

  /// Opens the device and lets it record, at the wanted rate where it can, otherwise at a usual one.
  ///
  /// - Parameters:
  ///   - wanted: Rate of what is read, Hz, in 8,000...192,000.
  ///   - jitter: Time in which the queue is emptied at once, s.
  ///   - longestPeriod: Longest time between two deliveries that the queue bridges, s.
  /// - Throws: ``PCMOpenError``; the device is closed then.
  public mutating func open(
    rate wanted: Int, jitter: Double, longestPeriod: Double
  ) throws(PCMOpenError) {
    close()
    do throws(PCMOpenError) {
      try device.open()
      let granted = try configure(wanted)
      let longest = min(Self.longestPeriod, longestPeriod) * Double(granted.rate)
      guard Double(granted.period) <= longest else {
        throw .periodRefused(name: name, granted: granted.period, expected: 1...max(1, Int(longest)))
      }
      try prepare(granted, rate: wanted, jitter: jitter)
      let code = restart()
      guard code >= 0 else { throw .failed(name: name, call: "snd_pcm_start", errno: Int32(-code)) }
    } catch {
      close()
      throw error
    }
  }

  private mutating func configure(_ wanted: Int) throws(PCMOpenError) -> StreamFormat {
    var refusal: PCMOpenError?
    for rate in [wanted, 48_000, 44_100, 96_000, 32_000, 16_000, 8000] {
      let request = StreamRequest(rate: rate, period: Int(Self.periodTime * Double(rate)))
      do throws(PCMOpenError) {
        return try device.configure(request, buffer: Int(Self.bufferTime * Double(rate)))
      } catch {
        switch error {
        // Another rate may have the format or the channels that this one has not.
        case .rateRefused, .formatRefused, .channelsRefused: refusal = refusal ?? error
        default: throw error
        }
      }
    }
    throw refusal ?? .failed(name: name, call: "snd_pcm_hw_params", errno: EINVAL)
  }

  /// Makes everything that goes with a format.
  private mutating func prepare(
    _ granted: StreamFormat, rate wanted: Int, jitter: Double
  ) throws(PCMOpenError) {
    guard let converter = RateConverter(SRC_SINC_FASTEST) else {
      throw .failed(name: name, call: "src_new", errno: ENOMEM)
    }
    self.converter = consume converter
    rate = wanted
    ratio = Double(wanted) / Double(granted.rate)
    loop = DelayLockedLoop(
      step: Double(granted.period) / Double(granted.rate), tolerance: Self.tolerance + jitter,
      limit: RateMatcher.limit)
    saturated = 0
    // A hundredth more than the greatest correction makes, and what the filter held back.
    let room = Int(Double(Self.chunk) * ratio * 1.01) + 64
    raw = AlignedBuffer(count: Self.chunk * granted.bytesPerFrame)
    output = AlignedBuffer(count: 2 * room)
    left = AlignedBuffer(count: room)
    right = AlignedBuffer(count: room)
    format = granted
  }

  /// Gives the device back.
  public mutating func close() {
    if format != nil { _ = device.drop() }
    device.close()
    format = nil
    converter = nil
  }

  /// Starts the device from an empty buffer. Returns 0 or `-errno`.
  private mutating func restart() -> Int {
    _ = device.drop()
    converter?.reset()
    let code = device.prepare()
    return code < 0 ? code : device.start()
  }

  /// Waits until something can be read.
  ///
  /// - Parameters:
  ///   - time: Longest wait, s.
  ///   - descriptor: Ends the wait when readable; negative for none.
  /// - Returns: True when the device says that it has something, or is in trouble.
  public mutating func wait(atMost time: Double, orUntil descriptor: Int32) -> Bool {
    let base = unsafe descriptors.pointer
    let own = max(0, unsafe device.fillPollDescriptors(base, capacity: Self.descriptorRoom))
    unsafe base[own] = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let ready = unsafe clock.poll(base, count: own + 1, timeout: time)
    guard ready > 0, unsafe base[own].revents == 0 || ready > 1 else { return false }
    _ = unsafe device.pollEvents(base, count: own)
    return true
  }

  /// Lets a moment pass after a device said that it had something and had nothing, so that it does not take the
  /// processor.
  public mutating func pause() { clock.pause(0.001) }

  /// Reads what there is, up to a chunk: repeat until there is nothing.
  public mutating func read() -> Event {
    guard let format else { return .lost(.badState) }
    let got = unsafe device.readInterleaved(UnsafeMutableRawPointer(raw.pointer), frames: Self.chunk)
    if got > 0 { return convert(min(got, Self.chunk), format) }
    let fault = PCMFault(code: got)
    if got == 0 || fault == .again || fault == .interrupted { return .nothing }
    guard fault == .xrun || fault == .suspended || fault == .badState else { return .lost(fault) }
    let code = restart()
    return code < 0 ? .lost(PCMFault(code: code)) : .restarted(fault)
  }

  /// Converts frames just read; what is not a number would live on in the filter.
  private mutating func convert(_ frames: Int, _ format: StreamFormat) -> Event {
    for channel in 0..<2 {
      unsafe format.format.decode(
        UnsafeRawPointer(raw.pointer), channels: format.channels,
        channel: min(channel, format.channels - 1),
        frames: frames, into: planar.pointer + channel * Self.chunk)
    }
    for n in 0..<frames {
      let (l, r) = (planar[n], planar[Self.chunk + n])
      input[2 * n] = l.isFinite ? l : 0
      input[2 * n + 1] = r.isFinite ? r : 0
    }
    let result = converter?.convert(
      input, from: 0, frames: frames, into: &output, atMost: output.count / 2, ratio: ratio)
    // A converter that leaves input behind would lose it: the room is chosen so that it never does.
    guard let result, result.code == 0, result.taken == frames else { return .lost(.inputOutput) }
    for n in 0..<result.made {
      left[n] = output[2 * n]
      right[n] = output[2 * n + 1]
    }
    return .sound(frames: result.made)
  }

  /// Takes one measurement of the delay, once for each period.
  ///
  /// - Parameter excess: Frames that wait beyond those that are to, at the other clock's rate.
  public mutating func steer(excess: Int) {
    guard let format else { return }
    let correction = loop.update(error: Double(excess) / Double(rate))
    ratio = Double(rate) / Double(format.rate) * (1 - correction)
    saturated = max(0, saturated + (abs(correction) < RateMatcher.limit ? -loop.step : loop.step))
  }

  /// Nobody empties the queue: the present ratio stays, and what is known of the clocks.
  public mutating func steerNothing() {
    guard let format else { return }
    loop.restart()
    ratio = Double(rate) / Double(format.rate) * (1 - loop.drift)
  }
}
