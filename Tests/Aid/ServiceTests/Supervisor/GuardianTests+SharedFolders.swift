import CommonTesting
import Glibc
import Testing

@testable import Service

/// Marks in folders that others can write to.
extension GuardianTests {
  @Test(
    "in a standard folder that a stranger made nothing is kept, and nothing counts, whoever's it is",
    .enabled(if: geteuid() == 0, "only root can give files away"))
  func strangersFolder() throws {
    let folder = TemporaryFolder()
    for name in ["open", "open/strangers"] { mkdir(folder.file(name), 0o755) }
    chmod(folder.file("open"), 0o1777)
    // A file that this user has once left there can be given another name by whoever has the folder.
    folder.write("", to: "open/strangers/control.sock.muted")
    chown(folder.file("open/strangers"), 65_534, 65_534)
    let silence = KeptSilence(
      .mute, besideSocket: folder.file("named"), standard: folder.file("open/strangers/control.sock"))
    #expect(!silence.isKept)
    try silence.keep()
    try silence.forget()
    #expect(folder.names == ["open"])
    #expect(TemporaryFolder.names(in: folder.file("open/strangers")) == ["control.sock.muted"])
  }

  /// Path of a socket in a folder in which everybody may make files, and keeps their own.
  private func sharedSocket(in folder: TemporaryFolder) -> String {
    let shared = folder.file("shared")
    mkdir(shared, 0o700)
    chmod(shared, 0o1777)
    return shared + "/a.sock"
  }

  @Test(
    "in a shared folder a mute or a stop whose place is taken is kept beside it, counts there and is forgotten",
    arguments: [KeptSilence.Kind.mute, .stop])
  func taken(_ kind: KeptSilence.Kind) throws {
    let folder = TemporaryFolder()
    let socket = sharedSocket(in: folder)
    let silence = KeptSilence(kind, besideSocket: socket)
    mkdir(silence.path, 0o700)
    #expect(!silence.isKept)
    try silence.keep()
    try silence.keep()
    #expect(silence.isKept && KeptState.isLeft(besideSocket: socket))
    #expect(TemporaryFolder.names(in: folder.file("shared")).count == 2)
    try silence.forget()
    #expect(!silence.isKept && !KeptState.isLeft(besideSocket: socket))
    #expect(
      TemporaryFolder.names(in: folder.file("shared"))
        == [kind == .mute ? "a.sock.muted" : "a.sock.stopped"])
  }

  @Test("a pipe in the place of a mute in a shared folder does not hold the daemon up, whoever reads it")
  func pipeInItsPlace() throws {
    let folder = TemporaryFolder()
    let silence = KeptSilence(.mute, besideSocket: sharedSocket(in: folder))
    for hasReader in [false, true] {
      mkfifo(silence.path, 0o600)
      let reader = hasReader ? open(silence.path, O_RDONLY | O_NONBLOCK) : -1
      defer { close(reader) }
      try silence.keep()
      #expect(silence.keptPlace?.hasPrefix(silence.path + ".") == true)
      // The pipe goes too, as it is this user's.
      try silence.forget()
      #expect(TemporaryFolder.names(in: folder.file("shared")) == [])
    }
  }

  @Test("a second name of a file of one's own is no mark: others can make one in a shared folder")
  func secondName() {
    let folder = TemporaryFolder()
    let silence = KeptSilence(.mute, besideSocket: sharedSocket(in: folder))
    folder.write("", to: "own")
    link(folder.file("own"), silence.path)
    #expect(!silence.isKept)
  }

  @Test(
    "in a shared folder another user's files are no mute, no stop, no end that was told and no configuration",
    .enabled(if: geteuid() == 0, "only root can give files away"))
  func strangers() throws {
    let folder = TemporaryFolder()
    let socket = sharedSocket(in: folder)
    for end in ["muted", "stopped", "ended", "configuration"] {
      folder.write("", to: "shared/a.sock.\(end)")
      chown("\(socket).\(end)", 65_534, 65_534)
    }
    #expect(!KeptState.isLeft(besideSocket: socket))
    let (mute, end) = (
      KeptSilence(.mute, besideSocket: socket), ToldEnd(besideSocket: socket, standard: nil)
    )
    #expect(!mute.isKept && !end.isKept)
    try mute.keep()
    try end.keep()
    #expect(mute.isKept && end.isKept)
    try mute.forget()
    let lines = end.forgetOrTell()
    #expect(!mute.isKept && !end.isKept && lines.isEmpty)
  }

  @Test(
    "what a daemon has kept in a folder of its own is found by other users' commands",
    .enabled(if: geteuid() == 0, "only root can give files away"))
  func othersCommands() {
    let folder = TemporaryFolder()
    mkdir(folder.file("own"), 0o755)
    folder.write("", to: "own/control.sock.muted")
    for name in ["own", "own/control.sock.muted"] { chown(folder.file(name), 65_534, 65_534) }
    #expect(KeptState.isLeft(besideSocket: folder.file("own/control.sock")))
    // Not where others could have put it.
    chmod(folder.file("own"), 0o1777)
    #expect(!KeptState.isLeft(besideSocket: folder.file("own/control.sock")))
  }
}
