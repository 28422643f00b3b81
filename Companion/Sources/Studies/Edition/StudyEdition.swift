import Base
import Questionnaires

/// A study as it may be asked on a day at a place: modules whose instrument may not be asked are replaced or left out.
///
/// - Threads: any.
public struct StudyEdition: Sendable {
  public let bundle: StudyBundle
  /// Day and place.
  let use: BundleUse
  /// Modules that are not asked, with the instrument and the reason.
  public let leftOut: [String: Reason]
  /// Minutes of all that is due besides modules, on the fullest of the days that are filled; 0 where none are. Kept, because modules are
  /// placed anew after every answer.
  let dailyMinutes: Double
  /// ``QuestionnaireFile/id`` of those that a task asks no longer: their instrument's licence has ended.
  let ended: Set<String>

  public struct Reason: Sendable, Hashable {
    public let instrument: String
    public let obstacle: InstrumentObstacle
    /// Module that is asked in its place; nil: none.
    public let substitute: String?
  }

  public init(_ bundle: StudyBundle, _ use: BundleUse) {
    let obstacles = bundle.study.instruments.compactMap { entry in
      bundle.obstacle(to: entry, use).map { (entry, $0) }
    }
    func reason(_ module: StudyModule) -> (StudyInstrument, InstrumentObstacle)? {
      obstacles.first { $0.0.questionnaire == module.questionnaire }
    }
    /// The first of a chain of substitutes that may be asked.
    func substitute(of module: StudyModule) -> String? {
      bundle.study.substitutes(of: module).first { reason($0) == nil }?.id
    }
    var leftOut: [String: Reason] = [:]
    for module in bundle.study.modules {
      guard let (entry, obstacle) = reason(module) else { continue }
      leftOut[module.id] = Reason(
        instrument: entry.id, obstacle: obstacle, substitute: substitute(of: module))
    }
    (self.bundle, self.use, self.leftOut) = (bundle, use, leftOut)
    ended = Set(
      obstacles.compactMap { entry, obstacle in
        if case .expired = obstacle { entry.questionnaire } else { nil }
      })
    let study = bundle.study
    dailyMinutes = study.filling.map { study.dailyMinutes(in: $0.days) } ?? 0
  }

  /// The module that is asked for an id: itself, what takes its place, or none.
  public func module(_ id: String) -> StudyModule? {
    guard let reason = leftOut[id] else { return bundle.study.module(id) }
    return reason.substitute.flatMap(bundle.study.module)
  }

  /// Modules that are asked for these, each once, in their order.
  ///
  /// - Parameter isBegun: True for the id of one that somebody has begun, which stays itself.
  public func modules(
    _ ids: [String], begun isBegun: (String) -> Bool = { _ in false }
  ) -> [StudyModule] {
    var seen: Set<String> = []
    return ids.compactMap { isBegun($0) ? bundle.study.module($0) : module($0) }
      .filter { seen.insert($0.id).inserted }
  }

  /// Modules that are asked for those that a day names, in their order.
  ///
  /// - Parameter isBegun: True for one that somebody has begun on the day: it stays, and so does the substitute by
  ///   which it was asked. One that the day names beside it was begun for itself.
  func fixedModules(_ ids: [String], begun isBegun: (StudyModule) -> Bool) -> [StudyModule] {
    ids.compactMap { id in
      guard let module = bundle.study.module(id) else { return nil }
      let substitutes = bundle.study.substitutes(of: module).filter { !ids.contains($0.id) }
      return ([module] + substitutes).first(where: isBegun) ?? self.module(id)
    }
  }
}

extension Study {
  /// Modules that may take the place of one, the first first; a chain that comes back ends.
  func substitutes(of module: StudyModule) -> [StudyModule] {
    var (chain, current, seen) = ([StudyModule](), module, Set([module.id]))
    while let next = current.substitute.flatMap({ self.module($0) }), seen.insert(next.id).inserted {
      chain.append(next)
      current = next
    }
    return chain
  }
}
