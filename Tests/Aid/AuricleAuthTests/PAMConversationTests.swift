import AuricleClient
import CPAM
import Glibc
import Testing

@testable import ProofOfRole

@Suite("Conversation of PAM") struct PAMConversationTests {
  private let client = Client()

  /// PAM's call with messages of these styles, and the answers, nil where there is none; nil: it failed.
  private func call(_ messages: [(Int32, String)]) -> [String?]? {
    let conversation = PAMConversation(client.connection)
    let texts = messages.map { strdup($0.1) }
    defer { for text in texts { free(text) } }
    let entries = zip(messages, texts).map { pam_message(msg_style: $0.0.0, msg: $0.1) }
    return entries.withUnsafeBufferPointer { (entries: UnsafeBufferPointer<pam_message>) -> [String?]? in
      var pointers: [UnsafePointer<pam_message>?] = entries.indices.map { index in
        entries.baseAddress?.advanced(by: index)
      }
      var answers: UnsafeMutablePointer<pam_response>?
      let context = Unmanaged.passUnretained(conversation).toOpaque()
      let code = respond(
        count: Int32(messages.count), messages: &pointers, responses: &answers, context: context)
      guard code == PAM_SUCCESS else { return nil }
      defer { free(answers) }
      return entries.indices.map { index -> String? in
        guard let text = answers?[index].resp else { return nil }
        defer { free(text) }
        return String(cString: text)
      }
    }
  }

  @Test("prompts with and without echo are answered in their order, messages are passed on")
  func answered() {
    client.send("{\"text\":\"ada\"}\n{\"text\":\"vier Wörter \\\"genügen\\\"\"}\n")
    let answers = call([
      (PAM_TEXT_INFO, "Welcome"), (PAM_PROMPT_ECHO_ON, "Name: "), (PAM_ERROR_MSG, "Caps lock"),
      (PAM_PROMPT_ECHO_OFF, "Password: "),
    ])
    #expect(answers == [nil, "ada", nil, "vier Wörter \"genügen\""])
    #expect(
      client.messages == [
        .message("Welcome"), .prompt("Name: ", echo: true), .errorMessage("Caps lock"),
        .prompt("Password: ", echo: false),
      ])
  }

  @Test(
    "an answer that is not one ends the conversation",
    arguments: [
      "rubbish\n", "{\"text\":5}\n", "{\"text\":\"a\\u0000b\"}\n", String(repeating: "x", count: 5000),
    ])
  func rubbish(line: String) {
    client.send("{\"text\":\"first\"}\n\(line)")
    #expect(call([(PAM_PROMPT_ECHO_OFF, "One: "), (PAM_PROMPT_ECHO_OFF, "Two: ")]) == nil)
  }

  @Test("a client that has left, a style that is not known and no message end it too")
  func ended() {
    #expect(call([(PAM_BINARY_PROMPT, "bytes")]) == nil)
    #expect(call([]) == nil)
    client.leave()
    #expect(call([(PAM_PROMPT_ECHO_OFF, "Password: ")]) == nil)
    #expect(call([(PAM_TEXT_INFO, "to nobody")]) == nil)
  }
}
