import Harmony
import Testing

/// The parent folder of a path.
@Suite struct ParentPathTests {
  @Test(
    arguments: [
      ("/a/b", "/a"), ("/a/b/", "/a"), ("/a", "/"), ("/", "/"), ("//", "/"), ("/a//b//", "/a"),
      ("a/b", "a"), ("a", ""), ("a/", ""), ("", ""), ("./a", "."), ("d", ""), ("é", ""), (".", ""),
    ])
  func isThePathOfTheFolder(_ path: String, _ parent: String) {
    #expect(path.parentPath == parent)
  }
}
