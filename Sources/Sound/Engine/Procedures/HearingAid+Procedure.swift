extension HearingAid {
  /// True while a procedure has the loop.
  public var isInProcedure: Bool { activity.withLock { $0.isInProcedure } }

  /// Ends a procedure that is under way: its sound falls to silence, and what sounded before rises again.
  /// Does nothing while there is none.
  ///
  /// - Threads: any but audio; does not wait.
  public func endProcedure(_ reason: ProcedureEnd = .cancelled) {
    activity.withLock { activity in
      guard activity.isInProcedure else { return }
      _ = loop.procedureEnd.compareExchange(
        expected: .none, desired: reason, ordering: .acquiringAndReleasing)
      loop.wanted.store(activity.rest, ordering: .releasing)
    }
  }

  /// Lets a procedure have the loop: the aid falls silent, and sounds again when it has ended, however it
  /// does.
  ///
  /// - Parameter procedure: Plays and records; see ``TakePlayer``.
  /// - Throws: ``FeedbackFault``; that the aid is stopped where it was not started.
  func perform<Result>(
    _ procedure: (LoopState) throws(FeedbackFault) -> Result
  ) throws(FeedbackFault) -> Result {
    try activity.withLock { (activity) throws(FeedbackFault) in
      guard activity.thread != nil else { throw .stopped }
      guard !activity.isInProcedure else { throw .system("another procedure is under way") }
      activity.isInProcedure = true
      loop.procedureEnd.store(.none, ordering: .releasing)
      loop.wanted.store(.procedure, ordering: .releasing)
    }
    defer {
      activity.withLock { activity in
        activity.isInProcedure = false
        loop.wanted.store(activity.rest, ordering: .releasing)
      }
    }
    return try procedure(loop)
  }
}
