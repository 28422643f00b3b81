import AudioIO
import Testing

@testable import Engine
@testable import Service

@Suite struct MishapSummaryTests {
  @Test("many drop-outs in ten seconds are one line with their sum and the last cause")
  func sums() throws {
    var summary = MishapSummary()
    var counters = StreamCounters()
    let nothing = summary.line(counters, last: nil, now: 0)
    #expect(nothing == nil)
    counters.underruns = 1
    counters.restarts = 1
    counters.lostTime = 0.003
    let fault = StreamFault.device(.xrun, during: .write, .playback)
    let line = summary.line(counters, last: fault, now: 1)
    let first = try #require(line)
    #expect(
      first.message
        == "sound dropped out: 0 overruns, 1 underruns, 1 restarts, 3.0 ms lost, last: underrun")
    #expect(first.level == .warning)
    counters.underruns = 5
    counters.restarts = 5
    let tooSoon = summary.line(counters, last: fault, now: 2)
    #expect(tooSoon == nil)
    counters.underruns = 8
    counters.restarts = 8
    let second = summary.line(counters, last: fault, now: 11)
    #expect(second?.message.contains("0 overruns, 7 underruns, 7 restarts, 0.0 ms lost") == true)
    let calm = summary.line(counters, last: fault, now: 30)
    #expect(calm == nil)
  }

  @Test("at the end the drop-outs since the last line are told, however short ago it was, and once")
  func rest() {
    var summary = MishapSummary()
    var counters = StreamCounters()
    counters.underruns = 1
    _ = summary.line(counters, last: nil, now: 0)
    counters.underruns = 4
    counters.lostTime = 0.002
    let tooSoon = summary.line(counters, last: nil, now: 5)
    #expect(tooSoon == nil)
    let rest = summary.rest(counters, last: nil)
    #expect(rest?.message == "sound dropped out: 0 overruns, 3 underruns, 0 restarts, 2.0 ms lost")
    let again = summary.rest(counters, last: nil)
    #expect(again == nil)
  }

  @Test("a new stream counts from nothing")
  func begins() {
    var summary = MishapSummary()
    var counters = StreamCounters()
    counters.blocks = 1000
    counters.overruns = 5
    _ = summary.line(counters, last: nil, now: 0)
    var fresh = StreamCounters()
    fresh.blocks = 10
    fresh.overruns = 1
    let line = summary.line(fresh, last: nil, now: 20)
    #expect(line?.message.contains("1 overruns") == true)
  }
}

@Suite("Drop-outs that keep the sound down") struct KeptDownTimelineTests {
  @Test("are the reason beside a running state, in status, answer and log, as long as they do")
  func reason() {
    let timeline = Timeline.running()
    #expect(timeline.state.report.state.reason == nil)
    timeline.engine(.running) { $0.reading.isKeptDown = true }
    let state = timeline.state.report.state
    #expect(state.name == .running)
    let sentence = StateText.sentence(state)
    #expect(
      sentence.hasPrefix("Sound is on: the sound device drops out again and again: ask for a longer period")
    )
    #expect(timeline.log.contains { $0.contains("running: the sound device drops out again and again") })
    #expect(StateText.exitStatus(state) == .done)
    timeline.engine(.muted) { $0.reading.isKeptDown = true }
    #expect(timeline.state.report.state.reason == nil)
    timeline.engine(.running) { $0.reading.isKeptDown = false }
    #expect(timeline.state.report.state.reason == nil)
  }
}
