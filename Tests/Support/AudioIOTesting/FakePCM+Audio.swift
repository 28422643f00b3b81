import AudioIO
import Glibc

/// The calls of the audio thread, with the rules that ALSA's kernel side keeps.
extension FakePCM {
  /// What a call returns before it has done anything: a scripted failure, or what the state forbids.
  private func refusal(_ call: PCMCall) -> Int? {
    var error = 0
    return refusal(call, misread: &error)
  }

  private func refusal(_ call: PCMCall, misread error: inout Int) -> Int? {
    rig.update()
    if side({ $0.isOpen }) == false { return -Int(EBADFD) }
    let effect = rig.effect(direction, call)
    if case .fail(let fault) = effect {
      rig.fall(direction, into: fault)
      return fault.code
    }
    if case .freeze = effect { side { $0.isFrozen = true } }
    if case .misread(let frames) = effect { error = frames }
    return side({ $0.isPlugged }) ? nil : -Int(ENODEV)
  }

  /// What a transfer or a question returns in a state that has stopped.
  private func stoppage() -> Int? {
    switch side({ $0.state }) {
    case .xrun: -Int(EPIPE)
    case .suspended: -Int(ESTRPIPE)
    case .running, .prepared: nil
    default: -Int(EBADFD)
    }
  }

  package mutating func silencePlayed() -> Int {
    if let code = refusal(.silence) { return code }
    rig.silencesPlayed = true
    return 0
  }

  package mutating func link(with other: borrowing FakePCM) -> Int {
    if let code = refusal(.link) { return code }
    guard rig.isLinkable else { return -Int(ENOSYS) }
    rig.isLinked = true
    return 0
  }

  package mutating func prepare() -> Int {
    if let code = refusal(.prepare) { return code }
    for member in group where rig.withSide(member, { $0.state }) == .running { return -Int(EBUSY) }
    for member in group { rig.withSide(member) { $0.prepare() } }
    if group.contains(.playback) { rig.playback.program = rig.leftover }
    return 0
  }

  package mutating func start() -> Int {
    if let code = refusal(.start) { return code }
    for member in group {
      if rig.withSide(member, { $0.state }) != .prepared { return -Int(EBADFD) }
      if rig.withSide(member, { $0.direction == .playback && $0.delay == 0 }) { return -Int(EPIPE) }
    }
    rig.advance(rig.startDuration)
    for member in group {
      let lag = rig.isLinked && member == .capture ? rig.captureLag : 0
      let begin = rig.time + lag + rig.withSide(member) { $0.startLag }
      rig.withSide(member) { $0.start(at: begin) }
      if member == .playback { rig.beginRun(at: begin) }
    }
    return 0
  }

  package mutating func drop() -> Int {
    if let code = refusal(.drop) { return code }
    for member in group { rig.withSide(member) { $0.stop(.setup, at: rig.time) } }
    return 0
  }

  package mutating func resume() -> Int {
    if let code = refusal(.resume) { return code }
    guard rig.resumes else { return -Int(ENOSYS) }
    return side {
      guard $0.state == .suspended else { return -Int(EBADFD) }
      if $0.resumesLeft > 0 {
        $0.resumesLeft -= 1
        return -Int(EAGAIN)
      }
      $0.start(at: rig.time)
      return 0
    }
  }

  package mutating func state() -> PCMState {
    rig.update()
    if side({ $0.isOpen }) == false { return .invalid }
    switch rig.effect(direction, .state) {
    case .say(let state): return state
    case .fail(let fault):
      rig.fall(direction, into: fault)
      // Faults that have no state of their own come as a negative code.
      if side({ $0.state }) == .running { return .invalid }
    default: break
    }
    return side { $0.state }
  }

  package mutating func fillPollDescriptors(
    _ descriptors: UnsafeMutablePointer<pollfd>, capacity: Int
  ) -> Int {
    guard capacity >= 1 else { return -Int(EINVAL) }
    descriptors[0] = pollfd(
      fd: descriptor, events: Int16(direction == .capture ? POLLIN : POLLOUT), revents: 0)
    return 1
  }

  package mutating func pollEvents(_ descriptors: UnsafeMutablePointer<pollfd>, count: Int) -> Int {
    if let fault = side({ $0.pollFault }) {
      side { $0.pollFault = nil }
      return fault.code
    }
    return Int(UInt16(bitPattern: descriptors[0].revents))
  }

  package mutating func readInterleaved(_ buffer: UnsafeMutableRawPointer, frames: Int) -> Int {
    guard let count = transfer(.read, frames) else { return lastRefusal }
    let (format, program) = side { ($0.format, $0.program) }
    // The room has its own time: frames are numbered from the beginning of it.
    let first = rig.firstCaptureFrame + program + side { $0.unseen }
    let source = rig.source
    for n in 0..<count {
      for channel in 0..<format.channels {
        put(source(first + n, channel), buffer, n * format.channels + channel, format.format)
      }
    }
    side { $0.program += count }
    return count
  }

  package mutating func writeInterleaved(_ buffer: UnsafeRawPointer, frames: Int) -> Int {
    guard let count = transfer(.write, frames) else { return lastRefusal }
    let (format, program) = side { ($0.format, $0.program) }
    rig.accept(buffer, frames: count, format, at: program)
    side { $0.program += count }
    return count
  }

  package mutating func available() -> Int {
    var error = 0
    if let code = refusal(.available, misread: &error) ?? stoppage() { return code }
    return max(0, side { $0.available } + error)
  }

  package mutating func delay() -> (frames: Int, code: Int) {
    if let code = refusal(.delay) ?? stoppage() { return (0, code) }
    return (side { $0.delay + $0.behind }, 0)
  }

  package mutating func status() -> PCMStatus? {
    rig.update()
    guard side({ $0.isOpen && $0.isPlugged }) else { return nil }
    return side {
      PCMStatus(
        state: $0.state, triggerTime: $0.trigger, time: rig.time, available: $0.available)
    }
  }

  /// Frames a transfer may move, or nil when it is refused (``lastRefusal`` says why).
  private func transfer(_ call: PCMCall, _ frames: Int) -> Int? {
    rig.update()
    rig.refusal = 0
    guard side({ $0.isOpen }) else { return refuse(-Int(EBADFD)) }
    var limit = frames
    switch rig.effect(direction, call) {
    case .fail(let fault):
      rig.fall(direction, into: fault)
      return refuse(fault.code)
    case .shorten(let most): limit = min(limit, most)
    case .freeze: side { $0.isFrozen = true }
    default: break
    }
    guard side({ $0.isPlugged }) else { return refuse(-Int(ENODEV)) }
    if let code = stoppage() { return refuse(code) }
    let room = side { $0.available }
    if room == 0 { return refuse(-Int(EAGAIN)) }
    return min(limit, room)
  }

  private func refuse(_ code: Int) -> Int? {
    rig.refusal = code
    return nil
  }

  private var lastRefusal: Int { rig.refusal }

  private func put(_ value: Float, _ buffer: UnsafeMutableRawPointer, _ index: Int, _ format: SampleFormat)
  {
    // Raw, because a converter may well deliver what lies outside full scale.
    if format == .float32 { return buffer.storeBytes(of: value, toByteOffset: 4 * index, as: Float.self) }
    withUnsafePointer(to: value) {
      _ = format.encode(
        $0, frames: 1, into: buffer + index * format.bytesPerSample, channels: 1, channel: 0)
    }
  }
}
