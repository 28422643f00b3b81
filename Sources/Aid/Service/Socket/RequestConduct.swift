import Control

extension MethodTable {
  /// The method of that name, if it silences.
  func silencing(_ name: String) -> (any ControlMethod.Type)? {
    silencing.first { $0.name == name }
  }

  /// True for the name of a method that goes on after its answer.
  func isStaying(_ name: String) -> Bool { method(named: name)?.description.conduct == .staying }
}

extension ControlSession {
  /// True for a request that silences, by somebody who may.
  func silences(_ asked: Request, now: Double) -> Bool {
    guard case .success(let call) = asked.call, let method = methods.silencing(call.method) else {
      return false
    }
    return method.description.access.allows(caller(at: now).roles)
  }

  /// True for a request that goes on after its answer.
  func stays(_ asked: Request) -> Bool {
    (try? asked.call.get()).map { methods.isStaying($0.method) } == true
  }

  /// True of those for whom the last places are kept: who may silence.
  func maySilence(at now: Double) -> Bool {
    let roles = caller(at: now).roles
    return methods.silencing.contains { $0.description.access.allows(roles) }
  }
}
