import AudioIO

/// One direction of a rig: a device's state machine and its pointer, as ALSA's kernel side keeps them.
struct FakeSide {
  let direction: StreamDirection
  var state = PCMState.invalid
  var isOpen = false
  var isPlugged = true
  var isFrozen = false
  var wakesIdly = false
  var pollFault: PCMFault?
  var resumesLeft = 0
  var format = StreamFormat(rate: 44_100, channels: 2, format: .float32, period: 64, buffer: 192)
  /// Frames between two movements of the pointer.
  var granularity = 1
  /// Deviation of the oscillator from its nominal rate, parts per million.
  var drift = 0.0
  /// The pointer at ``since``, frames since the device was prepared.
  var origin = 0.0
  var since = 0.0
  /// Frames the converter has taken or given since the device was prepared.
  var hardware = 0
  /// Frames the program has read or written since the device was prepared.
  var program = 0
  /// Frames that passed without the pointer having shown them, since the device was prepared.
  var unseen = 0
  /// Frames that playback takes out of its buffer ahead of playing them, while it runs.
  var takenAhead = 0
  /// Frames of the told delay that lie behind the buffer.
  var behind = 0
  /// Time from each start to the pointer's first movement, s.
  var startLag = 0.0
  /// False of a plugin's device, whose oscillator is not known.
  var isOnCard = true
  /// When it last started or stopped, s.
  var trigger = 0.0

  /// Frames per second of real time.
  var speed: Double { Double(format.rate) * (1 + drift * 1e-6) }

  /// Frames that can be read or written.
  var available: Int {
    direction == .capture
      ? hardware - program
      : format.buffer - max(0, program - hardware - (state == .running ? takenAhead : 0))
  }

  /// Frames between the program and the converter.
  var delay: Int { direction == .capture ? hardware - program : program - hardware }

  /// The pointer's exact value at `time`; it stands still unless running.
  func position(at time: Double) -> Double {
    state == .running && !isFrozen ? origin + (time - since) * speed : origin
  }

  /// When the pointer will have reached `frame`; never, if it does not move.
  func arrival(at frame: Int) -> Double {
    guard state == .running, !isFrozen else { return .infinity }
    let steps = (frame + granularity - 1) / granularity * granularity
    return since + (Double(steps) - origin) / speed
  }

  /// The frame at which the buffer will have run over or empty.
  var limit: Int { direction == .capture ? program + format.buffer : program }

  /// Changes the oscillator at `time` without moving the pointer.
  mutating func retune(_ newDrift: Double, at time: Double) {
    origin = position(at: time)
    since = time
    drift = newDrift
  }

  /// Empties the buffer.
  mutating func prepare() {
    state = .prepared
    origin = 0
    hardware = 0
    program = 0
    unseen = 0
    isFrozen = false
    wakesIdly = false
    pollFault = nil
  }

  mutating func start(at time: Double) {
    state = .running
    since = time
    trigger = time
  }

  /// Stops the pointer where it is.
  mutating func stop(_ newState: PCMState, at time: Double) {
    origin = position(at: time)
    since = time
    if state == .running { trigger = time }
    state = newState
  }
}
