import Foundation
import InspectionExercise
import Testing

/// What led a coverage-guided fuzzer to new places at either end of the inspection protocol.
///
/// Each line of a corpus is an input in base64; `.ci/fuzz` begins with them, too.
@Suite(.serialized) struct InspectionCorpusTests {
  private static func corpus(_ name: String) throws -> [[UInt8]] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let text = try String(
      contentsOf: folder.appending(path: "Corpus/\(name).base64"), encoding: .utf8)
    return try text.split(separator: "\n").map { line in
      Array(try #require(Data(base64Encoded: String(line))))
    }
  }

  @Test func `Whatever is said to a program that shows its sources, others are answered`() throws {
    for bytes in try Self.corpus("server") { try InspectionExercise.server(bytes) }
  }

  @Test func `Whatever a program answers, whoever looks comes to an end`() async throws {
    for bytes in try Self.corpus("client") { try await InspectionExercise.client(bytes) }
  }
}
