import LarderDocuments
import Testing

/// Searches in JSON that ignore whitespace between tokens.
@Suite struct JSONSpacingTests {
  @Test(arguments: [
    ("{\"a\":1", true), ("\"a\": 1", true), ("1, 2", true), ("user:42", false), ("plain", false),
    ("{", false), ("},{", false), ("[ ]", false), (", ", false), ("", false),
  ])
  func whiteSpaceMattersToPiecesOfJSONAndNotToPunctuationAlone(text: String, matters: Bool) {
    #expect(JSONSpacing.matters(to: text) == matters)
  }
}
