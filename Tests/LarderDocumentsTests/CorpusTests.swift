import DocumentExercise
import Foundation
import LarderModel
import Testing

/// Inputs from a coverage-guided fuzzer that reached new code in the document readers.
///
/// Each line of a corpus is a Base64-encoded file; `.ci/fuzz` also starts from these files.
@Suite struct CorpusTests {
  private static func corpus(_ name: String) throws -> [[UInt8]] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let text = try String(
      contentsOf: folder.appending(path: "Corpus/\(name).base64"), encoding: .utf8)
    return try text.split(separator: "\n").map { try #require(Base64.decode(String($0))) }
  }

  @Test func `JSON found by fuzzing can be read, changed and read again`() throws {
    for bytes in try Self.corpus("json") { try DocumentExercise.json(bytes) }
  }

  @Test func `Property lists and preferences found by fuzzing can be read, changed and read again`()
    throws
  {
    for bytes in try Self.corpus("plist") { try DocumentExercise.propertyList(bytes) }
  }

  @Test func `Images found by fuzzing can be read and scaled down`() throws {
    for bytes in try Self.corpus("image") { try DocumentExercise.image(bytes) }
  }
}
