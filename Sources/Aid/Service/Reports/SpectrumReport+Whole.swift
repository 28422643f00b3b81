/// Numbers that a spectrum may have: a recording, or another program on the socket, can send any.
///
/// Within these bounds every picture and every line of text has a place for them, and their powers can be summed.
extension SpectrumReport {
  /// Times, s; own choice: thirty years, in which a double still tells a millisecond.
  private static let times = -1e9...1e9
  /// Centres of bands and third octaves, Hz; own choice: from below all hearing to ten times the highest frequency of sound at
  /// 96 kHz.
  fileprivate static let centres = 1.0...500_000
  /// Levels and gains, dB. Own choice: the least 32-bit float lies at -900 dB, and parts of a gain add up; a double holds powers up
  /// to 3080 dB, so that those of any recording can be summed.
  fileprivate static let decibels = -10_000.0...1000
  /// Most bytes of a scene or change, and most changes by debug mode. Own choice: more than the thresholds of two ears, the quantities
  /// and the stages that can be changed; a page shortens what it has no room for.
  private static let (longestText, mostChanges) = (400, 500)

  /// True where each list has a number for each of its frequencies, each number is one that sound can have, and no words are longer
  /// than a daemon's; what is not so is damaged.
  package var isWhole: Bool {
    let changes = debug ?? []
    guard changes.count <= Self.mostChanges,
      ([scene ?? ""] + changes).allSatisfy({ $0.utf8.count <= Self.longestText })
    else { return false }
    return Self.times.contains(timeSeconds) && loadShare.isFinite && frequencies.isWhole
      && [left, right].allSatisfy { $0.isWhole(at: frequencies) }
  }
}

extension SpectrumReport.Frequencies {
  /// True where both lists rise, as an axis does.
  fileprivate var isWhole: Bool {
    binWidthHz > 0 && binWidthHz <= SpectrumReport.centres.upperBound
      && [thirdOctavesHz, bandsHz].allSatisfy { centres in
        centres.allSatisfy { SpectrumReport.centres.contains($0) }
          && zip(centres, centres.dropFirst()).allSatisfy { $0 < $1 }
      }
  }
}

extension SpectrumReport.Ear {
  fileprivate func isWhole(at frequencies: SpectrumReport.Frequencies) -> Bool {
    let sounds = [input, output]
    let bands = sounds.map(\.bandsDBSPL) + (gain?.lists ?? [])
    let others = sounds.flatMap { [[$0.levelDBSPL], $0.binsDBSPL, $0.thirdOctavesDBSPL] }
    guard input.binsDBSPL.count == output.binsDBSPL.count,
      sounds.allSatisfy({ $0.thirdOctavesDBSPL.count == frequencies.thirdOctavesHz.count }),
      bands.allSatisfy({ $0.count == frequencies.bandsHz.count })
    else { return false }
    return (bands + others).allSatisfy { list in
      list.allSatisfy { SpectrumReport.decibels.contains($0) }
    }
  }
}

extension SpectrumReport.Gain {
  /// All lists of bands.
  fileprivate var lists: [[Double]] {
    [levelDBSPL, targetDB, appliedDB, feedbackEstimateDB] + partsDB.values
  }
}
