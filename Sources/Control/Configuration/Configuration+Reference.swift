extension Configuration {
  /// A whole configuration file of defaults with every key explained; keys without a default stand as
  /// comments. Reading it gives ``init()``.
  public static var reference: String {
    let defaults = Configuration()
    var text = "# Auricle's configuration. Every key may be left out; values shown are the defaults.\n"
    for section in sections {
      text += "\n# \(section.summary)\n[\(section.name)]\n"
      for setting in schema where setting.section == section.name {
        text += "\n" + comment(setting.summary) + comment("Accepts \(setting.accepts).")
        if let value = setting.value(in: defaults) {
          text += "\(setting.name) = \(value)\n"
        } else if let example = setting.example {
          text += "# \(setting.name) = \(example)\n"
        }
      }
    }
    return text
  }

  /// `text` as comment lines of at most 100 characters.
  private static func comment(_ text: String) -> String {
    var lines: [String] = []
    var line = "#"
    for word in text.split(separator: " ") {
      if line.count + 1 + word.count > 100 {
        lines.append(line)
        line = "#"
      }
      line += " " + word
    }
    lines.append(line)
    return lines.map { $0 + "\n" }.joined()
  }
}
