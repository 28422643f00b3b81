import Base

/// A request that the daemon understands.
///
/// The raw text on the socket is `{"jsonrpc":"2.0","id":1,"method":"mute"}`, one object a line.
package enum ControlCall: Sendable, Hashable {
  /// Begins sound, ramped, or waits for the device.
  case start
  /// Ends sound, faded; the daemon stays.
  case stop
  case mute
  case unmute
  /// Reads the configuration again.
  case reload
  /// Ends the daemon.
  case shutdown
  case status
  case devices
  case version
  case subscribe(Subscription)
  case unsubscribe
  /// About prescriptions, clinics and the audit trail.
  case book(BookCall)
  /// About listening programs, volume and tone.
  case program(ProgramCall)
  /// About measured feedback paths.
  case feedback(FeedbackCall)

  /// Names of all methods.
  package static let methods =
    [
      "start", "stop", "mute", "unmute", "reload", "shutdown", "status", "devices", "version", "subscribe",
      "unsubscribe",
    ] + BookCall.methods + ProgramCall.methods + FeedbackCall.methods

  /// The method's name.
  package var method: String {
    switch self {
    case .start: "start"
    case .stop: "stop"
    case .mute: "mute"
    case .unmute: "unmute"
    case .reload: "reload"
    case .shutdown: "shutdown"
    case .status: "status"
    case .devices: "devices"
    case .version: "version"
    case .subscribe: "subscribe"
    case .unsubscribe: "unsubscribe"
    case .book(let call): call.method
    case .program(let call): call.method
    case .feedback(let call): call.method
    }
  }

  /// Whether the call acts on the daemon, which not everybody may do.
  package var isChange: Bool {
    switch self {
    case .start, .stop, .mute, .unmute, .reload, .shutdown: true
    case .status, .devices, .version, .subscribe, .unsubscribe: false
    case .book(let call): call.isChange
    case .program(let call): call.isChange
    case .feedback(let call): call.isChange
    }
  }

  /// Parameters by name; nil when the call has none.
  package var parameters: RPCValue? {
    switch self {
    case .subscribe(let subscription):
      .object([
        "topics": .array(subscription.topics.map(\.rawValue).sorted().map(RPCValue.string)),
        "interval_seconds": .number(subscription.interval),
      ])
    case .book(let call): call.parameters
    case .program(let call): call.parameters
    case .feedback(let call): call.parameters
    case .start, .stop, .mute, .unmute, .reload, .shutdown, .status, .devices, .version, .unsubscribe: nil
    }
  }

  /// Reads a method with its parameters. Parameters that are not known are ignored, so that newer clients
  /// can talk to older daemons.
  ///
  /// - Throws: ``ControlFailure`` with code `unknownMethod` or `invalidParameters`.
  package init(method: String, parameters: RPCValue?) throws(ControlFailure) {
    let fields: [String: RPCValue]
    switch parameters {
    case nil: fields = [:]
    case .object(let object): fields = object
    case .some(let other):
      throw ControlFailure(
        .invalidParameters, "params: found \(other.kind), expected an object of named parameters.")
    }
    switch method {
    case "start": self = .start
    case "stop": self = .stop
    case "mute": self = .mute
    case "unmute": self = .unmute
    case "reload": self = .reload
    case "shutdown": self = .shutdown
    case "status": self = .status
    case "devices": self = .devices
    case "version": self = .version
    case "subscribe": self = .subscribe(try Self.subscription(fields))
    case "unsubscribe": self = .unsubscribe
    default:
      if let call = try BookCall(method: method, fields: fields) {
        self = .book(call)
        return
      }
      if let call = try ProgramCall(method: method, fields: fields) {
        self = .program(call)
        return
      }
      if let call = try FeedbackCall(method: method, fields: fields) {
        self = .feedback(call)
        return
      }
      let hint = Spelling.nearest(to: method, among: Self.methods).map { " Did you mean \"\($0)\"?" } ?? ""
      throw ControlFailure(
        .unknownMethod,
        "method: found \"\(method.prefix(64))\", expected \(English.list(Self.methods, "or")).\(hint)")
    }
  }

  private static func subscription(_ fields: [String: RPCValue]) throws(ControlFailure) -> Subscription {
    var topics = Set(Subscription.Topic.allCases)
    if let value = fields["topics"] {
      let expected = "expected an array of \"state\" and \"meters\""
      guard case .array(let names) = value, !names.isEmpty else {
        throw ControlFailure(.invalidParameters, "topics: found \(value.kind), \(expected).")
      }
      topics = []
      for name in names {
        guard case .string(let text) = name, let topic = Subscription.Topic(rawValue: text) else {
          let found = if case .string(let text) = name { "\"\(text.prefix(64))\"" } else { name.kind }
          throw ControlFailure(.invalidParameters, "topics: found \(found), \(expected).")
        }
        topics.insert(topic)
      }
    }
    var interval = 1.0
    switch fields["interval_seconds"] {
    case nil: break
    case .integer(let seconds): interval = Double(seconds)
    case .number(let seconds): interval = seconds
    case .some(let other):
      throw ControlFailure(
        .invalidParameters, "interval_seconds: found \(other.kind), expected 0.05 to 60.")
    }
    let range = Subscription.shortestInterval...Subscription.longestInterval
    guard range.contains(interval) else {
      throw ControlFailure(
        .invalidParameters,
        "interval_seconds: found \(NumberText.exact(interval)), expected 0.05 to 60.")
    }
    return Subscription(to: topics, every: interval)
  }
}
