import Foundation
import InspectionExercise
import Testing

/// Inputs with which a coverage-guided fuzzer found new code paths at either end of the inspection
/// protocol.
///
/// Each line of a corpus is an input in base64; `.ci/fuzz` uses them as seeds too.
@Suite(.serialized) struct InspectionCorpusTests {
  private static func corpus(_ name: String) throws -> [[UInt8]] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let text = try String(
      contentsOf: folder.appending(path: "Corpus/\(name).base64"), encoding: .utf8)
    return try text.split(separator: "\n").map { line in
      Array(try #require(Data(base64Encoded: String(line))))
    }
  }

  @Test func `A live process still answers others after any input`() throws {
    for bytes in try Self.corpus("server") { try InspectionExercise.server(bytes) }
  }

  @Test func `A client terminates for any response`() async throws {
    for bytes in try Self.corpus("client") { try await InspectionExercise.client(bytes) }
  }
}
