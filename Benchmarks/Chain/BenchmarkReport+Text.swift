extension BenchmarkReport {
  /// The report as people read it.
  var text: String {
    var lines = [
      "Chain of 20 bands, both ears, \(Self.frames) frames at \(Int(Self.sampleRate)) Hz.",
      "All times are processor time of the one thread that works.",
      "Speech: \(speech).",
      "Unit: 256-point FFTW forward and inverse for each of two ears, \(microseconds(unit.median)) µs.",
      "",
      row(["sound", "µs/block", "units", "least", "greatest", "/speech", "limited"]),
    ]
    lines += sounds.map {
      row([
        $0.sound, microseconds($0.time.median), fixed($0.units.median), fixed($0.units.least),
        fixed($0.units.greatest), fixed($0.againstSpeech.median), percent($0.limited),
      ])
    }
    lines.append(
      "Medians of \(effort.rounds) interleaved rounds of \(CostComparison.blocksPerRound) blocks.")
    lines += ["", row(["adds", "units"])]
    lines += extras.map { "\($0.name): \(fixed($0.units.median))" }
    lines += [
      "", row(["single blocks", "period µs", "median", "99 %", "99.9 %", "greatest", "99.9/per."]),
    ]
    lines += ([blocks] + others).map(row)
    lines.append(
      "Medians of \(effort.blockRounds) rounds' percentiles, the greatest of all; 0.2 µs are the clock's."
    )
    lines.append("")
    lines += criteria.map {
      "\($0.isMet ? "pass" : "FAIL")  \($0.name): \(fixed($0.found)), at most \(fixed($0.limit))"
    }
    return lines.joined(separator: "\n")
  }

  private func row(_ times: BlockTimes) -> String {
    row([
      "\(times.frames) at \(Int(times.sampleRate)) Hz", microseconds(times.period),
      microseconds(times.median),
      microseconds(times.percentile99), microseconds(times.percentile999), microseconds(times.greatest),
      percent(times.percentile999 / times.period),
    ])
  }

  /// A name and right-aligned columns.
  private func row(_ cells: [String]) -> String {
    let name = cells[0] + String(repeating: " ", count: max(0, 18 - cells[0].count))
    return name
      + cells.dropFirst().map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }.joined()
  }

  private func microseconds(_ seconds: Double) -> String { fixed(seconds * 1e6) }

  private func percent(_ share: Double) -> String { "\(fixed(share * 100)) %" }

  /// Two decimals.
  private func fixed(_ value: Double) -> String {
    let hundredths = Int((abs(value) * 100).rounded())
    let fraction = hundredths % 100
    return "\(value < 0 ? "-" : "")\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
