import LarderFormats
import Foundation
import HarmonyTesting
@testable import LarderModel
@testable import LarderBrowser
import Testing

/// Compressed bytes, shown decompressed.
@Suite struct CompressedFormatTests {
  private static let json =
    "H4sIAAAAAAACA6tWykvMTVWyUnJMSVTSUSpJTC9WsopWyk0syQByU/PSM/NSlWJrAUVXP1YnAAAA"
  private static let text =
    "eJzLycxOLVYoSU1UyBnSLAAqUEdp"
  private static let members =
    "H4sIAAAAAAACA8vPS1UAAElhrCMEAAAAH4sIAAAAAAACAyspzwcAZorKEQMAAAA="

  private func bytes(_ base64: String) throws -> [UInt8] {
    Array(try #require(Data(base64Encoded: base64)))
  }

  private func model(_ bytes: [UInt8]) -> ValueModel {
    var model = ValueModel(key: .text("a"), token: 1)
    model.receive(.success(Entry(key: .text("a"), value: .data(bytes))))
    return model
  }

  private func rows(_ model: ValueModel) -> [String] {
    (0..<model.rowCount).map { model.line(at: $0).text }
  }

  @Test func `Decompressed contents are shown in their own format`() throws {
    let json = model(try bytes(Self.json))
    #expect(json.format == "gzip")
    #expect(
      rows(json) == [
        "gzip: 39 bytes from 57, as json", "{", "  \"name\": \"Ada\",", "  \"tags\": [",
        "    \"math\",", "    \"engine\"", "  ]", "}",
      ])
    #expect(json.tree != nil)
    let text = model(try bytes(Self.text))
    #expect(text.format == "zlib")
    #expect(rows(text)[0] == "zlib: 200 bytes from 21, as text")
    #expect(rows(text)[1].hasPrefix("likes tea likes tea"))
    #expect(rows(model(try bytes(Self.members))).last == "one two")
  }

  @Test func `Truncated and damaged data is reported`() throws {
    for base64 in [Self.json, Self.text, Self.members] {
      let whole = try bytes(base64)
      for count in 0..<whole.count { _ = rows(model(Array(whole.prefix(count)))) }
      let seed = UInt64.random(in: .min ... .max)
      var random = SeededGenerator(seed: seed)
      for _ in 0..<300 {
        var damaged = whole
        damaged[Int.random(in: damaged.indices, using: &random)] = .random(
          in: 0...255, using: &random)
        #expect(!rows(model(damaged)).isEmpty, "seed \(seed)")
      }
    }
    let whole = try bytes(Self.json)
    #expect(rows(model(Array(whole.dropLast(12))))[0].hasSuffix("damaged: it ends too early"))
    var damaged = whole
    damaged[whole.count - 6] ^= 0xFF
    #expect(rows(model(damaged))[0].contains("damaged: incorrect"))
    #expect(
      rows(model(Array(whole.prefix(4))))[0]
        == "gzip: 0 bytes from 4, as text; damaged: it ends too early")
  }

  @Test func `Very large data is decompressed in part`() throws {
    // A file with the same member of zeros many times.
    let member = try bytes(
      "H4sIAAAAAAACA+3BgQAAAADDoPlT3+AEVQEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB8A6wKZnUAAAgA"
    )
    var many = model(Array(repeatElement(member, count: 40).joined()))
    #expect(many.isUnread)
    let isRead = many.read()
    #expect(isRead)
    #expect(many.line(at: 0).text.hasPrefix("gzip: the first 16,777,216 bytes from "))
  }

  @Test func `Text that only looks compressed is text`() {
    for text in ["x^y = z", "x\u{9c} marks", "H\u{89}"] {
      #expect(model(Array(text.utf8)).format == "text", "\(text)")
    }
  }
}
