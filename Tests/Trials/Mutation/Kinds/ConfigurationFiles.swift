import Control
import Engine
import Glibc
import Service

/// Configurations with every key set, and the calibrations they name.
struct ConfigurationFiles: MutationKind {
  static let good: Set<String> = ["in force"]

  let shelf: MaterialShelf
  private let folder: String
  private let valid: [String: [UInt8]]

  init(scratch: String) throws {
    folder = scratch
    valid = [
      "levels.toml": Array(Self.levels.utf8), "files.toml": Array(Self.files.utf8),
      "microphone.json": Array(Self.microphone.utf8), "earphone.json": Array(Self.earphone.utf8),
      "audiogram.json": Array(Self.audiogram.utf8),
    ]
    shelf = MaterialShelf([
      MaterialShelf.Item(name: "levels.toml", material: TextMaterial(Self.levels)),
      MaterialShelf.Item(name: "files.toml", material: TextMaterial(Self.files)),
      MaterialShelf.Item(name: "microphone.json", material: JSONMaterial(Array(Self.microphone.utf8))),
      MaterialShelf.Item(name: "earphone.json", material: JSONMaterial(Array(Self.earphone.utf8))),
      MaterialShelf.Item(name: "levels.toml", material: ByteMaterial(Array(Self.levels.utf8))),
    ])
    for (name, bytes) in valid { Fixtures.write(bytes, to: "\(folder)/\(name)") }
  }

  mutating func outcome(of input: MutatedInput) throws -> String {
    Fixtures.write(input.bytes, to: "\(folder)/\(input.name)")
    defer { Fixtures.write(valid[input.name] ?? [], to: "\(folder)/\(input.name)") }
    let name = input.name.hasSuffix(".toml") ? input.name : "files.toml"
    let text = input.name == name ? input.bytes : valid[name] ?? []
    let loaded = try Control.Configuration.reading(text, file: "\(folder)/\(name)")
    _ = loaded.text
    do throws(ConfigurationFailures) {
      let settings = try AidSettings(loaded)
      do { try Fitted.parameters(settings.hearing) } catch { return "\(error)" }
      let daemon = try DevicelessDaemon(paths: Fixtures.paths(folder + "/state"), loaded)
      do { try daemon.makeChain() } catch { return "no chain" }
      return "in force"
    } catch {
      for failure in error.failures where failure.message.isEmpty || failure.logMessage.isEmpty {
        return "refused without words"
      }
      return "refused"
    }
  }

  private static let levels = """
    [device]
    capture = "hw:CARD=PCH"
    playback = "hw:CARD=PCH"
    rate = 48000
    period = 64
    periods = 3
    format = "auto"
    clock = "shared"
    [calibration.microphone]
    full-scale-level = [120.5, 121]
    transducer = "built-in"
    device = "hw:CARD=PCH"
    date = 2026-03-01
    status = "verified"
    [calibration.earphone]
    full-scale-level = "118 dB"
    transducer = "HDA 200"
    source = "data sheet"
    status = "provisional"
    [hearing]
    audiogram = "audiogram.json"
    rule = "NAL-RP-compressive"
    compression-ratio = 2.5
    attack = "5 ms"
    release = "100 ms"
    link = 0.5
    bands = [250, 500, 1000, 2000, 4000]
    [safety]
    maximum-output = "105 dB SPL"
    ramp = "0.5 s"
    [control]
    socket = "/run/auricle/control.sock"
    [log]
    level = "info"
    """

  private static let files = """
    [calibration.microphone]
    file = "microphone.json"
    [calibration.earphone]
    file = "earphone.json"
    [hearing]
    audiogram = "audiogram.json"
    """

  private static let microphone = """
    {"device": {"device": "hw:CARD=PCH", "date": "2026-03-01", "status": "verified"},
     "channels": [120.5, [{"frequency": 125, "level": 119}, {"frequency": 1000, "level": 120},
     {"frequency": 8000, "level": 123.5}]]}
    """

  private static let earphone = """
    {"device": {"device": "hw:CARD=PCH", "status": "provisional", "source": "data sheet"},
     "sensitivity": {"left": [{"frequency": 125, "level": 112}, {"frequency": 1000, "level": 118},
     {"frequency": 8000, "level": 110}], "right": 118},
     "transducer": "hda200"}
    """

  private static let audiogram = """
    {"format": "auricle-audiogram", "version": 1,
     "left": {"air": {"250": 20, "500": 25, "1000": 40, "2000": 55, "4000": 65}},
     "right": {"air": {"500": 30, "1000": 45, "4000": 70}}}
    """
}
