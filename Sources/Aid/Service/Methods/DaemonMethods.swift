import Base
import Control

/// A method that the daemon carries out.
protocol DaemonMethod: ControlMethod {
  // Named again, to be inferred from ``answer(by:to:)``.
  associatedtype Reply

  /// - Throws: ``Failure``; then nothing was changed.
  func answer(by daemon: Daemon, to peer: Peer) throws(Failure) -> Reply
}

/// A method of the prescription book, carried out by the daemon, or by a command while no daemon runs.
package protocol BookMethod: ControlMethod {
  associatedtype Reply

  /// Longest wait for the disk, s; nil: as for every call.
  static var patience: Double? { get }

  /// True for a method that begins a book where there is none.
  static var beginsBook: Bool { get }

  /// The answer while there is no book, so that asking makes none; nil: there has to be one.
  static var answerWithoutBook: Reply? { get }

  /// - Throws: ``BookRefusal``; the book is then as it was.
  func answer(by counter: BookCounter) throws(BookRefusal) -> Reply
}

extension BookMethod {
  package static var patience: Double? { nil }
  package static var beginsBook: Bool { false }
  package static var answerWithoutBook: Reply? { nil }
}

extension MethodTable {
  /// Every method of the control protocol, carried out by `daemon`.
  init(_ daemon: Daemon) {
    self.init()
    for method in SoundMethods.all + ReportMethods.all { register(method, by: daemon) }
    registerSubscriptions()
    for method in PrescriptionMethods.all + TrustMethods.all + BookMethods.all {
      register(method, by: daemon)
    }
    for method in ProgramMethods.all + FeedbackMethods.all { register(method, by: daemon) }
  }

  private mutating func register<Method: DaemonMethod>(_ type: Method.Type, by daemon: Daemon) {
    register(type) { (method, caller) throws(Failure) in
      try method.answer(by: daemon, to: caller.peer)
    }
  }

  private mutating func register<Method: BookMethod>(_ type: Method.Type, by daemon: Daemon) {
    register(type) { (method, caller) throws(Failure) in
      try daemon.answer(method, from: caller.peer)
    }
  }
}
