import Control

extension ControlServer {
  /// Bounds that keep one client from harming the others.
  package struct Limits: Sendable {
    package var clients = 16
    /// Of one process. Own choice: what a page that shows several things needs.
    package var clientsOfProcess = 8
    /// Of those who may not silence the aid, together: the others are for those who may.
    package var strangers = 8
    /// Connections beside them that have asked nothing yet, or for silence alone: some more than a flood
    /// of connections brings while a command writes its first line.
    package var waiting = 64
    /// Connections accepted in one round: about a millisecond.
    package var accepted = 64
    /// Connections that are open at one moment, at most: those with places, those that wait, and those of a round, before some of them
    /// have to go.
    package var connections: Int { clients + waiting + accepted }
    /// Time without a request after which a client gives way to a new one where there are as many as are
    /// allowed, s: longer than a command pauses between two requests. Own choice.
    package var idle = 2.0
    /// Longest line, bytes.
    package var lineBytes = 65_536
    /// Answers that wait for a client before its questions wait too, bytes.
    package var outputBytes = 65_536
    /// Time in which a client says something, s.
    package var firstMessage = 5.0
    /// Time in which a client takes something of what waits for it, s.
    package var writeStall = 5.0
    /// Time for the last answers when the server stops, s.
    package var farewell = 0.25

    package init() {}
  }

  /// Something that the owner acts on.
  package enum Occurrence: Sendable {
    /// To be answered with ``answer(_:_:now:)``, at once or later.
    case request(RequestID, any ControlMethod, from: Peer)
    /// A call that its peer may not make; it was told so.
    case refused(String, Peer)
    /// A connection has ended, however: closed, dropped, or its process killed.
    case gone(Peer)
    /// A connection wants no notifications any more.
    case unsubscribed(Peer)
    case log(LogLine)
  }
}
