import ArgumentParser
import Base
import Companion
import Glibc
import Studies

/// `auricle study trust`.
struct TrustSite: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust", abstract: "Trust a site: its studies are taken from then on.",
    discussion:
      "A card proves who holds the key, not that the name is true. Compare the fingerprint with the site first."
  )

  @Argument(help: "The site's card, shc:/…, or a file that holds it.") var card: String
  @Flag(help: "You have compared the fingerprint already.") var compared = false
  @OptionGroup var common: CommonOptions

  func run() throws {
    let site = try TrustedSites.site(by: card)
    if !compared {
      let person = common.terminal
      person.say("\(site.name)\nFingerprint: \(site.fingerprint)\n")
      guard let line = try person.ask("Is this the fingerprint that the site has told you? [yes or no] > "),
        AnswerText.yes(line) == true
      else { throw Failure(site.name, inWords: "Not trusted, nothing was changed", exit: .no) }
    }
    try common.sites().trust(site)
    common.show(
      ["schema": 100, "name": .text(site.name), "fingerprint": .text(site.fingerprint)],
      "Studies of \(site.name) are taken from now on.\n")
  }
}

/// `auricle study sites`.
struct ListSites: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "sites", abstract: "Sites that you trust.")

  @OptionGroup var common: CommonOptions

  func run() throws {
    let sites = try common.sites().all
    common.show(
      [
        "schema": 100,
        "sites": .array(sites.map { ["name": .text($0.name), "fingerprint": .text($0.fingerprint)] }),
      ],
      sites.isEmpty
        ? "You trust no site. A site's card: auricle study trust CARD\n"
        : sites.map { "\($0.name)  \($0.fingerprint)\n" }.joined())
  }
}

/// `auricle study pack`.
struct PackStudy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack", abstract: "Sign a study as a whole, as one file that cannot be changed.",
    discussion:
      "The key is the clinic's, which `auricle clinic init` makes. A study with an error is not packed.")

  @Argument(help: "Folder of the study.") var path: String
  @ArgumentParser.Option(name: [.customShort("o"), .long], help: "File, which must not be there yet.")
  var output: String
  @ArgumentParser.Option(help: "The clinic's folder.") var clinic: String
  @ArgumentParser.Option(help: "File whose first line is the passphrase; the default is to ask.")
  var passphraseFile: String?
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    let surroundings = try Surroundings.system(ProcessEnvironment.variables)
    let bundle = try StudyIntake.author(at: path)
    let errors = try CheckStudy.findings(
      in: bundle, isPublished: false, surroundings, commercial: false
    ).filter { $0.severity == .error }
    guard errors.isEmpty else {
      throw Failure(
        path, found: "\(errors.count) errors", expected: "none", remedy: "See: auricle study check \(path)",
        exit: .badData)
    }
    let signer = try SiteSigner(
      clinicFolder: clinic, passphrase: passphrase(), at: surroundings.now().seconds)
    let archive: [UInt8]
    do throws(BundleError) { archive = try bundle.archive(signedBy: signer) } catch {
      throw Failure(path, inWords: "\(error)", exit: .badData)
    }
    try NewFile.write(archive, to: output, mode: 0o644)
    let report: JSONValue = [
      "schema": 100, "file": .text(output), "study": .text(bundle.study.id),
      "version": .text(bundle.study.version),
      "sha256": .text(Hash.text(archive)), "site": .text(signer.site.name),
      "fingerprint": .text(signer.site.key),
    ]
    guard !json else { return print(report.minified) }
    Terminal().say("Wrote \(output), signed by \(signer.site.name) (\(signer.site.key)).\n")
  }

  private func passphrase() throws(Failure) -> String {
    if let passphraseFile {
      let bytes = try FileContent.bytes(of: passphraseFile, limit: 1 << 16)
      return String(decoding: bytes.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
    }
    guard let typed = getpass("Passphrase of the clinic's key: ") else {
      throw Failure(
        "passphrase", inWords: "There is no terminal to ask", remedy: "Give --passphrase-file.",
        exit: .usage)
    }
    return String(cString: typed)
  }
}

extension CommonOptions {
  /// Sites that this person trusts, beside their file; a server's are in the person's own folder too.
  func sites() throws(Failure) -> TrustedSites {
    let now = try Surroundings.system(ProcessEnvironment.variables).now().seconds
    let file =
      switch try place() {
      case .file(let path): path
      case .server: CompanionDatabase.standardPath(ProcessEnvironment.variables)
      }
    return TrustedSites(folder: FilePath.folder(of: file) + "/sites", at: now)
  }
}
