import CommonTesting
import Prescriptions
import Testing

@testable import Book

/// Random lives of a device against a model that knows nothing of events.
@Suite("Random sequences of verbs, pauses and restarts") struct RandomBookTests {
  /// One environment as a person understands it: what was final, newest last, and what is on trial.
  struct Line: Equatable {
    var final: [Int] = []
    var trial: (entry: Int, ends: Int)?
    var worn: Int? { trial?.entry ?? final.last }

    static func == (a: Line, b: Line) -> Bool {
      a.final == b.final && a.trial?.entry == b.trial?.entry && a.trial?.ends == b.trial?.ends
    }
  }

  /// The environment worn as a person remembers it: the one before, and the one before each running trial.
  struct Choice {
    var selected: ListeningEnvironment?
    var former: ListeningEnvironment?
    var before: [ListeningEnvironment: ListeningEnvironment] = [:]

    mutating func make(_ place: ListeningEnvironment) {
      if place != selected { former = selected }
      selected = place
      before = [:]
    }

    mutating func begin(_ place: ListeningEnvironment) {
      if place != selected { before[place] = selected }
      selected = place
    }

    mutating func keep(_ place: ListeningEnvironment) {
      if place == selected { former = before[place] ?? former }
    }

    /// Where going back leads from a place that has nothing before.
    func former(of place: ListeningEnvironment) -> ListeningEnvironment? {
      place == selected && former != place ? former : nil
    }

    mutating func goBack() {
      (selected, former, before) = (former, nil, [:])
    }
  }

  @Test("the book says what the model says, after each step and each restart", arguments: 0..<12)
  func life(seed: UInt64) throws {
    var random = SeededGenerator(seed)
    let rig = Rig(in: Rig.memory)
    var book: PrescriptionBook? = try rig.book()
    let places: [ListeningEnvironment] = [.quiet, .music, .other("church")]
    var lines: [ListeningEnvironment: Line] = [:]
    var entries: [(place: ListeningEnvironment, trialEnds: Int?, expires: Int?)] = []
    var choice = Choice()
    var accepted: Set<Int> = []
    var now = Rig.noon.seconds
    var serial = 0
    for _ in 0..<120 {
      var open: PrescriptionBook { book! }
      let place = places.randomElement(using: &random)!
      func isInDate(_ number: Int) -> Bool { entries[number - 1].expires.map { $0 > now } ?? true }
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1:
        serial += 1
        let expires = Bool.random(using: &random) ? now + 2000 : nil
        try open.load(
          try Rig.card(serial, place, expires: expires.map { Instant(seconds: $0) }), by: Rig.person)
        entries.append((place, nil, expires))
        choice.make(place)
        lines[place, default: Line()].trial = nil
        lines[place, default: Line()].final.append(entries.count)
      case 2:
        serial += 1
        let ends = now + 1000
        try open.load(
          try Rig.card(serial, place, issued: Instant(seconds: now), trialEnds: Instant(seconds: ends)),
          by: Rig.person)
        entries.append((place, ends, nil))
        choice.begin(place)
        lines[place, default: Line()].trial = (entries.count, ends)
      case 3:
        let worn = lines[place]?.worn
        let isAllowed = worn.map { isInDate($0) || choice.selected == place } ?? false
        #expect((try? open.use(place, by: Rig.person))?.number == (isAllowed ? worn : nil))
        guard isAllowed else { break }
        // In the selected environment a clinic's trial is used until its card's end, also where a shorter one was begun.
        if choice.selected == place, let trial = lines[place]?.trial, !accepted.contains(trial.entry),
          let ends = entries[trial.entry - 1].trialEnds, ends > trial.ends
        {
          choice.begin(place)
          lines[place]?.trial = (trial.entry, ends)
        } else {
          choice.make(place)
        }
      case 4:
        guard let number = (1...max(1, entries.count)).randomElement(using: &random), !entries.isEmpty
        else { break }
        let entry = entries[number - 1]
        let isOver =
          !isInDate(number) || entry.trialEnds.map { $0 <= now && !accepted.contains(number) } ?? false
        #expect(((try? open.use(entry: number, by: Rig.person)) == nil) == isOver)
        if isOver { break }
        if let ends = entry.trialEnds, !accepted.contains(number) {
          lines[entry.place, default: Line()].trial = (number, ends)
          choice.begin(entry.place)
        } else {
          choice.make(entry.place)
          lines[entry.place, default: Line()].trial = nil
          if lines[entry.place]?.final.last != number {
            lines[entry.place, default: Line()].final.append(number)
          }
        }
      case 5:
        guard let number = (1...max(1, entries.count)).randomElement(using: &random), !entries.isEmpty
        else { break }
        let entry = entries[number - 1]
        let stated = accepted.contains(number) ? nil : entry.trialEnds
        let line = lines[entry.place] ?? Line()
        let running = line.trial?.entry == number ? line.trial : nil
        // A clinic's own trial is not cut short, whichever environment is selected.
        let isClinics = stated.map { $0 <= now || (running?.ends ?? 0) >= $0 } ?? false
        let isInForce = choice.selected == entry.place && line.worn == number && running == nil
        let trial = try? open.beginTrial(of: number, for: 600, by: Rig.person)
        #expect((trial == nil) == (isClinics || isInForce || !isInDate(number)))
        guard let trial else { break }
        #expect(trial.ends.seconds == min(now + 600, stated ?? .max))
        choice.begin(entry.place)
        lines[entry.place, default: Line()].trial = (number, trial.ends.seconds)
      case 6:
        let trial = lines[place]?.trial?.entry
        // A prescription that has expired meanwhile is not made final.
        let isAllowed = trial.map(isInDate) ?? false
        #expect((try? open.accept(place, by: Rig.person))?.number == (isAllowed ? trial : nil))
        if let trial, isAllowed {
          accepted.insert(trial)
          choice.keep(place)
          lines[place]?.trial = nil
          if lines[place]?.final.last != trial { lines[place]?.final.append(trial) }
        }
      case 7:
        let line = lines[place] ?? Line()
        let elsewhere = choice.former(of: place).flatMap { lines[$0]?.worn }
        let target =
          line.final.count > 1 ? line.final[line.final.count - 2] : line.final.isEmpty ? nil : elsewhere
        let isPossible = line.trial != nil || target.map(isInDate) ?? false
        do {
          try open.revert(place, by: Rig.person)
          #expect(isPossible)
          if line.trial != nil {
            lines[place]?.trial = nil
          } else if line.final.count > 1 {
            lines[place]?.final.removeLast()
          } else {
            choice.goBack()
            #expect(open.state.inForce?.number == target)
          }
        } catch { #expect(!isPossible, "\(error)") }
      case 8, 9:
        let pause = Int.random(in: 1...700, using: &random)
        rig.clock.pass(pause)
        now += pause
        if Bool.random(using: &random) { try open.advance() }
      case 10: _ = try? open.load("nonsense", by: Rig.person)
      default:
        book = nil
        // Somebody plays with the clock while the device is off.
        if Bool.random(using: &random) { rig.clock.set(Instant(seconds: now - 5000)) }
        book = try rig.reopened()
        rig.clock.set(Instant(seconds: now))
      }
      for place in lines.keys where (lines[place]?.trial?.ends ?? .max) <= now { lines[place]?.trial = nil }
      let state = try #require(book).state
      // Where the end of a trial leads is another test's; from there it goes on.
      choice.selected = state.selected
      for place in places where lines[place]?.trial == nil { choice.before[place] = nil }
      for place in places {
        let line = Line(
          final: state.lines[place] ?? [], trial: state.trials[place].map { ($0.entry, $0.ends.seconds) })
        #expect(line == lines[place] ?? Line())
      }
      // As long as anything is final anywhere, nobody hears nothing.
      if lines.values.contains(where: { $0.worn != nil }) { #expect(state.inForce != nil) }
      #expect(state == BookState(folding: try #require(book).events(), at: state.moment))
    }
    try #require(book).verifyAudit()
  }
}
