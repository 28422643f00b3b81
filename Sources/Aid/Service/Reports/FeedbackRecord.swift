import AudioIO

/// Measured feedback paths and delays of the loop as they are kept in a file and handed to the daemon.
package struct FeedbackRecord: Sendable, Codable, Hashable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  package static let schema = 102

  package private(set) var schema = Self.schema
  /// Nil: not measured.
  package var left: Ear?
  package var right: Ear?
  /// Nil: not measured.
  package var leftDelay: Delay?
  package var rightDelay: Delay?

  /// True when nothing was measured.
  package var isEmpty: Bool { left == nil && right == nil && leftDelay == nil && rightDelay == nil }

  /// False when another version wrote it, or the numbers cannot be those of paths and delays.
  package var isReadable: Bool {
    schema / 100 == Self.schema / 100 && [left, right].compactMap(\.self).allSatisfy(\.isSound)
      && [leftDelay, rightDelay].compactMap(\.self).allSatisfy(\.isSound)
  }

  /// These measurements, and another record's where there is none here. Of an ear that was measured without the other one the
  /// other record's levels may count on (``Ear/over(_:beside:)``), until the other one is measured too
  /// (``Ear/beside(_:formerly:)``).
  package func over(_ other: FeedbackRecord) -> FeedbackRecord {
    FeedbackRecord(
      left: left.map { right == nil ? $0.over(other.left, beside: other.right) : $0 }
        ?? other.left?.beside(right, formerly: other.right),
      right: right.map { left == nil ? $0.over(other.right, beside: other.left) : $0 }
        ?? other.right?.beside(left, formerly: other.left),
      leftDelay: leftDelay ?? other.leftDelay, rightDelay: rightDelay ?? other.rightDelay)
  }

  /// Longer measured delay of the loop that ends in a device, s; nil: nobody has measured it.
  func delay(of playback: String) -> Double? {
    [leftDelay, rightDelay].compactMap(\.self).filter { Self.isSame($0.playback, playback) }
      .map(\.delaySeconds).max()
  }

  /// True of two names of one device behind one plugin: another one adds a delay of its own.
  private static func isSame(_ name: String, _ other: String) -> Bool {
    guard name != other else { return true }
    guard name.prefix(while: { $0 != ":" }) == other.prefix(while: { $0 != ":" }),
      DevicePlace.plugin(of: name) == DevicePlace.plugin(of: other)
    else { return false }
    if let link = BluetoothLink(deviceName: name), link.address != nil {
      return link == BluetoothLink(deviceName: other)
    }
    return DevicePlace.spelledOut(name) == DevicePlace.spelledOut(other)
  }

  /// Delay of the loop at one ear.
  package struct Delay: Sendable, Codable, Hashable {
    /// s since 1970-01-01 UTC.
    package var measuredUnixSeconds: Double
    /// ALSA names of the devices.
    package var capture: String
    package var playback: String
    /// Hz.
    package var rateHz: Double
    package var periodFrames: Int
    /// Level of the test sound, dB SPL.
    package var levelDBSPL: Double
    /// From output to the first trace in the input, s.
    package var delaySeconds: Double
    /// Longest less shortest repetition, s.
    package var spreadSeconds: Double
    package var repetitions: Int
    /// The devices' own part by their word, s; nil: not told.
    package var deviceDelaySeconds: Double?

    /// True when the numbers can be those of a delay.
    package var isSound: Bool {
      let times = [delaySeconds, spreadSeconds, deviceDelaySeconds].compactMap(\.self)
      return [capture, playback].allSatisfy(FeedbackRecord.isName) && (8000...192_000).contains(rateHz)
        && (1...1 << 16).contains(periodFrames) && (0...140).contains(levelDBSPL)
        && (1...1000).contains(repetitions) && (0...1e11).contains(measuredUnixSeconds)
        && times.allSatisfy { (0...10).contains($0) }
    }
  }

  /// False for a name that no device has; names are shown on terminals.
  private static func isName(_ name: String) -> Bool {
    (1...256).contains(name.utf8.count)
      && !name.unicodeScalars.contains {
        [.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
      }
  }

  /// One ear's path, full scale to full scale.
  package struct Ear: Sendable, Codable, Hashable {
    /// s since 1970-01-01 UTC.
    package var measuredUnixSeconds: Double
    /// ALSA names of the devices.
    package var capture: String
    package var playback: String
    /// Hz.
    package var rateHz: Double
    /// Level of the test sound, dB SPL.
    package var levelDBSPL: Double
    /// From output to the first trace in the input, s; nil: nothing found.
    package var delaySeconds: Double?
    /// The devices' own part by their word, s.
    package var deviceDelaySeconds: Double?
    /// Samples from the first trace on.
    package var response: [Double]
    /// Hz, rising.
    package var frequenciesHz: [Double]
    /// Greatest |F| about each frequency, of all earphones that played, dB, or of a former test (``over(_:beside:)``). - Shape: as
    /// ``frequenciesHz``.
    package var levelsDB: [Double]
    /// Reading of noise alone, dB. - Shape: as ``frequenciesHz``.
    package var noiseDB: [Double]
    /// Part of ``levelsDB`` of the ear's own earphone, dB. Nil: not told apart, before schema 102. - Shape: as ``frequenciesHz``.
    package var ownDB: [Double]?
    /// Greatest |F| from that earphone to the other ear's microphone, dB. Nil: as of ``ownDB``, or that microphone was driven
    /// beyond full scale. - Shape: as ``frequenciesHz``.
    package var crossingDB: [Double]?

    /// Longest response accepted, samples: 20 ms at 96 kHz, twice what a test gives.
    static let responses = 1920
    /// Most frequencies accepted: four times what a test gives.
    static let cells = 400

    /// The path, with a former one's level at each frequency where that is the greater one and nobody knows what the opposite
    /// ear's earphone sends to this ear's microphone: the former test may have heard it too.
    ///
    /// - Parameters:
    ///   - former: Path of this ear; nil: none was kept.
    ///   - opposite: Path of the other ear, which the new test left out; nil: not measured.
    fileprivate func over(_ former: Ear?, beside opposite: Ear?) -> Ear {
      guard let former, let opposite, opposite.crossingDB == nil else { return self }
      var path = self
      path.levelsDB = zip(frequenciesHz, levelsDB).map { frequency, level in
        // Another rate has other frequencies at its end.
        let nearest = zip(former.frequenciesHz, former.levelsDB).min {
          abs($0.0 - frequency) < abs($1.0 - frequency)
        }
        return max(level, nearest?.1 ?? level)
      }
      return path
    }

    /// The path without what a former test may have heard of the opposite ear's earphone, once a test of that ear tells how much
    /// it is: whoever limits the gain adds that.
    ///
    /// - Parameters:
    ///   - opposite: Path of the other ear by the new test, which left this one out; nil: it was not measured.
    ///   - former: Path of the other ear before; nil: none was kept.
    fileprivate func beside(_ opposite: Ear?, formerly former: Ear?) -> Ear {
      guard let ownDB, let former, former.crossingDB == nil, opposite?.crossingDB != nil else {
        return self
      }
      var path = self
      path.levelsDB = ownDB
      return path
    }

    /// True when the numbers can be those of a path: finite, of one length, rising, in range.
    package var isSound: Bool {
      let levels = [levelsDB, noiseDB, ownDB, crossingDB].compactMap(\.self)
      let isShaped =
        (1...Self.cells).contains(frequenciesHz.count)
        && levels.allSatisfy { $0.count == frequenciesHz.count } && response.count <= Self.responses
      let isRising = zip(frequenciesHz, frequenciesHz.dropFirst()).allSatisfy { $0 < $1 }
      let isInRange =
        frequenciesHz.allSatisfy { (20...48_000).contains($0) }
        && levels.joined().allSatisfy { (-200...120).contains($0) }
        && response.allSatisfy { (-1e6...1e6).contains($0) } && (8000...192_000).contains(rateHz)
        && (0...1e11).contains(measuredUnixSeconds) && (0...140).contains(levelDBSPL)
      let areNames = [capture, playback].allSatisfy(FeedbackRecord.isName)
      let times = [delaySeconds, deviceDelaySeconds].compactMap(\.self)
      return areNames && isShaped && isRising && isInRange && times.allSatisfy { (0...10).contains($0) }
    }
  }
}
