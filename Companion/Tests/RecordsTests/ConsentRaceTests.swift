import Almanac
import Dispatch
import Foundation
import PostgresRecords
import Records
import RecordsTesting
import Studies
import Synchronization
import Testing

/// Two programs of one person on a server, each of which waits for the other.
@Suite("Consent in two sessions", .enabled(if: TestDatabase.engines.contains(.postgres)))
struct ConsentRaceTests {
  /// Runs steps at once that begin in their order: each waits for the part's row before the next begins.
  private static func inOrder(
    of store: TestDatabase, _ steps: [@Sendable (any Records.Database) throws -> Void]
  ) throws -> [(any Error)?] {
    let name = "t" + UUID().uuidString
    let database = try PostgresDatabase("\(store.place) application_name=\(name)", silence: nil)
    let administrator = try store.administrator()
    let waiting = Statement(
      "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = :name"
    )
    let failures = Mutex<[Int: any Error]>([:])
    let all = DispatchGroup()
    try administrator.transaction(.at(700)) { transaction throws(any Error) in
      _ = try transaction.rows(Statement("SELECT 1 FROM enrolment FOR UPDATE"), [:])
      for (place, step) in steps.enumerated() {
        all.enter()
        Thread.detachNewThread {
          do { try step(database) } catch { failures.withLock { $0[place] = error } }
          all.leave()
        }
        var count = 0
        for _ in 0..<20_000 where count <= place {
          usleep(500)
          count =
            try administrator.once(.at(700), waiting, ["name": .text(name)]).first?["n"]?.integer ?? 0
        }
        #expect(count == place + 1)
      }
    } failing: {
      $0
    }
    all.wait()
    return failures.withLock { failures in steps.indices.map { failures[$0] } }
  }

  @Test(
    "a kind that is taken back beside a renewal is kept where it came first, and refused and told where it came second"
  )
  func withdrawal() throws {
    for isFirst in [true, false] {
      try TestDatabase.with(.postgres) { store in
        let study = try Consenting(store)
        let part = try study.begin(["answers", "sound"])
        let (next, form) = (study.versions[1], study.form)
        try study.editions.offer(next, to: part, .at(700))
        let consent = try #require(try study.consents.all(of: part.id, .at(700)).last)
        let takesBack: @Sendable (any Records.Database) throws -> Void = {
          try Consents($0).tick("sound", isGiven: false, in: consent, at: "UTC", .at(710))
        }
        let renews: @Sendable (any Records.Database) throws -> Void = {
          try Editions($0).take(
            next.sha256, of: part, under: form.agreement(giving: ["answers", "sound"]), in: "UTC", .at(720))
        }
        let failures = try Self.inOrder(
          of: store, isFirst ? [takesBack, renews] : [renews, takesBack])
        let consents = try study.consents.all(of: part.id, .at(800))
        #expect(consents.map(\.number) == [1, 2])
        if isFirst {
          #expect(failures.allSatisfy { $0 == nil } && consents[0].givenKinds == ["answers"])
        } else {
          #expect(failures[0] == nil && consents[0].givenKinds == ["answers", "sound"])
          #expect(
            failures[1] as? ParticipationError
              == .otherEdition(found: next.sha256, expected: consent.studyVersion))
        }
      }
    }
  }
}
