import Base
import Control
import Testing

@testable import Service

@Suite("Methods of feedback") struct FeedbackMethodTests {
  static func ear(_ change: (inout FeedbackRecord.Ear) -> Void = { _ in }) -> FeedbackRecord.Ear {
    var ear = FeedbackRecord.Ear(
      measuredUnixSeconds: 1_700_000_000, capture: "hw:1", playback: "hw:2", rateHz: 48_000, levelDBSPL: 65,
      delaySeconds: 0.006, deviceDelaySeconds: nil, response: [0.5, -0.25], frequenciesHz: [100, 1000],
      levelsDB: [-60, -20.5], noiseDB: [-70, -80], ownDB: [-60, -21], crossingDB: [-144, -45])
    change(&ear)
    return ear
  }

  @Test("the longest measurement fits into a line of the socket")
  func size() throws {
    // 10 ms at 96 kHz, and cells to 40 kHz, each with as many digits as there are.
    let ear = Self.ear {
      $0.response = (0..<960).map { -0.1234567 - Double($0) * 1e-7 }
      $0.frequenciesHz = (0..<104).map { 10_000.25 + Double($0) }
      $0.levelsDB = Array(repeating: -123.45, count: 104)
      $0.noiseDB = $0.levelsDB
      ($0.ownDB, $0.crossingDB) = ($0.levelsDB, $0.levelsDB)
    }
    #expect(ear.isSound)
    let method = FeedbackMethods.Keep(FeedbackRecord(left: ear, right: ear))
    #expect(try ControlLine.request(method, identifier: 1).count < ControlServer.Limits().lineBytes)
  }

  private static let mistakes: [FeedbackRecord] = [
    FeedbackRecord(), FeedbackRecord(left: ear { $0.levelsDB = [-60] }),
    FeedbackRecord(left: ear { $0.frequenciesHz = [1000, 100] }),
    FeedbackRecord(left: ear { $0.levelsDB = [-60, 1e9] }),
    FeedbackRecord(left: ear { $0.frequenciesHz = [] }),
    FeedbackRecord(right: ear { $0.response = Array(repeating: 0, count: 5000) }),
    FeedbackRecord(right: ear { $0.delaySeconds = -1 }), FeedbackRecord(right: ear { $0.rateHz = 1 }),
    FeedbackRecord(left: ear { $0.measuredUnixSeconds = 1e300 }),
    FeedbackRecord(left: ear { $0.measuredUnixSeconds = -1 }),
    FeedbackRecord(left: ear { $0.levelDBSPL = 1e300 }), FeedbackRecord(left: ear { $0.capture = "" }),
    FeedbackRecord(left: ear { $0.playback = "\u{1B}[2J" }),
    FeedbackRecord(left: ear { $0.playback = String(repeating: "a", count: 257) }),
  ]

  /// The daemon writes the report in words when it gets SIGUSR1. In a process of its own: no 64 bits hold that moment.
  @Test("a path measured at no moment at all is told of with a day, and ends no process")
  func noMoment() async {
    await #expect(processExitsWith: .success) {
      for (moment, year) in [(1e300, "9999"), (-1e300, "19"), (.nan, "19"), (.infinity, "9999")] {
        // The first of January 1970 is the last of December 1969 west of Greenwich.
        #expect(Timestamp(moment).day.hasPrefix(year) || Timestamp(moment).day.hasPrefix("10000"))
      }
    }
  }

  @Test("what cannot have been measured is refused", arguments: mistakes)
  func refuses(record: FeedbackRecord) throws {
    let line = try ControlLine.request(FeedbackMethods.Keep(record), identifier: 1)
    let parameters = try Request(line: line).call.get().parameters
    #expect(throws: ControlFailure.self) { try FeedbackMethods.Keep(parameters: parameters) }
  }

  @Test("a part of another kind is named with its place")
  func place() throws {
    let record = FeedbackRecord(left: Self.ear())
    let line = try ControlLine.request(FeedbackMethods.Keep(record), identifier: 1)
    let text = String(decoding: line, as: UTF8.self)
    let broken = text.replacing("-20.5", with: "\"loud\"")
    let failure = try #require(throws: ControlFailure.self) {
      try FeedbackMethods.Keep(parameters: Request(line: [UInt8](broken.utf8)).call.get().parameters)
    }
    #expect(failure.message == "paths.left.levels_db.1: found a text, expected a number.")
  }

  private static func report(held: Bool, isTheseDevices: Bool? = true) -> StatusReport.Feedback {
    let bands = [
      StatusReport.Feedback.Band(
        centreHz: 1000, greatestGainDB: 40, heldBackDB: 0, isHeld: false, isFeedbackFound: true),
      StatusReport.Feedback.Band(
        centreHz: 3000, greatestGainDB: 14.5, heldBackDB: held ? 8.25 : 0, isHeld: held,
        isFeedbackFound: true),
      StatusReport.Feedback.Band(
        centreHz: 4000, greatestGainDB: 20, heldBackDB: held ? 2 : 0, isHeld: held,
        isFeedbackFound: false),
    ]
    let path = StatusReport.Feedback.Path(
      measuredUnixSeconds: 1_700_000_000, isTheseDevices: isTheseDevices, capture: "hw:1", playback: "hw:2",
      rateHz: 48_000, delaySeconds: 0.00612, bands: bands)
    return StatusReport.Feedback(
      left: .init(path: path, howls: 2, lastHowlHz: 2950, howlReliefDB: 11.8, cancellerResets: 1),
      right: .init(path: nil, howls: 0, lastHowlHz: nil, cancellerResets: 0), isCancelling: true,
      loopDelaySeconds: 0.006, notes: ["A note."])
  }

  @Test("the status says where gain is held and by how much, howls, new beginnings and notes")
  func lines() {
    let lines = FeedbackText(Self.report(held: true)).lines
    #expect(lines.count == 2 && lines[1] == "A note.")
    #expect(lines[0].hasPrefix("left: measured 2023-11-1"))
    #expect(
      lines[0].hasSuffix(
        ", gain held at 3000 and 4000 Hz, by up to 8.3 dB, 2 howls stopped, the last at 2950 Hz, "
          + "all of it 12 dB softer for some seconds, because it went on howling, "
          + "canceller began anew 1 time"))
    #expect(FeedbackText(Self.report(held: false)).lines[0].contains("takes nothing from the gain"))
    #expect(
      FeedbackText(Self.report(held: true, isTheseDevices: false)).lines[0].contains(
        "another device or rate"))
  }

  @Test("the whole says each band's limit, what it takes, and where only noise ended what could be seen")
  func text() {
    let text = FeedbackText(Self.report(held: true)).text
    for words in [
      "hw:1 and hw:2, 48000 Hz: feedback found, back after 6.12 ms; gain held at 3000 and 4000 Hz",
      "14.5 dB", "8.3 dB less than prescribed", "2.0 dB less than prescribed, bound by noise",
      "Right: not measured.", "A note.",
    ] { #expect(text.contains(words), "\(words)") }
  }

  @Test(
    "news of a test go to its caller, who counts as busy until the last, and subscribes to nothing for it")
  func news() throws {
    var session = ControlSession(
      peer: Peer(processID: 7, userID: 0, groupID: 0), methods: .daemon, rule: .person)
    #expect(!session.isFollowing)
    session.notify(FeedbackNotice(share: 0.25))
    let unsubscription = try ControlLine.request(Unsubscription(), identifier: 1)
    _ = session.take(unsubscription, now: 0)
    #expect(session.isFollowing)
    session.notify(FeedbackNotice(error: Failure("feedback test", found: "noise", exit: .temporary)))
    #expect(!session.isFollowing)
    let lines = [session.nextNotification(), session.nextNotification()].map {
      String(decoding: $0 ?? [], as: UTF8.self)
    }
    #expect(
      lines[0]
        == #"{"jsonrpc":"2.0","method":"feedback","params":{"sequence":1,"feedback":{"share":0.25}}}"#
        + "\n")
    #expect(lines[1].contains(#""sequence":2,"feedback":{"error":{"#))
    #expect(session.nextNotification() == nil)
  }

  @Test("what was known before stays for the ear that was not measured")
  func over() {
    let (old, new) = (Self.ear(), Self.ear { $0.levelDBSPL = 55 })
    #expect(
      FeedbackRecord(right: new).over(FeedbackRecord(left: old, right: old))
        == FeedbackRecord(left: old, right: new))
  }

  @Test(
    "an ear that is measured alone keeps its former level where that is greater and nobody knows the other earphone's part"
  )
  func levelOver() {
    let former = Self.ear { ($0.ownDB, $0.crossingDB) = (nil, nil) }
    let new = Self.ear { ($0.levelsDB, $0.ownDB) = ([-50, -30], [-50, -30]) }
    // −60 and −20.5 dB then.
    var expected = new
    expected.levelsDB = [-50, -20.5]
    let both = FeedbackRecord(left: former, right: former)
    #expect(FeedbackRecord(left: new).over(both) == FeedbackRecord(left: expected, right: former))
    #expect(FeedbackRecord(right: new).over(both) == FeedbackRecord(left: former, right: expected))
    // Also where the former test was made at another rate.
    let other = Self.ear { ($0.frequenciesHz, $0.ownDB, $0.crossingDB) = ([110, 1010], nil, nil) }
    let mixed = FeedbackRecord(left: other, right: other)
    #expect(FeedbackRecord(left: new).over(mixed).left == expected)
    // A test of both has heard both; and beside an ear that nobody has measured there is nothing to keep.
    let whole = FeedbackRecord(left: new, right: new)
    #expect(whole.over(both) == whole)
    #expect(FeedbackRecord(left: new).over(FeedbackRecord(left: former)) == FeedbackRecord(left: new))
  }
}
