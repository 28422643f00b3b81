import AudioIO
import Base
import Control
import Service

extension SetupRun {
  /// Names both devices in the configuration, once they could be opened and set up at one rate.
  mutating func chooseDevices() throws {
    let device = file.configuration.device
    let (output, input) = try atOneRate(
      try open(.playback, "earphones", named: named.output ?? device.playback))
    if let former = device.playback, former != output { try file.bind(.earphone, to: former) }
    if let former = device.capture, former != input { try file.bind(.microphone, to: former) }
    try set("device.playback", TOMLParser.literal(output))
    try set("device.capture", TOMLParser.literal(input))
    interview.say("Sound goes from \(input) to \(output).")
    try finish(.devices)
  }

  /// A device that the aid can use, and why not at the rate of the configuration, a sentence; nil: it can.
  private typealias Usable = (name: String, refusal: String?)

  /// The earphones' device and one for the microphone, at a rate of both, which the aid has from then on.
  private mutating func atOneRate(_ output: Usable) throws(Failure) -> (output: String, input: String) {
    let present = file.configuration.device
    var input = try open(
      .capture, "microphone", named: named.input ?? present.capture, beside: output.name)
    while let refusal = output.refusal ?? input.refusal {
      let (playback, capture) = (output.name, input.name)
      let rate = otherRates.first { rate in
        self.refusal(of: playback, .playback, at: rate) == nil
          && self.refusal(of: capture, .capture, at: rate) == nil
      }
      if let rate {
        try set("device.rate", "\(rate)")
        interview.say(
          "\(refusal). The aid runs at \(rate) Hz from now on instead of \(present.rate) (auricle config set "
            + "device.rate=\(present.rate) takes it back).")
        break
      }
      interview.say(
        "\(refusal). \(playback) and \(capture) have no rate in common that the aid takes: "
          + "\(English.list(DevicesReport.rates.map(String.init), "or")) Hz. Take another microphone; or, for other earphones, leave "
          + "with Ctrl-C and begin with: auricle setup --output DEVICE")
      input = try open(.capture, "microphone", named: try another("microphone", than: capture))
    }
    return (output.name, input.name)
  }

  /// One device that the aid can use: the one that is named, or the only one that there is, or the one that the person chooses.
  private func open(
    _ direction: StreamDirection, _ what: String, named: String?, beside other: String? = nil
  ) throws(Failure) -> Usable {
    var wanted = named
    while true {
      let name = if let wanted { wanted } else { try choose(direction, what, beside: other) }
      let rate = file.configuration.device.rate
      guard let refusal = self.refusal(of: name, direction, at: rate) else { return (name, nil) }
      if PCMOpenError.isOfRate(refusal, name),
        otherRates.contains(where: { self.refusal(of: name, direction, at: $0) == nil })
      {
        return (name, refusal)
      }
      interview.say("\(name): \(refusal).")
      wanted = try another(what, than: name)
    }
  }

  /// - Returns: The name to try next; nil: one of the list.
  private func another(_ what: String, than name: String) throws(Failure) -> String? {
    let answer = try interview.ask(
      "Correct it and press Enter to try again, or type another device for the \(what), or l for a list:")
    return answer.lowercased() == "l" ? nil : answer.isEmpty ? name : answer
  }

  /// Rates that the aid takes, but for the one of the configuration, Hz.
  private var otherRates: [Int] { DevicesReport.rates.filter { $0 != file.configuration.device.rate } }

  private func refusal(of name: String, _ direction: StreamDirection, at rate: Int) -> String? {
    // A minute of tones that nobody can hear would follow. A microphone of silence may be somebody's choice.
    if direction == .playback, SilentDevice.isCalled(name) {
      return "it \(SilentDevice.effect(direction)), and a device that can be heard is needed"
    }
    var request = file.configuration.device.request
    request.rate = rate
    return bench.refusal(of: name, direction, setUp: request)
  }

  private func choose(
    _ direction: StreamDirection, _ what: String, beside other: String?
  ) throws(Failure) -> String {
    while true {
      let offers = bench.devices().filter {
        $0.card != nil && $0.hasConverters && $0.hiddenDelay == nil && $0.directions.contains(direction)
          && $0.refusedFile == nil
      }
      // A microphone on the earphones' own card has the same clock, and is what a headset has.
      if let other, let same = offers.first(where: { $0.name == other }) { return same.name }
      if offers.count == 1 { return offers[0].name }
      guard offers.isEmpty else { return try choose(among: offers, what) }
      interview.say("No sound card for the \(what) was found. auricle doctor shows what is missing.")
      let names = bench.devices().filter {
        ($0.card == nil || !$0.hasConverters) && $0.directions.contains(direction)
          && !SilentDevice.isCalled($0.name)
      }.map(\.name)
      if !names.isEmpty { interview.say("ALSA has these names besides: \(names.joined(separator: ", ")).") }
      let answer = try interview.ask("Plug it in, then press Enter; or type the name of an ALSA device:")
      if !answer.isEmpty, answer.lowercased() != "l" { return answer }
    }
  }

  private func choose(among offers: [DeviceDescription], _ what: String) throws(Failure) -> String {
    for (index, offer) in offers.enumerated() {
      interview.say("\(index + 1). \(offer.title.isEmpty ? offer.name : "\(offer.title) (\(offer.name))")")
    }
    let titles = offers.map(\.title)
    if Set(titles).count < titles.count {
      interview.say(
        "Some have the same name; the names in brackets follow the order in which they were plugged in. "
          + "Unplug all but yours if you are not sure.")
    }
    let numbers = (1...offers.count).map(String.init)
    let answer = try interview.choose("Which one for the \(what)? 1 to \(offers.count):", numbers)
    return offers[(Int(answer) ?? 1) - 1].name
  }
}
