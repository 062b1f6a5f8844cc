import Foundation
import Testing

/// Locations given as file URLs.
@Suite struct FileURLTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      "with space#ä.db",
      "CREATE TABLE kv (k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES ('a', 'one');")
  }

  private var url: String {
    scratch.path + "/with%20space%23%C3%A4.db"
  }

  @Test(arguments: ["file://", "file://localhost", "FILE:"])
  func `A file URL is equivalent to its path`(start: String) throws {
    let state = ["XDG_STATE_HOME": scratch.file("state")]
    #expect(try Shell.larder("ls", start + url).lines == ["a"])
    #expect(try Shell.larder("get", start + url + "#kv", "a").lines == ["one"])
    #expect(try Shell.larder("put", start + url, "a", "two", environment: state).code == 0)
    #expect(try Shell.larder("log", start + url, environment: state).lines.count == 1)
    #expect(try Shell.larder("log", database, environment: state).lines.count == 1)
    #expect(try Shell.larder("undo", start + url, environment: state).code == 0)
    let screen = try Shell.larder("screen", start + url, "--size", "80x10")
    #expect(screen.text.contains("one"))
  }

  @Test(arguments: [
    ("file:///tmp/%zz", "two hexadecimal digits"), ("file:///tmp/%2", "two hexadecimal digits"),
    ("file:///tmp/%FF", "UTF-8"), ("file:///tmp/%00", "UTF-8"),
    ("file://server/share/a.db", "on “server”"), ("file://localhost", "names no file"),
  ])
  func `A URL without a local path is refused`(location: String, words: String) throws {
    for command in [["ls"], ["info"], ["log"], []] {
      let outcome = try Shell.run(Shell.larder, command + [location])
      #expect(outcome.code == 3)
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
  }
}
