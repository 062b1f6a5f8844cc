import Foundation
import Testing

/// Messages of `import` about invalid input.
@Suite struct ImportErrorTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v NOT NULL CHECK (v <> 'bad'));
      INSERT INTO kv VALUES ('a', '1');
      """)
  }

  private static let good = "{\"key\":\"n1\",\"value\":\"x\"}\n\n{\"key\":\"n2\",\"value\":\"x\"}\n"

  /// Lines that are not entries of the table, with the exit code and message of each.
  private static let lines: [(line: String, code: Int32, words: String)] = [
    ("nonsense\n", 2, "it is not JSON"),
    ("[1]\n", 2, "not a JSON object"),
    ("{\"value\":\"x\"}\n", 2, "it has no \"key\""),
    ("{\"key\":\"b\"}\n", 2, "it has no \"value\""),
    (
      "{\"key\":\"b\",\"type\":\"strng\",\"value\":\"x\"}\n", 2,
      "\"strng\" is not one of null, bool"
    ),
    ("{\"key\":\"b\",\"type\":\"data\",\"value\":{\"base64\":\"AAA\"}}\n", 2, "not valid Base64"),
    ("{\"key\":\"b\",\"value\":{\"base64\":\"!!!\"}}\n", 2, "not valid Base64"),
    (
      "{\"key\":\"b\",\"type\":\"date\",\"value\":{\"date\":\"soon\"}}\n", 2,
      "not a date such as 20"
    ),
    ("{\"key\":\"b\",\"type\":\"text\",\"value\":1}\n", 2, "of type integer, not text"),
    ("{\"key\":\"b\",\"value\":\"x\",\"expires\":\"soon\"}\n", 2, "\"expires\" is neither"),
    ("{\"key\":\"b\",\"val", 2, "may be truncated"),
    ("{\"key\":\"b\",\"value\":\"bad\"}\n", 3, "CHECK constraint failed"),
    ("{\"key\":\"a\",\"value\":\"2\"}\n", 4, "a already exists with another value"),
  ]

  @Test(arguments: [[], ["--no-journal"]], lines.indices)
  func `The invalid line is named and nothing is written`(
    options: [String], place: Int
  ) throws {
    let (line, code, words) = Self.lines[place]
    let file = try scratch.file("in.jsonl", (Self.good + line).utf8)
    let outcome = try Shell.run(Shell.larder, ["import", database, file] + options)
    #expect(outcome.code == code)
    #expect(outcome.errors.contains("line 4 of \(file)"), "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(outcome.errors.contains("nothing was written"), "\(outcome.errors)")
    #expect(try scratch.query(database, "SELECT * FROM kv") == ["a|1"])
  }

  @Test func `A duplicate key is named with both lines`() throws {
    let outcome = try Shell.larder(
      "import", database, input: Self.good + "{\"key\":\"n1\",\"value\":\"y\"}\n")
    #expect(outcome.code == 2)
    #expect(
      outcome.errors.contains("line 4 of standard input: the key n1 occurs a second time here"))
    #expect(outcome.errors.contains("after line 1; nothing was written"))
  }

  @Test(arguments: [[], ["--no-journal"]])
  func `The entry that a document cannot hold is named`(options: [String]) throws {
    let text = "<plist><dict><key>a</key><integer>1</integer></dict></plist>"
    let list = try scratch.file("list.plist", text.utf8)
    let input = Self.good + "{\"key\":\"n3\",\"value\":null}\n{\"key\":\"n4\",\"value\":1}\n"
    let outcome = try Shell.run(
      Shell.larder, ["import", list] + options, input: Array(input.utf8))
    #expect(outcome.code == 5)
    #expect(
      outcome.errors.contains("line 4 of standard input: \(list) cannot store n3: "),
      "\(outcome.errors)")
    #expect(outcome.errors.contains("nothing was written"), "\(outcome.errors)")
    #expect(try String(contentsOfFile: list, encoding: .utf8) == text)
  }

  @Test func `A text that XML cannot hold is named with advice`() throws {
    let text = "<plist><dict><key>a</key><string>1</string></dict></plist>"
    let list = try scratch.file("list.plist", text.utf8)
    for (input, words) in [
      (["put", list, "a", "x\u{1}"], "\(list) cannot store a: XML cannot"),
      (["put", list, "k\u{1}", "x"], "\(list) cannot store \"k\\u0001\": XML cannot"),
      (["mv", list, "a", "b\u{1}"], "U+0001 in a key: remove it; nothing was written"),
    ] {
      let outcome = try Shell.run(Shell.larder, input)
      #expect(outcome.code == 5)
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
      #expect(outcome.errors.contains("remove it"), "\(outcome.errors)")
    }
    #expect(try String(contentsOfFile: list, encoding: .utf8) == text)
  }

  @Test(arguments: [[], ["--no-journal"]])
  func `In a folder the number of files already written is reported`(options: [String]) throws {
    let folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = try scratch.file("files/sub", "a file".utf8)
    let refused = try Shell.run(
      Shell.larder, ["import", folder] + options,
      input: Array((Self.good + "{\"key\":\"sub/x\",\"value\":\"v\"}\n").utf8))
    #expect(refused.code == 3)
    #expect(refused.errors.contains("line 4 of standard input: sub is a file"))
    #expect(refused.errors.contains("2 files were written before it"))
    let more = Self.good.replacingOccurrences(of: "n", with: "m")
    let broken = try Shell.run(
      Shell.larder, ["import", folder] + options, input: Array((more + "nonsense\n").utf8))
    #expect(broken.code == 2)
    #expect(
      broken.errors.contains(
        options.isEmpty ? "nothing was written" : "the 2 entries before it were imported"))
    let names = try Shell.larder("ls", folder).lines
    #expect(names == (options.isEmpty ? [] : ["m1", "m2"]) + ["n1", "n2", "sub"])
  }

  @Test(arguments: [[], ["--no-journal"]])
  func `An invalid file name is reported with the number of files written`(
    options: [String]
  ) throws {
    let folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let long = String(repeating: "x", count: 300)
    let refused = try Shell.larder(
      "import", folder, and: options, input: Self.good + "{\"key\":\"\(long)\",\"value\":\"v\"}\n")
    #expect(refused.code == 3)
    #expect(refused.errors.contains("line 4 of standard input:"), "\(refused.errors)")
    let names = try Shell.larder("ls", folder).lines
    let said = names.isEmpty ? "nothing was written" : "2 files were written before it"
    #expect(refused.errors.contains(said), "\(refused.errors)")
    #expect(refused.errors.contains("nothing was written") == names.isEmpty, "\(refused.errors)")
    #expect(names == (options.isEmpty ? [] : ["n1", "n2"]))
  }

  @Test(arguments: [[], ["--no-journal"]])
  func `Ctrl-C ends an import cleanly without partial writes`(options: [String]) throws {
    // The pipe is opened once larder handles signals. It has read the lines, or still waits for
    // more, when the signal arrives; either way it must write nothing.
    let script = """
      import os, signal, subprocess, sys
      pipe, words = sys.argv[1], sys.argv[2:]
      os.mkfifo(pipe)
      program = subprocess.Popen(words, stderr=subprocess.PIPE,
          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
      with open(pipe, 'w') as file:
          file.write('{"key":"n1","value":"x"}\\n{"key":"n2","value":"x"}\\n')
          file.flush()
          program.send_signal(signal.SIGINT)
          print(program.communicate(timeout=60)[1].decode(), program.returncode)
      """
    let pipe = scratch.file("pipe")
    let outcome = try Shell.run(
      "python3", ["-c", script, pipe, Shell.larder, "import", database, pipe] + options)
    #expect(outcome.text.contains("larder: interrupted"))
    #expect(outcome.text.contains("; nothing was written"))
    #expect(outcome.text.hasSuffix(" 130\n"), "\(outcome.errors)")
    #expect(try scratch.query(database, "SELECT * FROM kv") == ["a|1"])
  }

  /// Makes tables with a foreign key that is checked immediately or deferred.
  private func related(_ deferred: String) throws -> String {
    try scratch.database(
      "related.db",
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, n);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p (id) \(deferred), n);
      INSERT INTO p VALUES (1, 'a'); INSERT INTO c VALUES (1, 1, 'x');
      """)
  }

  private static let references =
    "{\"key\":2,\"value\":{\"p\":1,\"n\":1},\"type\":\"record\"}\n"
    + "{\"key\":3,\"value\":{\"p\":77,\"n\":1},\"type\":\"record\"}\n"
    + "{\"key\":4,\"value\":{\"p\":1,\"n\":1},\"type\":\"record\"}\n"
    + "{\"key\":5,\"value\":{\"p\":78,\"n\":1},\"type\":\"record\"}\n"

  @Test(arguments: [[], ["--no-journal"]], ["", "DEFERRABLE INITIALLY DEFERRED"])
  func `The line whose row violates a foreign key is named`(
    options: [String], deferred: String
  ) throws {
    let database = try related(deferred)
    let outcome = try Shell.run(
      Shell.larder, ["import", "\(database)#c"] + options, input: Array(Self.references.utf8))
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("line 2 of standard input: "), "\(outcome.errors)")
    #expect(
      outcome.errors.contains("p of 3 refers to a row of “p” that does not exist"),
      "\(outcome.errors)")
    #expect(outcome.errors.contains("nothing was written"), "\(outcome.errors)")
    #expect(try scratch.query(database, "SELECT id FROM c") == ["1"])
  }

  @Test(arguments: [[], ["--no-journal"]])
  func `Replacing a referenced row reports the reference`(options: [String]) throws {
    let database = try scratch.database(
      "code.db",
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, code UNIQUE, n);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p (code));
      INSERT INTO p VALUES (1, 'a', 0), (2, 'b', 0); INSERT INTO c VALUES (10, 'b');
      """)
    let lines =
      "{\"key\":1,\"value\":{\"code\":\"a\",\"n\":1},\"type\":\"record\"}\n"
      + "{\"key\":2,\"value\":{\"code\":\"z\",\"n\":1},\"type\":\"record\"}\n"
    let outcome = try Shell.run(
      Shell.larder, ["import", "\(database)#p", "--replace"] + options, input: Array(lines.utf8))
    #expect(outcome.code == 3)
    #expect(
      outcome.errors.contains("row 10 of “c” would refer to a row of “p” that does not exist"),
      "\(outcome.errors)")
    #expect(outcome.errors.contains("nothing was written"), "\(outcome.errors)")
    #expect(try scratch.query(database, "SELECT code FROM p") == ["a", "b"])
  }

  @Test func `A reference broken before is not blamed`() throws {
    let database = try related("DEFERRABLE INITIALLY DEFERRED")
    _ = try scratch.query(database, "INSERT INTO c VALUES (90, 99, 'old')")
    let outcome = try Shell.run(
      Shell.larder, ["put", "\(database)#c", "91", #"{"p": 98, "n": 1}"#])
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("p of 91 refers to a row of “p”"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("90"), "\(outcome.errors)")
  }
}
