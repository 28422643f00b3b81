import Base
import Questionnaires

/// A study as it may be asked on a day at a place: modules whose instrument may not be asked are replaced or left out.
///
/// - Threads: any.
public struct StudyEdition: Sendable {
  public let bundle: StudyBundle
  /// Modules that are not asked, with the instrument and the reason.
  public let leftOut: [String: Reason]
  /// Minutes of all that is due besides modules, on the fullest of the days that are filled; 0 where none are. Kept, because modules are
  /// placed anew after every answer.
  let dailyMinutes: Double

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
    /// The first of a chain of substitutes that may be asked; a chain that comes back has none.
    func substitute(of module: StudyModule) -> String? {
      var (current, seen) = (module, Set([module.id]))
      while let next = current.substitute.flatMap(bundle.study.module), seen.insert(next.id).inserted {
        guard reason(next) != nil else { return next.id }
        current = next
      }
      return nil
    }
    var leftOut: [String: Reason] = [:]
    for module in bundle.study.modules {
      guard let (entry, obstacle) = reason(module) else { continue }
      leftOut[module.id] = Reason(
        instrument: entry.id, obstacle: obstacle, substitute: substitute(of: module))
    }
    (self.bundle, self.leftOut) = (bundle, leftOut)
    let study = bundle.study
    dailyMinutes = study.filling.map { study.dailyMinutes(in: $0.days) } ?? 0
  }

  /// The module that is asked for an id: itself, what takes its place, or none.
  public func module(_ id: String) -> StudyModule? {
    guard let reason = leftOut[id] else { return bundle.study.module(id) }
    return reason.substitute.flatMap(bundle.study.module)
  }

  /// Modules that are asked for these, each once, in their order.
  public func modules(_ ids: [String]) -> [StudyModule] {
    var seen: Set<String> = []
    return ids.compactMap(module).filter { seen.insert($0.id).inserted }
  }
}
