import HearingDSP
import Testing

@testable import Engine

@Suite("AutomaticProgram") struct AutomaticProgramTests {
  /// One scene for some time, 20 readings a second.
  struct Passage {
    var scene: Scene?
    var seconds: Double
    var confidence: Float = 0.9
    var isWindy = false

    init(_ scene: Scene?, _ seconds: Double, confidence: Float = 0.9, isWindy: Bool = false) {
      self.scene = scene
      self.seconds = seconds
      self.confidence = confidence
      self.isWindy = isWindy
    }
  }

  /// Programs chosen, and when.
  static func moves(
    _ passages: [Passage], from program: ListeningProgram = .quiet
  ) -> [(program: ListeningProgram, time: Double)] {
    var automatic = AutomaticProgram(from: program)
    var moves: [(ListeningProgram, Double)] = []
    var tick = 0
    for passage in passages {
      for _ in 0..<Int((passage.seconds * 20).rounded()) {
        var reading = SceneReading()
        reading.scene = passage.scene
        reading.confidence = passage.confidence
        reading.isWindy = passage.isWindy
        let time = Double(tick) * 0.05
        if let program = automatic.hear(reading, at: time) { moves.append((program, time)) }
        tick += 1
      }
    }
    return moves
  }

  @Test(
    "a scene that stays is followed after its patience, at least 5 s",
    arguments: [
      (Scene.speechInNoise, ListeningProgram.conversationInNoise, 5.0), (.music, .music, 10),
      (.noise, .outdoors, 5),
    ])
  func follows(scene: Scene, program: ListeningProgram, patience: Double) throws {
    let moves = Self.moves([Passage(.quiet, 3), Passage(scene, 30)])
    #expect(moves.map(\.program) == [program])
    // The first reading of the scene stands for the time before it, so it comes one reading early at most.
    #expect(abs(try #require(moves.first).time - 3 - patience) < 0.11)
    #expect(AutomaticProgram.patience(for: program) == patience)
  }

  @Test("quiet and speech alone are both for the quiet program")
  func quiet() {
    #expect(Self.moves([Passage(.quiet, 20), Passage(.speech, 20), Passage(.quiet, 20)]).isEmpty)
    let back = Self.moves([Passage(.speech, 30)], from: .music)
    #expect(back.map(\.program) == [.quiet])
  }

  @Test("what passes sooner than its patience changes nothing")
  func passing() {
    let doors = Array(repeating: [Passage(.quiet, 6), Passage(.noise, 4)], count: 10).flatMap { $0 }
    #expect(Self.moves(doors).isEmpty)
  }

  @Test("a scene with short gaps is followed all the same, later")
  func gaps() throws {
    let talk = Array(repeating: [Passage(.speechInNoise, 2), Passage(.speech, 0.5)], count: 10)
    let moves = Self.moves(talk.flatMap { $0 })
    #expect(moves.map(\.program) == [.conversationInNoise])
    #expect(try #require(moves.first).time > 5)
  }

  @Test("between two scenes that take turns nothing flutters")
  func turns() {
    let turns = Array(repeating: [Passage(.speechInNoise, 1), Passage(.music, 1)], count: 100)
    #expect(Self.moves(turns.flatMap { $0 }).count <= 1)
  }

  @Test("readings that are unsure, or none at all, change nothing and are no agreement")
  func unsure() {
    #expect(Self.moves([Passage(.music, 60, confidence: 0.49)]).isEmpty)
    #expect(Self.moves([Passage(nil, 60)]).isEmpty)
    #expect(Self.moves([Passage(.noise, 4), Passage(nil, 60), Passage(.noise, 0.5)]).isEmpty)
    #expect(Self.moves([Passage(.noise, 60, confidence: .nan)]).isEmpty)
  }

  @Test(
    "after a gap in the sound that is longer than a drop-out makes it, a scene has its whole patience again",
    arguments: [(Scene.noise, ListeningProgram.outdoors, 5.0), (.music, .music, 10)])
  func afterGap(scene: Scene, program: ListeningProgram, patience: Double) throws {
    for gap in [4.2, 3600] {
      let moves = Self.moves([Passage(scene, patience - 0.1), Passage(nil, gap), Passage(scene, 30)])
      #expect(moves.map(\.program) == [program])
      let begin = (patience - 0.1) + gap
      #expect(abs(try #require(moves.first).time - begin - patience) < 0.11)
    }
  }

  @Test("drop-outs after each of which no scene is told for 3 s cost the time that they take, and no more")
  func dropouts() throws {
    let noise = Array(repeating: [Passage(.noise, 3), Passage(nil, 3)], count: 10).flatMap { $0 }
    let moves = Self.moves(noise)
    #expect(moves.map(\.program) == [.outdoors])
    // 3 s, a drop-out of 3 s, and the last 2 s of 5.
    #expect(abs(try #require(moves.first).time - 8) < 0.11)
  }

  @Test("after sound was stopped, for however short a time, a scene has its whole patience again")
  func restarted() throws {
    var automatic = AutomaticProgram()
    var reading = SceneReading()
    reading.scene = .noise
    reading.confidence = 1
    var moves: [Double] = []
    for tick in 0..<298 {
      // After 4.9 of 5 s.
      if tick == 98 { automatic.restart() }
      let program = automatic.hear(reading, at: Double(tick) * 0.05)
      if program != nil { moves.append(Double(tick - 98) * 0.05) }
    }
    #expect(moves.count == 1 && abs((moves.first ?? .nan) - 5) < 0.11)
  }

  @Test("a gap between readings counts for a quarter of a second at most")
  func gap() {
    var automatic = AutomaticProgram()
    var reading = SceneReading()
    reading.scene = .noise
    reading.confidence = 1
    #expect(automatic.hear(reading, at: 0) == nil)
    #expect(automatic.hear(reading, at: 3600) == nil)
    // A clock that goes back counts for nothing.
    #expect(automatic.hear(reading, at: 100) == nil)
    #expect(automatic.candidate == .outdoors)
  }

  @Test("wind asks for the outdoor program, but not against a voice in noise or music")
  func wind() {
    #expect(Self.moves([Passage(.quiet, 20, isWindy: true)]).map(\.program) == [.outdoors])
    #expect(AutomaticProgram.program(for: .speechInNoise, isWindy: true) == .conversationInNoise)
    #expect(AutomaticProgram.program(for: .music, isWindy: true) == .music)
  }

  @Test("a program that a person chose is where it goes on from")
  func settled() {
    var automatic = AutomaticProgram()
    automatic.settle(on: .television)
    #expect(automatic.program == .television && automatic.candidate == nil)
    #expect(Self.moves([Passage(.quiet, 20)], from: .television).map(\.program) == [.quiet])
  }

  @Test("what is heard is dated by its first reading")
  func dated() throws {
    var automatic = AutomaticProgram()
    var reading = SceneReading()
    reading.scene = .speech
    reading.confidence = 1
    for tick in 10..<50 { _ = automatic.hear(reading, at: Double(tick)) }
    let heard = try #require(automatic.heard)
    #expect(heard.scene == .speech && heard.since == 10)
  }
}
