import Foundation
@testable import LarderCore
import Testing

/// Inputs that led a coverage-guided fuzzer to new places in the readers of documents.
///
/// Each line of a corpus is a file in base64. What is accepted is changed in every simple way, and
/// the result has to be read again as what the change made of it.
@Suite struct CorpusTests {
  private static func corpus(_ name: String) throws -> [[UInt8]] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let text = try String(
      contentsOf: folder.appending(path: "Corpus/\(name).base64"), encoding: .utf8)
    return try text.split(separator: "\n").map { try #require(Base64.decode(String($0))) }
  }

  @Test func `JSON that a fuzzer found is read, changed and read again`() throws {
    for bytes in try Self.corpus("json") {
      _ = JSONStart(bytes)
      try exercise(JSONDocument.self, bytes)
    }
  }

  @Test func `Property lists and preferences that a fuzzer found are read, changed and read again`()
    throws
  {
    for bytes in try Self.corpus("plist") {
      _ = PropertyListDocument.beginsOpenStep(bytes)
      _ = KeyedArchive.decode(bytes)
      try exercise(PropertyListDocument.self, bytes)
      try exercise(PreferencesDocument.self, bytes)
    }
  }

  private func exercise<D: Document>(_ type: D.Type, _ bytes: [UInt8]) throws {
    guard let document = try? D(parsing: bytes) else { return }
    let comment = Comment(rawValue: "\(type) \(Base64.encode(bytes))")
    for step in document.members.prefix(8) {
      guard let old = try? document.value(at: [step]) else { continue }
      if let same = try? document.applying([.set([step], old)]) {
        #expect(same == bytes, comment)
      }
      for value in [.text("é\u{1}"), .bool(true), .array([.text("x"), .integer(-1)]), old] {
        guard let changed = try? document.applying([.set([step], value)]) else { continue }
        let result = try #require(try? D(parsing: changed), comment)
        #expect(try result.value(at: [step]) == value, comment)
        #expect(result.members == document.members, comment)
      }
      guard let removed = try? document.applying([.remove([step])]) else { continue }
      let result = try #require(try? D(parsing: removed), comment)
      #expect(result.members.count == document.members.count - 1, comment)
    }
  }
}
