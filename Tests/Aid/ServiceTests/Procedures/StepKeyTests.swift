import Acoustics
import CommonTesting
import Control
import Procedures
import Testing

@testable import Service

@Suite("Keys and what they answer") struct StepKeyTests {
  private func key(_ name: ProcedureKey.Name, _ value: Double? = nil) -> ProcedureKey {
    ProcedureKey(name, value: value)!
  }

  @Test("a turn and a rating say nothing without a number, other keys need none")
  func numbers() {
    for name in ProcedureKey.Name.allCases {
      let isWithNumber = name == .turn || name == .rate
      #expect((ProcedureKey(name) == nil) == isWithNumber)
      #expect((ProcedureKey(name, value: .nan) == nil) == isWithNumber)
      #expect(ProcedureKey(name, value: 3)?.value == (isWithNumber ? 3 : nil))
    }
  }

  @Test("a key is written as it is named, with its number, and read again")
  func json() throws {
    #expect(
      String(decoding: try JSON.bytes(key(.turn, -5)), as: UTF8.self) == #"{"key":"turn","value":-5}"#)
    #expect(String(decoding: try JSON.bytes(key(.heard)), as: UTF8.self) == #"{"key":"heard"}"#)
    for name in ProcedureKey.Name.allCases {
      let key = key(name, 1)
      #expect(try JSON.value(ProcedureKey.self, from: try JSON.bytes(key)) == key)
    }
  }

  @Test("a key answers the questions that it belongs to, and no other")
  func questions() {
    let answering: [(ProcedureStep.Question, [ProcedureKey.Name])] = [
      (.detection, [.heard]), (.adjustment, [.turn, .accept]), (.comparison, [.first, .second]),
      (.presence, [.present, .absent]), (.balance, [.softer, .louder, .equal]), (.rating, [.rate]),
      (.likeness, [.rate]), (.listening, []),
    ]
    for (question, names) in answering {
      let step = ProcedureStep(1, [], question)
      for name in ProcedureKey.Name.allCases {
        #expect((step.answer(of: key(name, 5), after: 1) != nil) == names.contains(name))
      }
    }
  }

  @Test("turns of other steps than ±1 and ±5 dB, and ratings out of range, answer nothing")
  func ranges() {
    let adjustment = ProcedureStep(1, [], .adjustment)
    for change in [-5.0, -1, 1, 5] {
      #expect(adjustment.answer(of: key(.turn, change), after: 0) == .turn(change))
    }
    for change in [0.0, 2, -10, 60, 1e300] {
      #expect(adjustment.answer(of: key(.turn, change), after: 0) == nil)
    }
    for (question, highest) in [(ProcedureStep.Question.likeness, 100.0), (.rating, 200)] {
      let step = ProcedureStep(1, [], question)
      #expect(step.answer(of: key(.rate, highest), after: 2) == .rate(highest, after: 2))
      #expect(step.answer(of: key(.rate, highest + 1), after: 2) == nil)
      #expect(step.answer(of: key(.rate, -1), after: 2) == nil)
    }
  }

  @Test("a key before its tone counts as at its beginning")
  func early() {
    #expect(ProcedureStep(1, [], .detection).answer(of: key(.heard), after: -0.5) == .heard(after: 0))
  }

  @Test(
    "an answer to what is heard counts once the last sound of its step has begun, also while it is repeated; a turn counts at once"
  )
  func sounded() {
    let tone = Stimulus(.tone, .left, frequency: 1000, level: HearingLevel(30), duration: 1)
    let cue = ProcedureStep.Cue(gap: 0.4, tone)
    for (question, names) in [
      (.adjustment, [.accept]), (.comparison, [.first, .second]), (.presence, [.present, .absent]),
      (.balance, [.softer, .louder, .equal]), (.likeness, [.rate]),
    ] as [(ProcedureStep.Question, [ProcedureKey.Name])] {
      let cues = question == .comparison ? [cue, cue] : [cue]
      let step = ProcedureStep(7, cues, question)
      for answer in names.map({ key($0, 5) }) {
        var sounded = SoundedStep()
        #expect(!sounded.allows(answer, in: step))
        sounded.note(19_199, of: cues.count - 1, in: step, onset: 19_200)
        #expect(!sounded.allows(answer, in: step))
        // The first of two sounds says nothing of the second.
        if cues.count > 1 { sounded.note(67_200, of: 0, in: step, onset: 19_200) }
        #expect(!sounded.allows(answer, in: step))
        sounded.note(19_200, of: cues.count - 1, in: step, onset: 19_200)
        #expect(sounded.allows(answer, in: step))
        // The silence before the same sound, which comes again.
        sounded.note(0, of: cues.count - 1, in: step, onset: 19_200)
        #expect(sounded.allows(answer, in: step))
        #expect(!sounded.allows(answer, in: ProcedureStep(8, cues, question)))
      }
    }
    let none = SoundedStep()
    #expect(none.allows(key(.turn, 5), in: ProcedureStep(1, [cue], .adjustment)))
    #expect(none.allows(key(.heard), in: ProcedureStep(1, [cue], .detection)))
    #expect(none.allows(key(.rate, 50), in: ProcedureStep(1, [ProcedureStep.Cue(gap: 9, nil)], .rating)))
  }

  @Test("however many keys come, a sound grows by 10 dB a second at most; softer ones always count")
  func pace() {
    for change in [1.0, 5] {
      var pace = LoudnessPace(start: 0)
      var risen = 0.0
      // A flood: a thousand keys a second, for ten seconds.
      for millisecond in 0..<10_000
      where pace.allows(key(.turn, change), at: Double(millisecond) / 1000) { risen += change }
      // The first one counts at once; the grid of milliseconds may lose one more.
      #expect((100 - change...100 + change).contains(risen))
    }
    var pace = LoudnessPace(start: 0)
    var keys: [(key: ProcedureKey, at: Double)] = [(key(.turn, 5), 0)]
    for moment in 1...20 { keys.append((key(.turn, -5), Double(moment) / 1000)) }
    keys += [(key(.accept), 0.1), (key(.turn, 1), 0.4), (key(.turn, 1), 0.5)]
    let counted = keys.filter { pace.allows($0.key, at: $0.at) }.map(\.at)
    // All but the louder one at 0.4 s.
    #expect(counted == keys.map(\.at).filter { $0 != 0.4 })
    // No step has 60 dB: it answers nothing, and what comes after it does not wait for it.
    var other = LoudnessPace(start: 0)
    #expect(other.allows(key(.turn, 60), at: 0) && other.allows(key(.turn, 5), at: 0.001))
  }

  @Test(
    "whatever answers ask for, a sound waits until it has grown by no more than 10 dB a second; the first one waits a second"
  )
  func silence() {
    var pace = LoudnessPace(start: 100)
    let soft = SoundPressureLevel(30)
    #expect(abs(pace.silence(before: SoundPressureLevel(85), at: 100.3) - 0.7) < 1e-9)
    #expect(pace.silence(before: soft, at: 102) == 0)
    pace.note(soft, at: 102)
    // Rounding alone.
    #expect(abs(pace.silence(before: SoundPressureLevel(38), at: 102.3) - 0.5) < 1e-9)
    #expect(pace.silence(before: SoundPressureLevel(38), at: 103) == 0)
    #expect(pace.silence(before: SoundPressureLevel(20), at: 102) == 0)
  }

  @Test("a sound that no answer makes louder waits for that second too, and for nothing later")
  func firstSilence() {
    let pace = LoudnessPace(start: 100)
    #expect(abs(pace.silence(beforeFirstAt: 100.5) - 0.5) < 1e-9)
    for moment in [101.0, 300] { #expect(pace.silence(beforeFirstAt: moment) == 0) }
  }

  @Test("thirty keys of a second are kept, and thirty of the next")
  func keptKeys() {
    var rate = KeyRate()
    let kept = (0..<2000).count { rate.keeps(at: 7 + Double($0) / 1000) }
    #expect(kept == 60)
  }
}
