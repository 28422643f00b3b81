import AudioIO

/// One line of a script: what a rig does at one call, instead of what it should.
package struct ScriptedFault: Sendable, Equatable {
  /// What happens.
  package enum Effect: Sendable, Equatable {
    /// The call fails, and the device falls into the state that goes with the fault.
    case fail(PCMFault)
    /// The transfer moves at most so many frames.
    case shorten(Int)
    /// The device says that it is in this state, this once.
    case say(PCMState)
    /// The answer is off by so many frames, as of a pointer that is read while it moves.
    case misread(by: Int)
    /// A poll returns at once, and nothing has moved.
    case wakeIdly
    /// The device stops moving without a word; preparing it helps.
    case freeze
  }

  package var direction: StreamDirection
  package var call: PCMCall
  /// Calls of this kind to let pass first.
  package var after: Int
  /// Calls to spoil.
  package var times: Int
  package var effect: Effect

  package init(
    _ direction: StreamDirection, _ call: PCMCall, after: Int = 0, times: Int = 1, _ effect: Effect
  ) {
    self.direction = direction
    self.call = call
    self.after = after
    self.times = times
    self.effect = effect
  }
}
