import Foundation
@testable import LarderModel
@testable import LarderFormats
@testable import LarderBrowser
import Testing

/// Base64 text, shown decoded.
@Suite struct Base64FormatTests {
  private func model(_ value: StoredValue) -> ValueModel {
    var model = ValueModel(key: .text("a"), token: 1)
    model.receive(.success(Entry(key: .text("a"), value: value)))
    return model
  }

  private func rows(_ model: ValueModel) -> [String] {
    (0..<model.rowCount).map { model.line(at: $0).text }
  }

  private func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  private func formats(_ text: String) -> [String] {
    ValueFormat.suitable(for: .text(text)).map(\.name)
  }

  @Test func `A structure in Base64 is shown as a structure`() {
    let json = model(.text(base64(#"{"name":"Ada"}"#)))
    #expect(json.format == "base64")
    #expect(rows(json) == ["base64: 14 bytes from 20, as json", "{", "  \"name\": \"Ada\"", "}"])
    #expect(json.tree != nil)
    #expect(model(.data(Array(base64("[1, 2, 3]").utf8))).format == "base64")
  }

  @Test func `Compressed data in Base64 is decompressed`() {
    let gzip =
      "H4sIAAAAAAACA6tWykvMTVWyUnJMSVTSUSpJTC9WsopWyk0syQByU/PSM/NSlWJrAUVXP1YnAAAA"
    let shown = rows(model(.text(gzip)))
    #expect(shown[0] == "base64: 57 bytes from 76, as gzip")
    #expect(shown[1] == "gzip: 39 bytes from 57, as json")
    #expect(shown.contains("  \"name\": \"Ada\","))
  }

  @Test func `Text and bytes in Base64 are decoded on request`() {
    #expect(formats(base64("Hello, world")) == ["text", "base64", "hex"])
    #expect(formats(Data((0...255).map { UInt8($0) }).base64EncodedString()).contains("base64"))
    #expect(formats(base64("Hello, world?>").replacing("/", with: "_")).contains("base64"))
    // Lines as in mail, text without padding, and a data URL.
    let long = Data(repeating: 7, count: 200).base64EncodedString(options: .lineLength76Characters)
    let folded = model(.text(long + "\r\n"))
    #expect(folded.format == "text")
    #expect(formats(base64("Hello, worlds").replacing("=", with: "")).contains("base64"))
    #expect(formats("data:text/plain;base64," + base64("Hi, you!")).contains("base64"))
  }

  @Test(arguments: [
    "password", "deadbeefdeadbeefdeadbeef", "/usr/local/share", "two words", "", "A", "====",
    "SGVsbG8=SGVsbG8=", "1234567890123456", "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
    "com.example.app.settings", "internationalization",
  ])
  func `Text that only looks like Base64 is text`(_ text: String) {
    #expect(!formats(text).contains("base64"), "\(text)")
    #expect(model(.text(text)).format == "text")
  }

  @Test func `Any prefix of Base64 can be shown`() {
    let whole = base64(#"{"name":"Ada"}"#)
    for count in 0...whole.count { _ = rows(model(.text(String(whole.prefix(count))))) }
    for filler in ["=", "==", "===", "=A", "-_", "\n=\n", "é"] {
      _ = rows(model(.text(whole + filler)))
    }
  }

  @Test func `A large text is decoded in the background`() {
    let inside = "[" + String(repeating: "1, ", count: 20_000) + "1]"
    var large = model(.text(base64(inside)))
    #expect(large.isUnread && large.format == "text")
    let isRead = large.read()
    #expect(isRead && large.format == "base64")
    #expect(large.line(at: 0).text.hasSuffix("as json"))
  }

  @Test func `A token shows its header and payload`() {
    let token =
      "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0IiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJ"
    let shown = rows(model(.text(token)))
    #expect(model(.text(token)).format == "jwt")
    #expect(shown[0] == "jwt: the signature is not checked")
    #expect(shown.contains("    \"alg\": \"HS256\","))
    #expect(shown.contains { $0.hasPrefix("    \"iat\": 1516239022") && $0.contains("2018-01-18") })
    for count in 0..<token.count { _ = rows(model(.text(String(token.prefix(count))))) }
    #expect(model(.text("eyJ.eyJ.eyJ")).format == "text")
  }

  @Test func `A member in Base64 shows its decoded text`() {
    let json = rows(
      model(.text(#"{"payload":"\#(base64("Hello, world"))","word":"password1234"}"#)))
    #expect(json[1] == "  \"payload\": \"SGVsbG8sIHdvcmxk\",  base64: Hello, world")
    #expect(json[2] == "  \"word\": \"password1234\"")
    let hostile = ValueNote.text(of: .text(base64("a\u{1B}[31mred and more")))
    #expect(hostile == nil)
    let long = ValueNote.text(of: .text(base64(String(repeating: "x", count: 100))))
    #expect(long == "base64: " + String(repeating: "x", count: 60) + "…")
  }
}
