import Control
import Drawing
import Prescriptions

/// A clinic's public card as the page that it hands out.
struct ClinicPage {
  private let content: ClinicCardContent

  init(_ clinic: ClinicIdentity) throws(Failure) {
    content = ClinicCardContent(
      clinic: clinic.name, url: clinic.url,
      validUntil: clinic.validUntil.map { String($0.text.prefix(10)) },
      keyFingerprint: clinic.fingerprint.grouped, code: try CardSymbol.modules(for: clinic.cardText))
  }

  func write(to path: String) throws(Failure) {
    let sheet: ClinicCardSheet
    do throws(SheetError) {
      sheet = try ClinicCardSheet(content)
    } catch {
      throw Failure(path, saying: "\(error)", exit: .badData)
    }
    try PictureFile(path: path).write(sheet.picture())
  }
}
