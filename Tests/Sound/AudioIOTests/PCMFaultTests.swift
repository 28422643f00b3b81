import AudioIO
import Glibc
import Testing

@Suite("Faults") struct PCMFaultTests {
  @Test(
    "each of ALSA's codes has its name, and each name its code",
    arguments: [
      (EAGAIN, PCMFault.again), (EPIPE, .xrun), (ESTRPIPE, .suspended), (EIO, .inputOutput),
      (ENODEV, .gone), (EBADFD, .badState), (EBUSY, .busy), (EINTR, .interrupted),
      (EINVAL, PCMFault(errno: EINVAL)),
    ])
  func codes(code: Int32, fault: PCMFault) {
    #expect(PCMFault(code: -Int(code)) == fault)
    #expect(fault.code == -Int(code))
  }
}
