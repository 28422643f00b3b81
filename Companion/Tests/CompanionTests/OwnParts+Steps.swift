import Almanac
import Base
import Foundation
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

@testable import Companion

/// Steps as tests take them.
extension OwnParts {
  /// The person's only part.
  func onlyPart() throws -> Part { try #require(try all().first) }

  func step() throws -> NextStep { try nextStep(in: running()) }

  func report() throws -> JSONValue {
    StepReport.report(try step(), in: surroundings.language)
  }

  func answer(
    _ item: String, _ text: String, _ repetition: [Int] = []
  ) throws(StepRefusal) {
    let parts: [Part]
    do throws(Failure) { parts = try running() } catch { throw .failed(error) }
    try take(.answer(AnswerKey(item, repetition), text, took: 1200), in: parts)
  }
}

extension JSONValue {
  /// Text at the end of a path of names; nil: there is no text.
  func text(_ names: String...) -> String? {
    var value: JSONValue? = self
    for name in names { value = value?[name] }
    if case .text(let text)? = value?.content { return text }
    return nil
  }
}
