import Control

/// Program, volume, feedback paths and FFTW's plans of earlier runs, from the state folder.
struct StateMemory {
  let dial: ListeningDial
  let feedback: FeedbackMemory
  /// File of FFTW's measurements; nil: there is no folder for it.
  let wisdomPath: String?
  /// Faults found on the way, for the log.
  let problems: [String]

  /// Reads it, and makes the folder where there is none.
  ///
  /// - Threads: control.
  init(_ folder: String) {
    let state = StateFolder.prepare(folder)
    dial = ListeningDial(path: state.folder.map { $0 + "/programs.json" })
    feedback = FeedbackMemory(folder: state.folder)
    wisdomPath = state.folder.map { $0 + "/wisdom" }
    let scope = state.folder == nil ? "nothing" : "nothing new"
    problems = [
      state.problem.map { "\(scope) is kept between runs: \($0)" },
      // Without a folder it says the same.
      state.folder == nil ? nil : dial.problem,
      feedback.problem,
    ].compactMap(\.self)
  }
}
