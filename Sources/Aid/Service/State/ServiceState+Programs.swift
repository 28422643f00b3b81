import Base
import Control
import Engine

extension ServiceState {
  /// Lets the automatic choice classify the surroundings, and follows it slowly.
  mutating func followSurroundings() {
    guard audio.devices != nil else { return }
    var listening = programs
    guard listening.listen(audio.reading.meters, at: now.monotonic) else {
      programs = listening
      return
    }
    do throws(FittingFailure) {
      try hear(shortest: ProgramPace.byItself) { $0.programs = listening }
    } catch {
      return programs = listening
    }
    keepProgram()
    log(.info, "program: \(programReport.reason ?? programs.program.name)")
  }

  /// Lets a choice be heard. One that cannot be played changes nothing.
  ///
  /// - Throws: ``Failure``.
  mutating func hear(_ memory: ProgramMemory, shortest: Double) throws(Failure) {
    do throws(FittingFailure) {
      try hear(shortest: shortest) { $0.programs.choose(memory) }
    } catch {
      throw Failure(error, configuration)
    }
  }

  /// Leaves the choice for the disk, where it is not yet. Sound goes before memory: a disk that is full or
  /// does not answer keeps nobody from turning the volume down.
  ///
  /// - Returns: The number of the work; nil: none.
  @discardableResult mutating func keepProgram() -> Int? {
    guard programs.isUnsaved else { return nil }
    if let waiting = disk.waiting.first(where: { $0.kind == .program }) { return waiting.number }
    return work(.program) { state in
      let memory = state.programs.memory
      return { (memory, $0.keep(memory)) }
    } after: { state, kept in
      state.programs.note(kept.0, problem: kept.1)
    }
  }
}
