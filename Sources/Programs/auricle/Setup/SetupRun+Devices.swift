import AudioIO
import Base
import Control

extension SetupRun {
  /// Names both devices in the configuration, once they could be opened.
  mutating func chooseDevices() throws {
    let device = file.configuration.device
    let output = try open(.playback, "earphones", named: named.output ?? device.playback)
    let input = try open(.capture, "microphone", named: named.input ?? device.capture, beside: output)
    if let former = device.playback, former != output { try file.bind(.earphone, to: former) }
    if let former = device.capture, former != input { try file.bind(.microphone, to: former) }
    try set("device.playback", TOMLParser.literal(output))
    try set("device.capture", TOMLParser.literal(input))
    interview.say("Sound goes from \(input) to \(output).")
    try finish(.devices)
  }

  /// One device that can be opened: the one that is named, or the only one that there is, or the one that the person chooses.
  private func open(
    _ direction: StreamDirection, _ what: String, named: String?, beside other: String? = nil
  ) throws(Failure) -> String {
    var wanted = named
    while true {
      let name = if let wanted { wanted } else { try choose(direction, what, beside: other) }
      guard let refusal = bench.refusal(of: name, direction) else { return name }
      interview.say("\(name): \(refusal).")
      let answer = try interview.ask(
        "Correct it and press Enter to try again, or type another device for the \(what), or l for a list:")
      wanted = answer.lowercased() == "l" ? nil : answer.isEmpty ? name : answer
    }
  }

  private func choose(
    _ direction: StreamDirection, _ what: String, beside other: String?
  ) throws(Failure) -> String {
    while true {
      let offers = bench.devices().filter {
        $0.card != nil && $0.hiddenDelay == nil && $0.directions.contains(direction)
          && $0.refusedFile == nil
      }
      // A microphone on the earphones' own card has the same clock, and is what a headset has.
      if let other, let same = offers.first(where: { $0.name == other }) { return same.name }
      if offers.count == 1 { return offers[0].name }
      guard offers.isEmpty else { return try choose(among: offers, what) }
      interview.say("No sound card for the \(what) was found. auricle doctor shows what is missing.")
      let names = bench.devices().filter { $0.card == nil && $0.directions.contains(direction) }.map(\.name)
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
