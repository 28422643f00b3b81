/// Everything measured.
struct BenchmarkReport: Codable {
  /// Block and rate that the criteria are for: the smallest block in everyday use at the commonest rate.
  static let (frames, sampleRate) = (64, 44_100.0)

  let effort: Effort
  let speech: String
  /// Processor time of one unit, s.
  let unit: Spread
  let sounds: [SoundCost]
  /// What each thing adds that may be turned on.
  let extras: [ExtraCost]
  let blocks: BlockTimes
  /// Other blocks and rates, for information.
  let others: [BlockTimes]
  let criteria: [Criterion]

  static func measured(_ effort: Effort) throws -> BenchmarkReport {
    let speech = Speech(sampleRate: sampleRate)
    let comparison = try CostComparison(speech: speech.sound, sampleRate: sampleRate, frames: frames)
    let sounds = try comparison.run(rounds: effort.rounds)
    let extras = try ExtraCost.measured(
      speech.sound, sampleRate: sampleRate, frames: frames, rounds: effort.extraRounds)
    let blocks = try BlockTimes(
      speech: speech.sound, sampleRate: sampleRate, frames: frames, rounds: effort.blockRounds,
      blocks: effort.blocks)
    let settings = try ParameterTime(rounds: effort.extraRounds)
    var others: [BlockTimes] = []
    for rate in [44_100.0, 48_000, 96_000] {
      let sound = Speech(sampleRate: rate).sound
      for frames in [16, 64, 128, 256, 1024] where rate != sampleRate || frames != Self.frames {
        others.append(
          try BlockTimes(
            speech: sound, sampleRate: rate, frames: frames, rounds: effort.blockRounds,
            blocks: min(1000, effort.blocks)))
      }
    }
    return BenchmarkReport(
      effort: effort, speech: speech.source, unit: comparison.unitTime, sounds: sounds, extras: extras,
      blocks: blocks,
      others: others,
      criteria: [
        Criterion(name: "cost on speech, units", found: sounds[0].units.median, limit: 8),
        Criterion(name: "cost with everything on, units", found: sounds[4].units.median, limit: 16),
        Criterion(name: "silence against speech", found: sounds[1].againstSpeech.median, limit: 1.0),
        Criterion(name: "denormals against speech", found: sounds[2].againstSpeech.median, limit: 1.0),
        Criterion(
          name: "99.9th percentile of a block, share of the period",
          found: blocks.percentile999 / blocks.period, limit: 0.1),
        Criterion(name: "settings worked out anew, ms", found: settings.median * 1000, limit: 50),
      ])
  }
}
