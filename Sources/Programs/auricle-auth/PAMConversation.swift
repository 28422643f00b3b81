import AuricleClient
import Base
import CPAM
import Glibc

/// One transaction of PAM, whose questions the client answers.
///
/// It runs in a process of its own: a module can hang where nothing but the end of the process stops it.
final class PAMConversation {
  /// PAM's service: `/etc/pam.d/auricle`.
  static let service = "auricle"

  private let connection: ProofConnection
  /// The reason for which an answer could not be had.
  private(set) var fault: String?

  init(_ connection: ProofConnection) { self.connection = connection }

  /// Proves that the client is this user, and that the account may be used now.
  ///
  /// Nothing is set up for the user, so there are no credentials to establish (pam_setcred) and no session.
  func outcome(for user: String) -> ProofOutcome {
    var handle: OpaquePointer?
    // Copied by pam_start.
    var conversation = pam_conv(conv: respond, appdata_ptr: Unmanaged.passUnretained(self).toOpaque())
    var code = pam_start(Self.service, user, &conversation, &handle)
    guard code == PAM_SUCCESS, let handle else { return refusal(code, handle) }
    defer { pam_end(handle, code) }
    // An empty password proves nothing, whatever the service allows.
    let flags = Int32(bitPattern: UInt32(PAM_DISALLOW_NULL_AUTHTOK))
    code = pam_authenticate(handle, flags)
    if code == PAM_SUCCESS { code = pam_acct_mgmt(handle, flags) }
    guard code == PAM_SUCCESS else { return refusal(code, handle) }
    // A module may have put another user in this one's place.
    guard Self.user(of: handle) == user else {
      return ProofOutcome(reason: "PAM proved another user than the one who asks")
    }
    return ProofOutcome(reason: nil)
  }

  private static func user(of handle: OpaquePointer) -> String? {
    var item: UnsafeRawPointer?
    guard pam_get_item(handle, PAM_USER, &item) == PAM_SUCCESS, let item else { return nil }
    return String(validatingCString: item.assumingMemoryBound(to: CChar.self))
  }

  // MARK: - Answers

  /// The answer to a prompt as C takes it, to be freed; nil when there is none.
  fileprivate func answer(to prompt: String, echo: Bool) -> UnsafeMutablePointer<CChar>? {
    guard connection.send(.prompt(prompt, echo: echo)) else {
      fault = ProofConnection.Fault.gone.words
      return nil
    }
    do throws(ProofConnection.Fault) {
      var line = try connection.readLine()
      defer {
        line.withUnsafeMutableBytes { bytes in
          if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        }
      }
      if let answer = try? JSON.value(ProofAnswer.self, from: line), !answer.text.utf8.contains(0) {
        return strdup(answer.text)
      }
      fault = "The answer to a prompt was not {\"text\":\"…\"}"
    } catch {
      fault = error.words
    }
    return nil
  }

  fileprivate func tell(_ message: ProofMessage) -> Bool { connection.send(message) }

  // MARK: - Results

  private func refusal(_ code: Int32, _ handle: OpaquePointer?) -> ProofOutcome {
    if let fault { return ProofOutcome(reason: fault, remedy: "Ask again.") }
    let words = String(cString: pam_strerror(handle, code))
    let file = "/etc/pam.d/\(Self.service)"
    switch code {
    case PAM_AUTH_ERR, PAM_USER_UNKNOWN, PAM_CRED_INSUFFICIENT, PAM_PERM_DENIED:
      return ProofOutcome(
        reason: "PAM did not accept the proof (\(words))",
        remedy: "Try again; see \(file) for what it asks.")
    case PAM_MAXTRIES:
      return ProofOutcome(reason: "PAM counts too many wrong tries", remedy: "Wait, then try again.")
    case PAM_NEW_AUTHTOK_REQD:
      return ProofOutcome(reason: "The password has expired", remedy: "Change it: passwd")
    case PAM_ACCT_EXPIRED: return ProofOutcome(reason: "The account has expired")
    default:
      return ProofOutcome(
        reason: "The PAM service \(Self.service) does not work (\(words))",
        remedy: "See \(file) and the log of auricle-auth.")
    }
  }
}

/// PAM's conversation function (pam_conv(3)).
func respond(
  count: Int32, messages: UnsafeMutablePointer<UnsafePointer<pam_message>?>?,
  responses: UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?, context: UnsafeMutableRawPointer?
) -> Int32 {
  guard 1...PAM_MAX_NUM_MSG ~= count, let messages, let responses, let context,
    let answers = calloc(Int(count), MemoryLayout<pam_response>.stride)?
      .bindMemory(to: pam_response.self, capacity: Int(count))
  else { return PAM_CONV_ERR }
  let conversation = Unmanaged<PAMConversation>.fromOpaque(context).takeUnretainedValue()
  for index in 0..<Int(count) {
    guard let message = messages[index]?.pointee else { continue }
    let text = message.msg.map { String(cString: $0) } ?? ""
    let isDone: Bool
    switch message.msg_style {
    case PAM_PROMPT_ECHO_OFF, PAM_PROMPT_ECHO_ON:
      answers[index].resp = conversation.answer(to: text, echo: message.msg_style == PAM_PROMPT_ECHO_ON)
      isDone = answers[index].resp != nil
    case PAM_TEXT_INFO: isDone = conversation.tell(.message(text))
    case PAM_ERROR_MSG: isDone = conversation.tell(.errorMessage(text))
    default: isDone = false
    }
    if isDone { continue }
    for answer in UnsafeMutableBufferPointer(start: answers, count: index + 1) {
      guard let text = answer.resp else { continue }
      explicit_bzero(text, strlen(text))
      free(text)
    }
    free(answers)
    return PAM_CONV_ERR
  }
  // Wiped and freed by the modules, or with the process.
  responses.pointee = answers
  return PAM_SUCCESS
}

/// Result of a conversation, as one process tells it to the other.
struct ProofOutcome: Decodable, Equatable {
  /// A sentence without its full stop; nil: it is this person.
  let reason: String?
  /// Sentences.
  let remedy: String?

  init(reason: String?, remedy: String? = nil) { (self.reason, self.remedy) = (reason, remedy) }

  /// Without its line break.
  var line: [UInt8] {
    let json: JSONValue = ["reason": reason.map(JSONValue.text), "remedy": remedy.map(JSONValue.text)]
    return [UInt8](json.minified.utf8)
  }
}
