import Acoustics
import Engine
import Fitting
import Service

/// Audiograms as files of this project and as tables.
struct AudiogramFiles: MutationKind {
  static let good: Set<String> = ["read"]

  let shelf: MaterialShelf
  private let scratch: String

  init(scratch: String) throws {
    self.scratch = scratch
    shelf = MaterialShelf([
      MaterialShelf.Item(name: "full.json", material: JSONMaterial(Array(Self.json.utf8))),
      MaterialShelf.Item(name: "text.json", material: TextMaterial(Self.json)),
      MaterialShelf.Item(name: "long.csv", material: TextMaterial(Self.long)),
      MaterialShelf.Item(name: "wide.csv", material: TextMaterial(Self.wide)),
      MaterialShelf.Item(name: "bytes.csv", material: ByteMaterial(Array(Self.wide.utf8))),
    ])
  }

  mutating func outcome(of input: MutatedInput) throws -> String {
    let path = "\(scratch)/\(input.name)"
    Fixtures.write(input.bytes, to: path)
    let ears = try AudiogramReading.ears(at: path)
    _ = AudiogramReview(ears).findings.map { "\($0)" }
    try Fitted.parameters(HearingSettings(audiograms: ears))
    return "read"
  }

  private static let json = """
    {
      "format": "auricle-audiogram",
      "version": 1,
      "name": "my hearing, June",
      "left": {
        "air": { "250": 20, "500": 25, "1000": 30, "2000": 45, "4000": { "threshold": 60 }, "8000": 65 },
        "air-masked": { "4000": 62.5 }, "bone": { "1000": 20 }, "bone-masked": { "2000": 30 }
      },
      "right": {
        "air": { "500": 20, "1000": 20, "2000": 85, "4000": { "threshold": 110, "response": false } }
      }
    }
    """

  private static let long = """
    ear,frequency,threshold,conduction,masked,response
    left,250,20,air,no,yes
    left,500,25,air,no,yes
    left,2000,45.5,air,yes,yes
    left,4000,60,bone,no,no
    right,500,20,air,no,yes
    right,2000,30,air,no,yes
    """

  private static let wide = """
    ear;conduction;250;500;1000;2000;4000
    right;air;35;35,5;40;50;>110
    left;air;20;25;;45;60
    left;bone;;20;;;
    """
}
