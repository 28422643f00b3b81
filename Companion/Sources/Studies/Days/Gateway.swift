import Questionnaires

/// A question or several whose answers call for further modules.
///
/// - Threads: any.
public struct Gateway: Sendable, Hashable {
  /// Such as "insomnia".
  public let id: String
  /// Conditions on answers to any questionnaire of the study, whose item ids are unique in it.
  public let conditions: [Condition]
  public let enablement: Enablement
  /// ``Module/id`` of those that it calls for.
  public let modules: [String]
  /// Of its conditions: a log names the rule by which it was decided.
  public let version: Int

  public init(
    _ id: String, when conditions: [Condition], _ enablement: Enablement = .any, modules: [String],
    version: Int = 1
  ) {
    (self.id, self.conditions, self.enablement) = (id, conditions, enablement)
    (self.modules, self.version) = (modules, version)
  }

  /// Condition that opens it; nil while it is closed. With ``Enablement/all`` the last of them.
  ///
  /// - Parameter answers: As of ``GatewayStates/init(_:answers:begun:)``.
  func opened(by answers: [String: [AnswerValue]]) -> Condition? {
    let held = conditions.filter { $0.holds(for: answers[$0.question] ?? []) }
    switch enablement {
    case .any: return held.first
    case .all: return held.count == conditions.count ? held.last : nil
    }
  }
}

/// Gateways that are open, with the answer that opened each. A pure function of all answers and of the modules that somebody has begun: the
/// same answers in another order, or again from the beginning, give the same.
///
/// - Threads: any.
public struct GatewayStates: Sendable, Hashable {
  public struct Opening: Sendable, Hashable {
    public let gateway: String
    public let version: Int
    /// Question and answer that open it, of several answers the first that does; nil when only a begun module
    /// keeps it open.
    public let question: String?
    public let answer: AnswerValue?
  }

  /// In the order of the study's gateways.
  public let open: [Opening]
  /// Modules that are called for, each once, in the order of the gateways.
  public let modules: [String]

  /// - Parameters:
  ///   - answers: Present answers by item, several of one in a repeated group, of which one is enough, as for
  ///     conditions within a questionnaire; those that are hidden are left out.
  ///   - begun: Modules with an answer: they stay, whatever is answered otherwise later.
  public init(_ gateways: [Gateway], answers: [String: [AnswerValue]], begun: Set<String> = []) {
    var (open, modules) = ([Opening](), [String]())
    for gateway in gateways {
      let condition = gateway.opened(by: answers)
      let kept = condition == nil ? gateway.modules.filter(begun.contains) : gateway.modules
      guard !kept.isEmpty || condition != nil else { continue }
      open.append(
        Opening(
          gateway: gateway.id, version: gateway.version, question: condition?.question,
          answer: condition.flatMap { held in answers[held.question]?.first { held.holds(for: [$0]) } }))
      modules += kept.filter { !modules.contains($0) }
    }
    (self.open, self.modules) = (open, modules)
  }
}
