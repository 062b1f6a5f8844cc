import LarderModel
import Testing

/// Store locations as typed by users.
@Suite struct StoreLocationTests {
  @Test(
    arguments: [
      ("app.db", [], "app.db", nil), ("app.db#people", ["app.db"], "app.db", "people"),
      ("app.db#people", [], "app.db", "people"), ("a#b.db", ["a#b.db"], "a#b.db", nil),
      ("a#b.db#people", ["a#b.db"], "a#b.db", "people"),
      ("app.db#a#b", ["app.db"], "app.db", "a#b"), ("a#b#c", ["a", "a#b"], "a#b", "c"),
      ("app.db#", ["app.db"], "app.db", ""),
      ("#", [], "", ""), ("", [], "", nil), ("memory:seed.json#a", [], "memory:seed.json", "a"),
    ] as [(String, [String], String, String?)])
  func theMarkPicksACollectionUnlessItIsInAPath(
    _ text: String, _ files: [String], _ path: String, _ collection: String?
  ) {
    let location = StoreLocation(text) { files.contains($0) }
    #expect(location.path == path)
    #expect(location.collection == collection)
  }

  @Test(arguments: ["app.db", "app.db#people", "a b#c d"])
  func `A location is formatted as it is typed`(_ text: String) {
    #expect(StoreLocation(text) { _ in false }.description == text)
  }
}
