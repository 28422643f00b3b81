import Almanac
import Dispatch
import Foundation
import PostgresRecords
import Questionnaires
import Records
import Synchronization

/// A person who answers, beside others who do so at the same time.
final class Client: Sendable {
  private let responses: Responses
  private let session: Session
  private let response: Mutex<Response>

  init(_ database: PostgresDatabase, _ session: Session) throws {
    responses = Responses(database)
    self.session = session
    response = Mutex(try Answers.begun(on: database, session, id: session.subject ?? ""))
  }

  /// Mean seconds of an answer, of everybody's, who answer all rounds at once.
  static func seconds(_ people: [Client], _ rounds: Range<Int>) throws -> Double {
    let outcomes = Mutex<[Result<Double, any Error>]>([])
    let all = DispatchGroup()
    for person in people {
      all.enter()
      // A thread each: Dispatch would start as many as there are processors.
      Thread.detachNewThread {
        let outcome = Result { try person.seconds(rounds) }
        outcomes.withLock { $0.append(outcome) }
        all.leave()
      }
    }
    all.wait()
    return try outcomes.withLock { try $0.map { try $0.get() }.reduce(0, +) } / Double(people.count)
  }

  private func seconds(_ rounds: Range<Int>) throws -> Double {
    try response.withLock { response in
      try Row.seconds {
        for round in rounds {
          try responses.answer(
            .number(Double(round % 24)), for: AnswerKey("i\(round)"), took: 1, in: &response, session)
        }
      } / Double(rounds.count)
    }
  }
}
