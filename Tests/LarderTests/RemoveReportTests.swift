import Foundation
import Testing

/// The report of `rm --json` when some entries cannot be deleted, and for long lists.
@Suite struct RemoveReportTests {
  private let scratch: Scratch
  private let folder: String
  private var state: [String: String] { ["XDG_STATE_HOME": scratch.file("state")] }

  init() throws {
    scratch = try Scratch()
    folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["p1", "p2", "p3"] { _ = try scratch.file("files/" + name, name.utf8) }
  }

  private func addLink() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/plink", withDestinationPath: "p1")
  }

  private func larder(_ words: String...) throws -> Outcome {
    try Shell.run(Shell.larder, words, environment: state)
  }

  private func keys(_ outcome: Outcome) throws -> [String?] {
    try outcome.lines.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary
      return object?["key"] as? String
    }
  }

  private var left: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
  }

  @Test func `Deleting a prefix that cannot be restored is refused with and without JSON`() throws {
    try addLink()
    let plain = try larder("rm", folder, "--prefix", "p", "--yes")
    let lines = try larder("rm", folder, "--prefix", "p", "--yes", "--json")
    #expect(plain.code == 5)
    #expect(plain.errors.contains("plink cannot be read, so undo could not restore it"))
    #expect(lines.code == plain.code)
    #expect(lines.errors.hasPrefix("{\"error\":\"notSupported\","))
    #expect(lines.output.isEmpty)
    #expect(try left == ["p1", "p2", "p3", "plink"])
    #expect(try larder("log").output.isEmpty)
    let done = try larder("rm", folder, "--prefix", "p", "--yes", "--json", "--no-journal")
    #expect(done.code == 0)
    #expect(try keys(done) == ["p1", "p2", "p3", "plink"])
    #expect(try left == [])
  }

  @Test func `Missing keys and commands are errors with a code, as lines of JSON`() throws {
    let database = try scratch.database(
      "CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires_at INTEGER);"
        + "INSERT INTO cache VALUES ('a', 'v', 1790000000);")
    func errors(_ outcome: Outcome) throws -> [String?] {
      try outcome.errors.split(separator: "\n").filter { $0.hasPrefix("{") }.map { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary
        return object?["error"] as? String
      }
    }
    for words in [
      ["rm", database, "no", "none"], ["rm", database, "a", "no", "none", "--dry-run"],
      ["touch", database, "no", "none", "--ttl", "1h"],
      ["touch", database, "a", "no", "none", "--never", "--dry-run"],
    ] {
      let outcome = try Shell.run(Shell.larder, words + ["--json"], environment: state)
      #expect(outcome.code == 1)
      #expect(try errors(outcome) == ["notFound", "notFound"], "\(words): \(outcome.errors)")
    }
    let none = try larder("touch", database, "--prefix", "x", "--never", "--yes", "--json")
    #expect(try none.code == 1 && errors(none) == ["notFound"])
    let help = try larder("help", "toch", "--json")
    #expect(try help.code == 2 && errors(help) == ["usage"])
    #expect(help.errors.contains("toch"), "\(help.errors)")
    #expect(try larder("help", "touch", "--json").code == 0)
  }

  @Test(arguments: [["p1", "nosuch"], ["nosuch", "p1"]], [[], ["--json"]])
  func `Deleted and missing keys are reported together`(
    names: [String], options: [String]
  ) throws {
    let outcome = try Shell.run(Shell.larder, ["rm", folder] + names + options)
    #expect(outcome.code == 1)
    #expect(
      outcome.errors.contains("\(folder) has no entry nosuch; deleted p1"), "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix(options.isEmpty ? "larder: " : "{\"error\":\"notFound\","))
    #expect(try keys(outcome) == (options.isEmpty ? [] : ["p1"]))
    #expect(try !left.contains("p1"))
    let again = try Shell.run(Shell.larder, ["rm", folder] + names + options)
    #expect(again.errors.contains("; nothing was deleted"), "\(again.errors)")
    #expect(again.code == 1)
  }

  private func addTree() throws {
    for name in ["one", "one/two", "other"] {
      try FileManager.default.createDirectory(
        atPath: folder + "/tree/" + name, withIntermediateDirectories: true)
    }
    for name in ["one/a", "one/two/b", "other/c"] {
      _ = try scratch.file("files/tree/" + name, name.utf8)
    }
    chmod(folder + "/tree/one", 0o711)
  }

  private var folders: [String] {
    get throws {
      try FileManager.default.subpathsOfDirectory(atPath: folder)
        .filter { !$0.contains("p") }.sorted()
    }
  }

  @Test(arguments: [[], ["--no-journal"]])
  func `Folders emptied by a deletion stay and are reported`(options: [String]) throws {
    try addTree()
    let outcome = try Shell.run(
      Shell.larder, ["rm", folder, "--prefix", "tree/one/", "--yes"] + options, environment: state)
    #expect(outcome.code == 0)
    #expect(
      outcome.errors.contains(
        "2 folders, such as tree/one, are empty now and were not removed, because larder changes "
          + "only files"),
      "\(outcome.errors)")
    #expect(try folders == ["tree", "tree/one", "tree/one/two", "tree/other", "tree/other/c"])
    guard options.isEmpty else { return }
    let undone = try larder("undo", folder)
    #expect(undone.code == 0 && !undone.errors.contains("empty"), "\(undone.errors)")
    #expect(try String(contentsOfFile: folder + "/tree/one/two/b", encoding: .utf8) == "one/two/b")
    let mode = try FileManager.default.attributesOfItem(atPath: folder + "/tree/one")[
      .posixPermissions]
    #expect(mode as? Int == 0o711)
  }

  @Test func `A deletion that empties no folder says nothing, and a move that does is reported`()
    throws
  {
    try addTree()
    #expect(try larder("rm", folder, "tree/one/a").errors.isEmpty)
    #expect(try larder("rm", folder, "p1", "p2", "p3").errors.isEmpty)
    let moved = try larder("mv", folder, "tree/other/c", "c")
    #expect(
      moved.errors.contains("the folder tree/other is empty now and was not removed"),
      "\(moved.errors)")
    let lines = try larder("rm", folder, "tree/one/two/b", "--json")
    #expect(lines.text.contains("\"remarks\":[\"2 folders, such as tree/one,"), "\(lines.text)")
  }

  @Test func `A prefix is deleted in one change`() throws {
    let outcome = try larder("rm", folder, "--prefix", "p", "--yes", "--json")
    #expect(outcome.errors.contains("deleted 3 entries"))
    #expect(try keys(outcome) == ["p1", "p2", "p3"])
    #expect(try larder("log").lines.count == 1)
    #expect(try larder("undo").code == 0)
    #expect(try left == ["p1", "p2", "p3"])
  }

  @Test func `A link has no TTL and stays when expired entries are deleted`() throws {
    try addLink()
    let outcome = try larder("rm", folder, "--expired", "--ttl", "0s", "--yes", "--json")
    #expect(outcome.code == 0)
    #expect(try keys(outcome) == ["p1", "p2", "p3"])
    #expect(outcome.errors.contains("deleted 3 entries"), "\(outcome.errors)")
    #expect(try left == ["plink"])
  }

  @Test func `Deletions that were rolled back are not reported`() throws {
    let tree = try scratch.database(
      """
      CREATE TABLE t (k TEXT PRIMARY KEY, parent TEXT REFERENCES t(k));
      INSERT INTO t VALUES ('p1', NULL), ('p2', NULL), ('x', 'p1');
      """)
    let outcome = try larder("rm", tree, "--prefix", "p", "--yes", "--json")
    #expect(outcome.code == 3)
    #expect(outcome.output.isEmpty)
    #expect(!outcome.errors.contains("deleted"), "\(outcome.errors)")
    #expect(try scratch.query(tree, "SELECT count(*) FROM t") == ["3"])
  }

  @Test func `Listing large values does not hold them all in memory`() throws {
    for number in 1...32 {
      let file = try scratch.file("files/big\(number)", [])
      #expect(truncate(file, 2 << 20) == 0)
    }
    let script = """
      import resource, subprocess, sys
      lines = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE).stdout.splitlines()
      print(len(lines), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      """
    let outcome = try Shell.run(
      "python3",
      ["-c", script, Shell.larder, "rm", folder, "--prefix", "big", "--json", "--dry-run"])
    let numbers = outcome.text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    #expect(numbers.first == 32)
    // The values together take 64 MiB; the measured memory is in KiB.
    #expect(try #require(numbers.last) < 64 << 10)
  }
}
