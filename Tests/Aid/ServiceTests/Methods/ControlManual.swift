import Control

@testable import Service

/// The manual page of the control protocol, in mdoc(7), made from the list of methods.
struct ControlManual {
  let methods: [MethodDescription]

  /// The whole page.
  var text: String { Self.beginning + methods.map(entry).joined() + Self.end + Self.clients + Self.seeAlso }

  /// Sentences begin on a line of their own, as mandoc(1) asks.
  private func entry(_ method: MethodDescription) -> String {
    var lines = [".It Cm \(method.name)", Self.escaped(method.effect).replacing(". ", with: ".\n")]
    lines.append("For \(method.access.words).")
    if !method.parameters.isEmpty {
      lines.append(".Bl -tag -width Ds -compact")
      for parameter in method.parameters {
        lines.append(".It Ql \(parameter.name)")
        lines.append(
          Self.escaped(
            "\(parameter.expected)\(parameter.isOptional ? ", may be left out" : ""): \(parameter.meaning)")
        )
      }
      lines.append(".El")
    }
    if !method.answer.isEmpty { lines.append("Answer: \(Self.escaped(method.answer)).") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Text as mdoc takes it: a key between single quotes is a literal; a line that begins with a dot would be a request.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .replacing(#/'([a-z_]+)'/#) { "\\(oq\($0.output.1)\\(cq" }
  }

  private static let beginning = """
    .\\" Made from the list of methods: make manual. Not to be edited.
    .Dd November 29, 2026
    .Dt AURICLE-PROTOCOL 7
    .Os
    .Sh NAME
    .Nm auricle-protocol
    .Nd the control protocol of the hearing-aid daemon
    .Sh DESCRIPTION
    .Xr auricled 8
    listens on a Unix socket and speaks JSON-RPC 2.0, version \(ProtocolVersion.current): one object a line, up to 64 KiB,
    and no batches.
    .Bd -literal -offset indent
    echo '{"jsonrpc":"2.0","id":1,"method":"program.use","params":{"program":"music"}}' |
      socat - UNIX:/run/auricle/control.sock
    .Ed
    .Pp
    Parameters are named; those that are not known are ignored, an object with a key given twice is refused.
    A request without
    .Ql id
    is carried out and not answered.
    The first answer of a connection has the version of the protocol as
    .Ql protocol :
    the minor number grows when something is added, or a method goes, which is refused by its name then; the major one
    when a client written for the former would misunderstand.
    Since 1.3 the daemon measures feedback itself:
    .Cm feedback.measure
    and
    .Cm feedback.stop
    stand for
    .Cm feedback.borrow , feedback.renew
    and
    .Cm feedback.return
    of 1.2.
    Since 1.4
    .Cm prescription.load
    takes only a card that a person has confirmed:
    .Cm prescription.look
    tells whose it is and what it changes, to be shown to the wearer, and gives the
    .Ql confirmation .
    Since 1.5 methods are for roles, and
    .Cm debug.begin
    lets an audiologist or a developer change what is heard for a while.
    Since 1.6
    .Cm earphones.tell
    tells which earphones the wearer has on, and
    .Cm subscribe
    has the topic
    .Ql prescription ;
    .Cm device.show
    tells whose device it is, and
    .Cm procedure.start
    begins hearing tests and matches.
    .Pp
    A method says for which roles it is.
    The user of a person's own daemon, and root, are its wearer and its operator; of the system's daemon so are members of its group.
    Where
    .Cm control.owner
    is
    .Ql clinic
    they are its wearers only, but for root, who is its operator only.
    Members of the groups
    .Ql auricle\\-audiologist
    and
    .Ql auricle\\-developer
    may connect, and may prove that role for a time:
    .Cm role.begin
    answers a challenge, which
    .Xr auricle\\-auth 8
    takes, asks for the password, and brings to the daemon by
    .Cm role.prove ;
    the connection has the role then, until its time is over,
    .Cm role.end ,
    or the connection's end.
    Group
    .Ql audio
    gives no right.
    .Ic auricle roles
    prints who may do what.
    .Pp
    Every change is logged with user and process; what is done to the book stands in its audit trail too, with the role
    and its proof, and so do refused calls, a few of each user.
    Lists of the book hold neither names nor thresholds, and
    .Cm status
    does not.
    .Pp
    Sixteen clients are served at a time, eight of one process, and eight of those who may not silence the aid; a client
    is one that has asked something.
    When there are as many, one that has asked nothing for two seconds and has neither a subscription, a feedback test nor a
    procedure gives way to the next.
    .Cm mute , stop , feedback.stop
    and
    .Cm procedure.stop
    need no such place, and are carried out before every other request that has come;
    of the others one at a time, of the client that has waited the longest.
    A connection is to ask something within five seconds; of more than 64 that have not, some are closed.
    .Sh METHODS
    .Bl -tag -width Ds

    """

  private static let end = """
    .El
    .Sh NOTIFICATIONS
    After
    .Cm subscribe
    the daemon sends requests without
    .Ql id :
    .Bl -tag -width Ds
    .It Cm state
    .Ql state ,
    each change of it
    .It Cm meters
    .Ql meters :
    levels, gains, load and drop-outs, as in
    .Cm status
    .It Cm prescription
    .Ql prescription :
    the one in force, as in
    .Cm status ,
    within a second of a change: another one, the beginning or the end of a trial, other notes
    .El
    .Pp
    After
    .Cm spectrum.watch
    it sends, until
    .Cm unsubscribe :
    .Bl -tag -width Ds
    .It Cm spectrum
    .Ql spectrum ,
    an object as
    .Ic auricle spectrum --json
    prints one in each line;
    where the role ends that it needs, once
    .Ql ended
    alone, the reason as a clause
    .El
    .Pp
    After
    .Cm sound.watch
    it sends this connection the sound, until the wearer's permission ends:
    .Bl -tag -width Ds
    .It Cm sound
    .Ql sound ,
    an object with
    .Ql position ,
    the number of the first frame since the recording began: what is missing before it was lost on its way;
    .Ql time_seconds ,
    the time of that frame, as a spectrum has it;
    .Ql rate_hz ,
    and
    .Ql samples_base_64 :
    for each frame four 32-bit floats, lowest byte first, left and right input, left and right output;
    at the end, without samples,
    .Ql ended ,
    the reason as a clause
    .El
    .Pp
    The caller of
    .Cm feedback.measure
    receives notifications of the test without a subscription, until it ends:
    .Bl -tag -width Ds
    .It Cm feedback
    .Ql feedback ,
    an object with one of
    .Ql share ,
    the share of the whole that is done, 0 to 1;
    .Ql once_more ,
    what was found, for which a run is taken once more; at the end
    .Ql answer ,
    what
    .Ic auricle fit feedback --json
    prints, or
    .Ql error ,
    the failure as
    .Ql data
    of a refusal
    .El
    .Pp
    The caller of
    .Cm procedure.start
    receives notifications of the hearing test or match in the same way:
    .Bl -tag -width Ds
    .It Cm procedure
    .Ql procedure ,
    an object with the name of the
    .Ql record ,
    the
    .Ql share
    that is done, 0 to 1, and the
    .Ql phase :
    .Ql waiting-for-quiet ,
    with
    .Ql room :
    its
    .Ql level ,
    dB(A), the
    .Ql threshold
    that it must lie below now, and the
    .Ql state ;
    .Ql sounding
    or
    .Ql asking ,
    with
    .Ql step ,
    .Ql question
    and, where no tone is to be detected,
    .Ql ear , sound ,
    .Ql level
    and
    .Ql trial :
    its
    .Ql number
    from 1 and, where it is known, the
    .Ql count
    of all;
    where the step is begun again, or a key counts for nothing yet, also
    .Ql note ,
    the reason as a sentence;
    .Ql paused ;
    at the end
    .Ql finished
    with
    .Ql result ,
    or
    .Ql broken
    with
    .Ql error ,
    the failure as
    .Ql data
    of a refusal
    .El
    .Pp
    A step's
    .Ql question
    tells the keys that
    .Cm procedure.answer
    may bring:
    .Ql detection :
    .Ql heard ,
    as soon as a tone is; nothing is the answer that it was not.
    .Ql adjustment :
    .Ql turn
    with 1, \\-1, 5 or \\-5 dB, and
    .Ql accept .
    .Ql comparison :
    .Ql first , second ,
    and
    .Ql again
    for both once more.
    .Ql presence :
    .Ql present
    or
    .Ql absent ,
    the tinnitus.
    .Ql balance :
    .Ql softer , louder
    or
    .Ql equal ,
    the tone beside the tinnitus, and
    .Ql again
    for the tone once more.
    .Ql rating :
    .Ql rate
    with 0 to 200 per cent.
    .Ql likeness :
    .Ql rate
    with 0 to 100, and
    .Ql again
    for the sound once more.
    .Ql listening :
    none.
    .Ql pause
    and
    .Ql resume
    may always come; a pause that is asked for again is told again.
    A key counts from the moment at which the daemon reads it; one that the question does not have stands in the record and does
    nothing.
    So does an answer to a sound that has not begun, of two sounds the second: it counts from then on, also while the step is repeated.
    A turn, and a rating per cent, wait for no sound.
    Neither the level of a tone to be detected nor a silence in its place is sent.
    .Pp
    A test or procedure ends when its caller closes the connection, or only its sending side.
    Of a procedure what was answered is kept: with
    .Ql resume
    in place of
    .Ql order
    it goes on there.
    .Pp
    Each has a
    .Ql sequence ,
    counted from 1 for this connection: a gap shows how much was left out because the client read too slowly.
    .Sh DIAGNOSTICS
    A refusal is an
    .Ql error
    with a
    .Ql code ,
    one sentence as
    .Ql message ,
    and for what the daemon tried and could not do
    .Ql data
    with what was found, what was expected, what to do, and the exit status of a command.
    .Bl -tag -width -32700 -compact
    .It \\-32700
    Not JSON.
    .It \\-32600
    JSON, but no request.
    .It \\-32601
    An unknown method; the message names all, and the nearest where one is near.
    .It \\-32602
    A parameter that is missing or wrong; the message names it.
    .It \\-32603
    A fault of the daemon.
    .It \\-32000
    Understood and tried, and it failed.
    .It \\-32001
    Not for the roles of this client.
    .It \\-32002
    As many clients are connected as are allowed.
    .It \\-32003
    Nothing was asked in time.
    .El

    """

  private static let seeAlso = """
    .Sh SEE ALSO
    .Xr auricle 1 ,
    .Xr auricle-auth 8 ,
    .Xr auricled 8

    """
}
