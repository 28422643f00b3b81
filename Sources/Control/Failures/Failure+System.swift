import Glibc

extension Failure {
  /// A system call's error number in words, `permission denied`; the corresponding C function is
  /// `strerror`, with a small first letter so that it can stand in a sentence.
  public static func words(for code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    // Keep abbreviations ("RPC failed") and lower ordinary words.
    let letters = Array(text)
    guard letters.count > 1, letters[0].isUppercase, letters[1].isLowercase else { return text }
    return letters[0].lowercased() + String(letters.dropFirst())
  }
}
