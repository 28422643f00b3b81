import Realtime
import Testing

@testable import HearingDSP

@Suite("Howl guard") struct HowlGuardTests {
  /// A guard with the canceller on: it reads a loud tone where it goes out, and while it asks where it comes in.
  struct Watch: ~Copyable {
    static let readingTime = 0.006
    private var howls: HowlGuard
    private var powers: Buffer
    private var readings = 0
    /// Readings, from 1 on, at which a question was begun.
    private(set) var begins: [Int] = []

    init() throws {
      let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
      howls = HowlGuard(geometry, readingTime: Self.readingTime)
      powers = AlignedBuffer(count: geometry.filterLength / 2)
    }

    /// - Parameters: Readings, and the bins in which the tone goes out and comes in.
    mutating func read(_ count: Int, out: Int, input: Int) {
      for _ in 0..<count {
        let isAsked = howls.isProbing
        powers.fill(0)
        powers[isAsked ? input : out] = 0.01
        // 30 dB below the limit: too soft for the question by level.
        _ = howls.process(
          &powers, isInput: isAsked, level: nil, output: 0.001, isPlayed: true, isNotching: true)
        readings += 1
        if howls.isProbing, !isAsked { begins.append(readings) }
      }
    }
  }

  @Test("a tone that goes out elsewhere than it comes in is asked again after 0.1, 0.2, 0.4 s and so on")
  func lowered() throws {
    var watch = try Watch()
    // 3.1 kHz, which lowering from 2 kHz up by 2:1 sends out at 2.5 kHz; ten seconds.
    watch.read(Int(10 / Watch.readingTime), out: 29, input: 36)
    let begins = watch.begins
    // The reading that shows the tone first, and five for which it lasts.
    #expect(begins.first == 6)
    let intervals = zip(begins, begins.dropFirst()).map { $1 - $0 }
    // 16 readings are 0.1 s; one more finds the tone elsewhere, and one begins the next question.
    #expect(intervals == (0..<6).map { (16 << $0) + 2 })
  }

  @Test("a tone that moves as it is asked is asked at its new place once it has lasted there")
  func moved() throws {
    var watch = try Watch()
    watch.read(6, out: 29, input: 29)
    // One reading in the question, one that shows the tone at its new place, and five for which it lasts.
    watch.read(7, out: 50, input: 50)
    let begins = watch.begins
    #expect(begins == [6, 13])
  }
}
