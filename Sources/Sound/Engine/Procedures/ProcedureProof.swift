#if RT_LINT
  import HearingDSP

  /// Compiled for the compiler's analysis only: takes behind their safety stage neither allocate nor lock.
  @_noAllocation
  func proveTakes(
    _ performer: inout LimitedPerformer<TakePerformer>, _ take: Take, left: borrowing Span<Float>,
    right: borrowing Span<Float>, intoLeft leftOutput: inout MutableSpan<Float>,
    intoRight rightOutput: inout MutableSpan<Float>
  ) -> Bool {
    performer.retarget(to: take)
    performer.open()
    performer.process(left: left, right: right, intoLeft: &leftOutput, intoRight: &rightOutput)
    performer.performer.tell()
    performer.close()
    performer.restart()
    return performer.performer.isPlaying
  }

  /// The same of the microphones' way to control.
  @_noAllocation
  func proveMicrophones(_ tap: MicrophoneTap, _ block: borrowing SoundBlock) {
    tap.look(block)
    tap.noteGap()
  }
#endif
