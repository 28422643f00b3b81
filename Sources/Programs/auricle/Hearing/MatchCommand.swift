import Acoustics
import ArgumentParser
import Base
import Paper
import Procedures
import Service

/// `auricle match`: loudness and pitch of a tinnitus, and how it is masked.
struct Match: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Match your tinnitus by tones: loudness, pitch, masking, residual inhibition.",
    discussion: """
      A match rests on your threshold at the same frequency, by the same earphone: auricle hearing-test comes first. Nothing is louder than \
      85 dB SPL, than 60 dB above your threshold, and than the aid's own limit. The aid is silent meanwhile.
      """,
    subcommands: [
      Loudness.self, Pitch.self, Bandwidth.self, Masking.self, Inhibition.self, MatchHistoryCommand.self,
      MatchExport.self,
      Replay.self,
    ])

  struct Loudness: MatchVerb {
    static let configuration = CommandConfiguration(
      commandName: "loudness", abstract: "Make a tone as loud as your tinnitus, in several trials.",
      discussion: "EXAMPLE: auricle match loudness --tinnitus left")

    @Option(help: .init("Frequency of the tone, Hz. Default: 1000.", valueName: "hz"))
    var frequency: Double?
    @Option(help: .init("Trials, 1 to 20. Default: 3.", valueName: "count")) var trials: Int?
    @Flag(help: "Say of each tone whether it is softer or louder, instead of turning it.") var bracketing =
      false
    @OptionGroup var threshold: ThresholdOption
    @OptionGroup var match: MatchOptions
    @OptionGroup var options: ClientOptions

    static let name = ProcedureOrder.Name.loudness
    static let title = "Loudness of your tinnitus"

    var procedureName: ProcedureOrder.Name { bracketing ? .bracketing : Self.name }

    func order() throws(Failure) -> ProcedureOrder {
      var order = try match.order(procedureName)
      (order.frequency, order.trials, order.threshold) = (frequency ?? 1000, trials ?? 3, threshold.level)
      return order
    }

    var fixed: [String] {
      GivenOptions.names(
        (frequency != nil, "--frequency"), (trials != nil, "--trials"),
        (threshold.level != nil, "--threshold"))
    }
  }

  struct Pitch: MatchVerb {
    static let configuration = CommandConfiguration(
      commandName: "pitch", abstract: "Find the tone that is most like your tinnitus, by comparisons.",
      discussion: "EXAMPLE: auricle match pitch --tinnitus left")

    @Flag(help: "Rate tones by their likeness, 0 to 100, instead of comparing two: slower, and steadier.")
    var likeness = false
    @Option(help: .file("Draw the profile of --likeness: .png, .svg or .pdf."), completion: .file())
    var picture: String?

    func draw(_ result: ProcedureResult?, at began: Double) throws(Failure) {
      guard let picture, let likeness = result?.likeness else { return }
      let page = LikenessPage(
        likeness, began: began, doubts: likeness.doubts.map(MatchReport.words))
      try PageFile(path: picture, overwriting: overwriting).write([page.picture()])
    }

    @OptionGroup var overwriting: OverwriteOption
    @OptionGroup var match: MatchOptions
    @OptionGroup var options: ClientOptions

    static let name = ProcedureOrder.Name.pitch
    static let title = "Pitch of your tinnitus"

    var procedureName: ProcedureOrder.Name { likeness ? .likeness : Self.name }

    func order() throws(Failure) -> ProcedureOrder { try match.order(procedureName) }

    func validate() throws {
      guard picture == nil || likeness else {
        throw ValidationError("--picture draws the profile of --likeness, and there is none without it.")
      }
    }

    func checkPlaces() throws(Failure) {
      try OutputPlace.check(picture: picture)
      if let picture { try overwriting.check(picture) }
    }
  }

  struct Bandwidth: MatchVerb {
    static let configuration = CommandConfiguration(
      commandName: "bandwidth",
      abstract: "Find out whether your tinnitus is like a tone, narrow noise or broad noise.",
      discussion: "EXAMPLE: auricle match bandwidth --tinnitus left --frequency 4000")

    @Option(help: .init("Pitch of your tinnitus, Hz. Default: 1000.", valueName: "hz"))
    var frequency: Double?
    @OptionGroup var threshold: ThresholdOption
    @OptionGroup var match: MatchOptions
    @OptionGroup var options: ClientOptions

    static let name = ProcedureOrder.Name.bandwidth
    static let title = "Bandwidth of your tinnitus"

    func order() throws(Failure) -> ProcedureOrder {
      var order = try match.order(Self.name)
      (order.frequency, order.threshold) = (frequency ?? 1000, threshold.level)
      return order
    }

    var fixed: [String] {
      GivenOptions.names((frequency != nil, "--frequency"), (threshold.level != nil, "--threshold"))
    }
  }

  struct Masking: MatchVerb {
    static let configuration = CommandConfiguration(
      commandName: "masking", abstract: "Find the softest noise beside which your tinnitus is not heard.",
      discussion: "EXAMPLE: auricle match masking --tinnitus left --signal narrow-noise --frequency 4000")

    @OptionGroup var noise: NoiseOptions
    @OptionGroup var threshold: ThresholdOption
    @OptionGroup var match: MatchOptions
    @OptionGroup var options: ClientOptions

    static let name = ProcedureOrder.Name.masking
    static let title = "Masking your tinnitus"

    func order() throws(Failure) -> ProcedureOrder {
      var order = try match.order(Self.name)
      (order.frequency, order.signal) = (noise.frequency ?? 1000, noise.signal ?? .broadNoise)
      order.threshold = threshold.level
      return order
    }

    var fixed: [String] {
      noise.given + GivenOptions.names((threshold.level != nil, "--threshold"))
    }
  }

  struct Inhibition: MatchVerb {
    static let configuration = CommandConfiguration(
      commandName: "inhibition", abstract: "Hear a minute of noise, and tell how your tinnitus comes back.",
      discussion: """
        The noise is that of the search for its masking level: auricle match masking comes first.
        EXAMPLE: auricle match inhibition --tinnitus left
        """)

    @OptionGroup var noise: NoiseOptions
    @OptionGroup var threshold: ThresholdOption
    @OptionGroup var match: MatchOptions
    @OptionGroup var options: ClientOptions

    static let name = ProcedureOrder.Name.inhibition
    static let title = "Residual inhibition"

    func order() throws(Failure) -> ProcedureOrder {
      var order = try match.order(Self.name)
      (order.frequency, order.signal) = (noise.frequency ?? 1000, noise.signal ?? .broadNoise)
      order.threshold = threshold.level
      return order
    }

    var fixed: [String] {
      noise.given + GivenOptions.names((threshold.level != nil, "--threshold"))
    }
  }
}
