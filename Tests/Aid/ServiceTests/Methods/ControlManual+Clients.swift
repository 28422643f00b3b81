extension ControlManual {
  /// Whole programs that call the daemon, which Tests/cli/protocol.sh takes from the page and runs.
  static let clients = """
    .Sh CLIENTS
    In Python, called with the path of the socket: the state, and each change of it.
    .Bd -literal
    \(literal(python))
    .Ed
    .Pp
    The same in the shell, with
    .Xr socat 1
    and
    .Xr jq 1 ,
    until its standard input ends.
    .Bd -literal
    \(literal(shell))
    .Ed
    .Pp
    A Swift program takes the library
    .Sy AuricleClient
    of this package, which
    .Xr auricle 1
    itself uses.
    .Bd -literal
    \(literal(swift))
    .Ed
    .Pp
    A hearing test of both ears at two frequencies, in Python: a line on its standard input, an Enter, says that a tone is heard.
    The thresholds are printed, dB HL.
    .Bd -literal
    \(literal(hearingTest))
    .Ed

    """

  private static let python = """
    import json, socket, sys
    aid = socket.socket(socket.AF_UNIX)
    aid.connect(sys.argv[1])
    lines = aid.makefile("rw", encoding="utf-8")
    def call(method, **parameters):
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        print(json.dumps(request), file=lines, flush=True)
        for answer in map(json.loads, lines):
            if answer.get("protocol", {"major": 1})["major"] != 1: sys.exit("another protocol")
            if "error" in answer: sys.exit(answer["error"]["message"])
            if "result" in answer: return answer["result"]
    print(call("status")["state"]["name"], flush=True)
    call("subscribe", topics=["state"])
    for news in map(json.loads, lines):
        print(news["params"]["state"]["name"], flush=True)
    """

  private static let shell = """
    socket=$1
    request() {
      jq -cn --arg method "$1" --argjson parameters "${2:-null}" \\
        '{jsonrpc: "2.0", id: 1, method: $method, params: ($parameters // {})}'
    }
    reach() { socat -t 5 - "UNIX-CONNECT:$socket"; }
    call() {
      request "$@" | reach | jq -e '
        if .protocol.major != 1 then "another protocol\\n" | halt_error
        elif .error then .error.message + "\\n" | halt_error
        else .result end'
    }
    call status | jq -r .state.name
    { request subscribe '{"topics": ["state"]}'; cat; } | reach |
      jq --unbuffered -r 'select(.method == "state").params.state.name'
    """

  private static let swift = """
    import AuricleClient
    let aid = try ControlClient()
    print(try aid.call("status")["state"]?["name"]?.minified ?? "")
    try aid.call("subscribe", ["topics": ["state"]])
    while true {
      if let news = try aid.nextNotification(timeout: 60) { print(news.content.minified) }
    }
    """

  private static let hearingTest = """
    import json, socket, sys, threading
    aid = socket.socket(socket.AF_UNIX)
    aid.connect(sys.argv[1])
    def send(method, **parameters):
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        aid.sendall(json.dumps(request).encode() + b"\\n")
    def press():
        for line in sys.stdin: send("procedure.answer", key="heard")
    send("procedure.start", order={"name": "hearing-test", "frequencies": [1000, 4000]})
    threading.Thread(target=press, daemon=True).start()
    for news in map(json.loads, aid.makefile(encoding="utf-8")):
        if "error" in news: sys.exit(news["error"]["message"])
        test = news.get("params", {}).get("procedure", {"phase": ""})
        if test["phase"] == "broken": sys.exit(test["error"]["message"])
        if test["phase"] == "finished": break
    for found in test["result"]["hearing_test"]["thresholds"]:
        print(found["ear"], found["frequency"], found.get("level"), found["has_response"])
    """

  /// Lines of a literal block.
  private static func literal(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
  }
}
