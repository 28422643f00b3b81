import Testing

@testable import AudioIO

/// Names as the kernel's drivers give them (sound/hda, sound/core/ctljack.c; from memory), without `Jack`.
@Suite("Jacks of a card") struct CardJackTests {
  @Test(
    "belong to the way that sound goes through them",
    arguments: [
      ("Headphone", .playback), ("Front Headphone", .playback), ("Dock Headphone", .playback),
      ("Headset", .playback), ("Line Out", .playback), ("Line Out Front", .playback),
      ("Headphone Phantom", .playback), ("Mic", .capture), ("Front Mic", .capture), ("Rear Mic", .capture),
      ("Headset Mic", .capture), ("Headphone Mic", .capture), ("Internal Mic Phantom", .capture),
      ("Line", .capture), ("Rear Line", .capture), ("Headphones", .playback), ("Front Line Out", .playback),
      ("Dock Line Out", .playback), ("Headset - Input", .capture), ("Microphone - Input", .capture),
      ("Line - Output", .playback), ("Speaker - Output", .playback),
    ] as [(String, StreamDirection)])
  func direction(name: String, direction: StreamDirection) {
    for other in StreamDirection.allCases {
      #expect(CardJack.isPart(of: other, name: name, device: 0) == (other == direction))
      #expect(!CardJack.isPart(of: other, name: name, device: 1))
    }
  }

  @Test(
    "of loudspeakers, of screens, of what is built in, and of what is no sound, belong to neither",
    arguments: [
      "Speaker", "Speaker Phantom", "Int Mic", "Internal Mic", "HDMI/DP,pcm=3", "HDMI/DP,pcm=0", "S/PDIF",
      "",
    ])
  func neither(name: String) {
    for direction in StreamDirection.allCases {
      #expect(!CardJack.isPart(of: direction, name: name, device: 0))
    }
  }

  @Test("are not told of a device on no card, and of a card that is away")
  func away() {
    for device in ["pulse", "null", "hw:CARD=Nowhere,DEV=0"] {
      for direction in StreamDirection.allCases { #expect(CardJack.all(of: device, direction) == nil) }
    }
  }

  @Test(
    "all of them without a plug are named, each name once; one with a plug, or none that tells, is no finding"
  )
  func empty() {
    let (headphone, out) = (
      CardJack(name: "Headphone", isPlugged: false), CardJack(name: "Line Out", isPlugged: false)
    )
    #expect(CardJack.empty([headphone]) == "Headphone")
    #expect(CardJack.empty([out, headphone, headphone]) == "Headphone and Line Out")
    #expect(CardJack.empty([headphone, CardJack(name: "Line Out", isPlugged: true)]) == nil)
    #expect(CardJack.empty([]) == nil)
  }
}
