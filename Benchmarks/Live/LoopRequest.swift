/// Device and stream of a loop that is measured.
struct LoopRequest {
  var device: String
  var seconds: Double
  var periods = 3
  /// Frames.
  var period = 64
  /// Hz.
  var rate = 44_100

  /// - Parameter words: `DEVICE SECONDS [PERIODS [PERIOD [RATE]]]`.
  /// - Returns: Nil when they are something else.
  init?(_ words: some Collection<String>) {
    let words = Array(words)
    guard (2...5).contains(words.count), let seconds = Double(words[1]), seconds > 0, seconds < 1e6 else {
      return nil
    }
    (device, self.seconds) = (words[0], seconds)
    let numbers = words.dropFirst(2).map { Int($0) ?? 0 }
    // No card has longer ones, and none a higher rate.
    guard numbers.allSatisfy({ (1...1_000_000).contains($0) }) else { return nil }
    if numbers.count > 0 { periods = numbers[0] }
    if numbers.count > 1 { period = numbers[1] }
    if numbers.count > 2 { rate = numbers[2] }
    guard periods >= 2, periods <= 64, period <= 65_536 else { return nil }
  }
}
