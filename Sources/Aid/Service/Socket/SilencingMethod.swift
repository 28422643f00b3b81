import Control

/// A method that silences: carried out before every other request that has come, and without a place among the
/// clients, so that nobody can keep a wearer's silence out.
///
/// Silence is what a person needs at once when a sound hurts, and the one thing of which too much harms nobody.
protocol SilencingMethod: ControlMethod {}

extension MethodTable {
  /// The method of that name, if it silences.
  func silencing(_ name: String) -> (any ControlMethod.Type)? {
    silencing.first { $0.name == name }
  }
}

extension ControlSession {
  /// True for a request that silences, by somebody who may.
  func silences(_ asked: Request, now: Double) -> Bool {
    guard case .success(let call) = asked.call, let method = methods.silencing(call.method) else {
      return false
    }
    return method.description.access.allows(caller(at: now).roles)
  }

  /// True of those for whom the last places are kept: who may silence.
  func maySilence(at now: Double) -> Bool {
    let roles = caller(at: now).roles
    return methods.silencing.contains { $0.description.access.allows(roles) }
  }
}
