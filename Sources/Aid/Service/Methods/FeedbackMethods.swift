import Acoustics
import Base
import Control

/// Methods of measured feedback paths.
package enum FeedbackMethods {
  package struct Measure: DaemonMethod {
    package static let description = MethodDescription(
      "feedback.measure", for: [.wearer, .audiologist],
      "Begins a feedback test: its caller is notified of it, and the aid is silent until it ends, with a result, with its "
        + "caller's connection, by feedback.stop, stop or mute, or when prescription, configuration, device or a volume control "
        + "change.",
      [
        MethodParameter(
          "ears", .words(Ear.allCases.map(\.rawValue)), isOptional: true, "both when left out"),
        MethodParameter(
          "delay", .boolean, isOptional: true,
          "where true, the loop's delay alone is measured, as by auricle doctor --loop; false when left out"
        ),
      ], answer: "'state'", conduct: .staying)

    package let ears: [Ear]?
    package let delay: Bool?

    package init(_ ears: [Ear]? = nil, of kind: FeedbackTestKind = .path) {
      self.ears = ears
      delay = kind == .delay ? true : nil
    }

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<StateAnswer> {
      try state.beginTest(
        delay == true ? .delay : .path, of: Ear.allCases.filter { ears?.contains($0) ?? true }, for: peer)
      return .now(StateAnswer(state: state.state))
    }
  }

  package struct Stop: DaemonMethod {
    package static let description = MethodDescription(
      "feedback.stop", for: [.wearer, .audiologist, .operator],
      "Ends the feedback test under way, faded; nothing of it is kept. Does nothing while there is none.",
      answer: "'state'", conduct: .silencing)

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<StateAnswer> {
      if state.test?.task.isFeedback == true { state.stopTest(by: peer) }
      return .when(\.isOpened) { StateAnswer(state: $0.state) }
    }
  }

  package struct Keep: DaemonMethod {
    private static let expectation =
      "paths and delays as auricle fit feedback and doctor --loop measure them"

    package static let description = MethodDescription(
      "feedback.keep", for: [.wearer, .audiologist],
      "Keeps measured paths and delays; an ear that is not in it keeps what it has.",
      [MethodParameter("paths", .object(expectation), "as in feedback.json")],
      answer: FeedbackAnswer.words)

    package let paths: FeedbackRecord

    package init(_ paths: FeedbackRecord) { self.paths = paths }

    package func check() throws(ControlFailure) {
      guard !paths.isEmpty, paths.isReadable else {
        throw .parameter("paths", found: "something else", expected: Self.expectation)
      }
    }

    // Paths go into the canceller: of a clinic's device only those that its own daemon has measured.
    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<FeedbackAnswer>
    {
      if let clinic = state.known.clinicName, !peer.roles.contains(.audiologist) {
        state.noteRefusal(Self.name, to: peer)
        throw Failure(
          Self.name, inWords: "This device belongs to \(clinic): only what its daemon measures is kept",
          remedy: "Measure while it runs: auricle fit feedback", exit: .noPermission)
      }
      return state.work(
        .feedback, { state in { [whole = paths.over(state.feedback.record)] in $0.keep(whole) } }
      ) { state, failure throws(Failure) in
        try state.hear(failure) { $0.keep(paths) }
        state.brokenTest = nil
        let hasPath = paths.left != nil || paths.right != nil
        return .now(hasPath ? .kept(state.feedbackReport) : .keptDelay(state.feedbackReport))
      }
    }
  }

  package struct Clear: DaemonMethod {
    package static let description = MethodDescription(
      "feedback.clear", for: [.wearer, .audiologist], "Forgets all measured paths and delays.",
      answer: FeedbackAnswer.words)

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<FeedbackAnswer> {
      state.work(.feedback, { _ in { $0.clearFeedback() } }) { state, failure throws(Failure) in
        try state.hear(failure) { $0.clear() }
        state.brokenTest = nil
        return .now(.cleared(state.feedbackReport))
      }
    }
  }
}
