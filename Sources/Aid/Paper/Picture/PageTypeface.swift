/// The typeface of all pages.
package enum PageTypeface {
  /// Characters for which it has no sign, each once, in the order of the text; a page shows a box for each.
  ///
  /// - Threads: any but audio.
  package static func missing(in text: String) -> [Character] {
    let metrics = TextMetrics()
    var missing: [Character] = []
    for character in text where !missing.contains(character) && !metrics.hasSigns(for: character) {
      missing.append(character)
    }
    return missing
  }

  /// Characters of scripts that are written from right to left, or whose letters join or change places, each once, in the order of
  /// the text. A page sets every character by itself, from left to right, so nobody can read them there.
  ///
  /// - Threads: any.
  package static func disordered(in text: String) -> [Character] {
    var found: [Character] = []
    for character in text where !found.contains(character) {
      let isShaped = character.unicodeScalars.contains { scalar in
        shapedScripts.contains { $0.contains(scalar.value) }
      }
      if isShaped { found.append(character) }
    }
    return found
  }

  /// Blocks of Unicode 16 with such scripts, whole: between neighbours lie at most a few small scripts that do without.
  private static let shapedScripts: [ClosedRange<UInt32>] = [
    // Hebrew, Arabic, Syriac, Thaana, NKo; scripts of India; Thai, Lao, Tibetan, Myanmar.
    0x0590...0x109F,
    // Scripts of the Philippines, Khmer, Mongolian.
    0x1700...0x18AF,
    // Limbu to Tai Tham; Balinese to Lepcha; Vedic signs.
    0x1900...0x1AAF, 0x1B00...0x1C4F, 0x1CD0...0x1CFF,
    // Syloti Nagri to Rejang; Javanese to Meetei Mayek.
    0xA800...0xA95F, 0xA980...0xAAFF, 0xABC0...0xABFF,
    // Forms of Hebrew and Arabic letters.
    0xFB1D...0xFDFF, 0xFE70...0xFEFC,
    // Further scripts from right to left; further ones of India and its neighbours.
    0x10800...0x10FFF, 0x11000...0x11FFF, 0x1E800...0x1EFFF,
  ]
}
