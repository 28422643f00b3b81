import Glibc

/// Notes that somebody plays or sings over a floor of 25 dB SPL: 50 to 400 ms with 0 to 200 ms between them, 700 to
/// 4000 Hz, unless told.
enum Melody: CaseIterable {
  /// Tones with ends of 5 ms.
  case beeps
  /// Four partials, trembling in level.
  case flute
  /// Struck and dying away.
  case string
  /// Notes of 0.3 to 3 s, two stops an octave apart, standing as still as a howl.
  case organ
  /// One partial of 0.1 to 1 s with vibrato that slides from note to note, breath beside it.
  case whistle
  /// A singer's /u/ at 600 to 1050 Hz with vibrato of 5.5 Hz: the first formant on the first partial.
  case vowel
  /// The same tone again and again, 100 ms on and off, as a lorry or a microwave oven has it.
  case alarm

  /// - Parameter level: Of the loudest partial, dB SPL.
  func samples(_ count: Int, level: Double) -> [Float] {
    var random = Seeded(11)
    var sound = Signal.noise(peak: Float(Signal.amplitude(25)), count: count)
    var start = 0
    while start < count {
      let note = Note(self, &random)
      note.add(to: &sound, from: start, peak: Signal.amplitude(level))
      start += Int((note.length + note.rest) * Note.rate)
    }
    return sound
  }

  /// One of them.
  private struct Note {
    static let rate = 44_100.0
    let melody: Melody
    let frequency: Double
    let length: Double
    let rest: Double
    let partials: [Double]

    init(_ melody: Melody, _ random: inout Seeded) {
      self.melody = melody
      let (place, duration) = (
        Double.random(in: 0...1, using: &random), Double.random(in: 0...1, using: &random)
      )
      let pause = Double.random(in: 0...0.2, using: &random)
      switch melody {
      case .beeps, .flute, .string:
        frequency = 700 * pow(4000.0 / 700, place)
        length = 0.05 + 0.35 * duration
        rest = pause
      case .organ, .whistle:
        frequency = 700 * pow(4000.0 / 700, place)
        length = melody == .organ ? 0.3 + 2.7 * duration : 0.1 + 0.9 * duration
        rest = pause / 4
      case .vowel:
        frequency = 600 * pow(1050.0 / 600, place)
        length = 0.2 + 1.3 * duration
        rest = pause
      case .alarm:
        frequency = 1250
        length = 0.1
        rest = 0.1
      }
      partials =
        switch melody {
        case .beeps, .alarm: [1]
        case .flute, .string: [1, 0.4, 0.15, 0.05]
        case .organ: [1, 0.3]
        case .whistle: [1, 0.03]
        case .vowel: [1, 0.2, 0.05, 0.02, 0.01]
        }
    }

    /// Level over the time since the note began, 1 at most but for a flute.
    private func shape(_ t: Double) -> Double {
      func ends(_ time: Double) -> Double { min(1, t / time, (length - t) / time) }
      return switch melody {
      case .beeps, .alarm: ends(0.005)
      case .flute: ends(0.02) * (1 + 0.1 * sin(2 * .pi * 5 * t))
      case .string: min(1, t / 0.003) * exp(-t / 0.15)
      case .organ: ends(0.015)
      case .whistle: ends(0.03) * (1 + 0.15 * sin(2 * .pi * 6 * t))
      case .vowel: ends(0.05) * (1 + 0.2 * sin(2 * .pi * 5.5 * t))
      }
    }

    /// Deviation of the frequency, relative: vibrato of 35 and 50 cents, and a whistle's slide into its note.
    private func deviation(_ t: Double) -> Double {
      switch melody {
      case .whistle: 0.02 * sin(2 * .pi * 6 * t) - 0.06 * exp(-t / 0.04)
      case .vowel: 0.03 * sin(2 * .pi * 5.5 * t)
      default: 0
      }
    }

    func add(to sound: inout [Float], from start: Int, peak: Double) {
      var turns = 0.0
      for n in start..<min(sound.count, start + Int(length * Self.rate)) {
        let t = Double(n - start) / Self.rate
        for (index, strength) in partials.enumerated() {
          sound[n] += Float(peak * shape(t) * strength * sin(2 * .pi * Double(index + 1) * turns))
        }
        turns += frequency * (1 + deviation(t)) / Self.rate
      }
    }
  }
}
