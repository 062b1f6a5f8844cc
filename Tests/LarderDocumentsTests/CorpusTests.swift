import DocumentExercise
import Foundation
import LarderModel
import Testing

/// Inputs that led a coverage-guided fuzzer to new places in the readers of documents.
///
/// Each line of a corpus is a file in base64; `.ci/fuzz` begins with them, too.
@Suite struct CorpusTests {
  private static func corpus(_ name: String) throws -> [[UInt8]] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let text = try String(
      contentsOf: folder.appending(path: "Corpus/\(name).base64"), encoding: .utf8)
    return try text.split(separator: "\n").map { try #require(Base64.decode(String($0))) }
  }

  @Test func `JSON that a fuzzer found is read, changed and read again`() throws {
    for bytes in try Self.corpus("json") { try DocumentExercise.json(bytes) }
  }

  @Test func `Property lists and preferences that a fuzzer found are read, changed and read again`()
    throws
  {
    for bytes in try Self.corpus("plist") { try DocumentExercise.propertyList(bytes) }
  }

  @Test func `Images that a fuzzer found are read and made smaller`() throws {
    for bytes in try Self.corpus("image") { try DocumentExercise.image(bytes) }
  }
}
