import Base
import Control

/// Keys that state a calibration without a file: a file that is named comes instead of all of them, which may be of other earphones.
enum StatedCalibration {
  /// Paths of those of an end, `calibration.earphone.status`.
  static func keys(of end: Configuration.End) -> [String] {
    let names = [
      "full-scale-level", "profile", "device", "product", "transducer", "status", "source", "date",
    ]
    return names.filter { end == .earphone || $0 != "profile" }.map { "calibration.\(end.rawValue).\($0)" }
  }

  /// Those that a profile comes instead of: a file among them.
  static var keysBesideProfile: [String] {
    let key = "calibration.earphone."
    return [key + "file"] + keys(of: .earphone).filter { $0 != key + "profile" }
  }
}

extension ConfigurationFile {
  /// Takes out whatever states a calibration of an end.
  ///
  /// - Throws: ``Failure`` where the file has one at a place that a program cannot take it out of.
  mutating func unsetCalibration(of end: Configuration.End) throws(Failure) {
    for key in StatedCalibration.keys(of: end) { try unset(key, subject: "calibration") }
  }

  /// Commands by which a person names a calibration file: what stands in this file is taken out first, since both exclude each other.
  ///
  /// - Parameter named: This file, where it is to be named in them; nil: it is found without.
  func commands(toName path: String, of end: Configuration.End, in named: String?) -> String {
    let lines = (try? loaded())?.lines ?? [:]
    let file = "calibration.\(end.rawValue).file"
    let stated = ([file] + StatedCalibration.keys(of: end)).filter { lines[$0] != nil }
    let option = named.map { " --config \($0.shellWord)" } ?? ""
    let unset = stated.isEmpty ? "" : "auricle config unset\(option) \(stated.joined(separator: " ")) && "
    return unset + "auricle config set\(option) \("\(file)=\(path)".shellWord)"
  }
}
