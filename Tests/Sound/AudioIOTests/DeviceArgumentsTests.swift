import AudioIO
import Testing

@Suite("Arguments in devices' names") struct DeviceArgumentsTests {
  @Test(
    "cards, sound servers, links and names without arguments are harmless",
    arguments: [
      "hw:0", "hw:CARD=PCH,DEV=0", "hw:CARD=Headset,DEV=0,SUBDEV=1", "plughw:Loopback,1", "default", "lat",
      "pulse",
      "sysdefault:CARD=PCH", "bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp",
      "pulse:alsa_output.usb-X_Y-00.analog-stereo",
      "my-pair_2.5",
    ])
  func harmless(name: String) { #expect(DeviceArguments.areHarmless(in: name)) }

  @Test(
    "what writes files, starts programs, talks to sockets or wraps another name is not",
    arguments: [
      "tee:lat,'|touch x',raw", "tee:hw:0,name,raw", "file:name,raw", "file:FILE=name",
      "shm:SOCKET=x,PCM=hw:0",
      "plug:file:name", "plug:SLAVE='tee:hw:0'", "plug:'hw:0'", "hw:0,{type file}", "hw:$(x)",
      "default:x|y", "a b", "ü",
      "../x", "{type hw}",
    ])
  func harmful(name: String) { #expect(!DeviceArguments.areHarmless(in: name)) }
}
