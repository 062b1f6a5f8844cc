import Foundation
import Testing

@Suite struct GetAndPutTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv VALUES ('pi', 3.5), ('text', 'a' || char(10) || 'b'), ('blob', x'00ff0a'),
        ('none', null), ('broken', CAST(x'61ff' AS TEXT));
      CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);
      INSERT INTO people VALUES (1, 'ada', 36), (2, 'bob', null);
      """)
  }

  @Test func `text for a column that holds bytes stays bytes`() throws {
    let path = try scratch.database(
      "bytes.db",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, data BLOB);"
        + "INSERT INTO t VALUES (1, 'x', x'6869')")
    #expect(try Shell.larder("put", path, "1", #"{"data": "changed"}"#).code == 0)
    let row = try Shell.larder("get", path, "1", "--json").text
    #expect(row.contains(#""data":{"base64":"Y2hhbmdlZA=="}"#), "\(row)")
  }

  @Test func `A dash as the value is standard input, and after -- a dash`() throws {
    #expect(try Shell.larder("put", database + "#kv", "new", "-", input: "from a pipe").code == 0)
    #expect(try Shell.larder("get", database + "#kv", "new").text == "from a pipe")
    #expect(
      try Shell.larder("put", database + "#kv", "new", "--", "-", input: "not this").code == 0)
    #expect(try Shell.larder("get", database + "#kv", "new").text == "-")
    #expect(try Shell.larder("put", database + "#kv", "new", "-", "--stdin", input: "x").code == 2)
  }

  @Test func `A whole number that a column of reals would round is refused`() throws {
    let path = try scratch.database(
      "reals.db",
      "CREATE TABLE r (key TEXT PRIMARY KEY, value REAL); INSERT INTO r VALUES ('a', 1.5)")
    for (key, code) in [("a", Int32(2)), ("new", 3)] {
      #expect(try Shell.larder("put", path, key, "9007199254740993").code == code)
    }
    #expect(try scratch.query(path, "SELECT * FROM r") == ["a|1.5"])
    #expect(try Shell.larder("put", path, "a", "9007199254740992").code == 0)
  }

  @Test func `The text null in place of NULL causes a warning`() throws {
    let put = try Shell.larder("put", database + "#kv", "none", "null", "--json")
    #expect(put.code == 0 && put.text.contains(#""type":"text""#))
    #expect(put.text.contains(#""remarks":["#))
    let null = try Shell.larder("put", database + "#kv", "none", "null", "--type", "null", "--json")
    #expect(null.code == 0 && null.text.contains(#""type":"null""#))
    #expect(!null.text.contains(#""remarks""#))
  }

  @Test(arguments: ["--file", "--stdin"])
  func `Endless input is refused and nothing is written`(option: String) throws {
    let words = option == "--file" ? "--file /dev/zero" : "--stdin </dev/zero"
    let before = try Shell.run(Shell.larder, ["get", "\(database)#kv", "pi"]).output
    let outcome = try Shell.run(
      "sh", ["-c", "'\(Shell.larder)' put '\(database)#kv' pi \(words)"])
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("more than the 64 MiB that the journal can store"))
    #expect(outcome.errors.contains("--no-journal"))
    #expect(try Shell.run(Shell.larder, ["get", "\(database)#kv", "pi"]).output == before)
  }

  @Test(arguments: [
    ("pi", "text", "3.5\n"), ("text", "text", "a\nb\n"), ("text", "json", "\"a\\nb\"\n"),
    ("blob", "text", "00 ff 0a\n"), ("blob", "json", "{\"base64\":\"AP8K\"}\n"),
    ("none", "json", "null\n"), ("text", "raw", "a\nb"),
    ("blob", "hex", "00000000  00 ff 0a                                          ···\n"),
  ])
  func `get prints a value in the requested form`(
    key: String, form: String, text: String
  ) throws {
    let outcome = try Shell.larder("get", "\(database)#kv", key, "--as", form)
    #expect(outcome.text == text)
    #expect(outcome.code == 0)
  }

  @Test func `put adds a row without the columns that have a default`() throws {
    let database = try scratch.database(
      "defaults.db",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, state TEXT NOT NULL DEFAULT 'new');")
    #expect(try Shell.larder("put", database, "1", #"{"name": "ada"}"#).code == 0)
    #expect(try Shell.larder("put", database, "2", #"{"state": "old"}"#).code == 0)
    #expect(try scratch.query(database, "SELECT * FROM t") == ["1|ada|new", "2||old"])
    let wrong = try Shell.larder("put", database, "3", #"{"age": 1}"#)
    #expect(wrong.code == 2)
    #expect(wrong.errors.contains("the columns are name, state"))
  }

  @Test(arguments: ["66616C7365", "", "610D0A090A", "00FF0A", "C3A9", "1B5B30"])
  func `Bytes survive get and put`(hex: String) throws {
    let database = try scratch.database(
      "bytes.db", "CREATE TABLE kv (k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES ('k', x'\(hex)');"
    )
    let got = try Shell.larder("get", database, "k")
    #expect(got.output.map { String(format: "%02X", $0) }.joined() == hex)
    let put = try Shell.run(
      Shell.larder, ["put", database + "#kv", "k", "--stdin"], input: got.output)
    #expect(put.code == 0, "\(put.errors)")
    #expect(try scratch.query(database, "SELECT typeof(v), hex(v) FROM kv") == ["blob|\(hex)"])
  }

  @Test(arguments: ["6669656C64", "", "610A", "0A", "610A620A0A"])
  func `Text survives get and put`(hex: String) throws {
    let database = try scratch.database(
      "text.db",
      "CREATE TABLE kv (k TEXT PRIMARY KEY, v TEXT); "
        + "INSERT INTO kv VALUES ('k', CAST(x'\(hex)' AS TEXT));")
    let got = try Shell.larder("get", database, "k")
    #expect(got.output.map { String(format: "%02X", $0) }.joined() == hex)
    let put = try Shell.run(
      Shell.larder, ["put", database + "#kv", "k", "--stdin"], input: got.output)
    #expect(put.code == 0, "\(put.errors)")
    #expect(try scratch.query(database, "SELECT typeof(v), hex(v) FROM kv") == ["text|\(hex)"])
    let line = try Shell.larder("get", database, "k", "--as", "text")
    #expect(line.output == got.output + [0x0A])
  }

  @Test(arguments: [
    ("v BLOB", "", "blob"), ("v BLOB", "x'00'", "blob"), ("v BLOB", "NULL", "blob"),
    ("v BLOB", "x'00'), ('b', 'text'", "text"), ("v", "x'00'), ('b', NULL", "blob"),
    ("v", "", "text"), ("v", "1", "text"), ("v TEXT", "'a'", "text"),
  ])
  func `A new value is bytes in a column of bytes`(
    column: String, values: String, type: String
  ) throws {
    let rows = values.isEmpty ? "" : "INSERT INTO kv VALUES ('a', \(values));"
    let database = try scratch.database(
      "bytes.db", "CREATE TABLE kv (k TEXT PRIMARY KEY, \(column)); \(rows)")
    func stored(_ key: String) throws -> [String] {
      try scratch.query(database, "SELECT typeof(v), hex(v) FROM kv WHERE k = '\(key)'")
    }
    let put = try Shell.larder("put", database, "new", "café")
    #expect(put.code == 0 && put.errors.isEmpty, "\(put.errors)")
    #expect(try stored("new") == ["\(type)|636166C3A9"])
    #expect(try Shell.larder("get", database, "new").text == "café")
    let stream = try Shell.run(
      Shell.larder, ["put", database, "stream", "--stdin"], input: [0xFF, 0x00])
    #expect(stream.code == 0 && stream.errors.isEmpty == (type == "blob"), "\(stream.errors)")
    #expect(try stored("stream") == ["blob|FF00"])
    #expect(try Shell.larder("put", database, "told", "x", "--type", "text").code == 0)
    #expect(try stored("told") == ["text|78"])
  }

  @Test func `Hexadecimal digits stored as text among bytes cause a warning`() throws {
    let database = try scratch.database(
      "digits.db",
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v BLOB);
      INSERT INTO kv VALUES ('text', CAST('hello' AS BLOB)), ('raw', x'00ff');
      """)
    func isTold(_ key: String, _ value: String, _ more: String...) throws -> Bool {
      let outcome = try Shell.larder("put", database, key, value, and: more)
      #expect(outcome.code == 0, "\(outcome.errors)")
      return !outcome.errors.isEmpty
    }
    #expect(try isTold("text", "deadbeef"))
    #expect(try isTold("new", "de ad be ef"))
    #expect(try !isTold("new", "12345678"))
    #expect(try !isTold("new", "hello"))
    #expect(try !isTold("text", "deadbeef", "--type", "data"))
    #expect(try !isTold("raw", "c0ff"))
  }

  @Test func `Bytes that are text are text in JSON, too`() throws {
    let database = try scratch.database(
      "json.db",
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv VALUES ('b', CAST('{"a":1}' AS BLOB)), ('t', '{"a":1}'), ('x', x'00ff');
      """)
    let text = try Shell.larder("get", database, "t", "--as", "json").text
    #expect(try Shell.larder("get", database, "b", "--as", "json").text == text)
    #expect(try Shell.larder("get", database, "x", "--as", "json").text.contains("base64"))
  }

  @Test func `Data can be converted to text on request`() throws {
    let list = scratch.file("d.plist")
    let make =
      "import plistlib, sys; plistlib.dump({'d': b'\\x00\\xff'}, open(sys.argv[1], 'wb'))"
    #expect(try Shell.run("python3", ["-c", make, list]).code == 0)
    #expect(try Shell.larder("put", list, "d", "hello", "--type", "text").code == 0)
    let object = try Shell.larder("get", list, "d", "--json").text
    #expect(object.contains(#""type":"text""#) && object.contains(#""value":"hello""#), "\(object)")
  }

  @Test func `Text that is not UTF-8 survives get and put`() throws {
    let got = try Shell.larder("get", "\(database)#kv", "broken")
    #expect(got.output == [0x61, 0xFF])
    let put = try Shell.run(
      Shell.larder, ["put", "\(database)#kv", "broken", "--stdin"], input: [0x62, 0xFE])
    #expect(put.code == 0)
    #expect(
      try scratch.query(database, "SELECT typeof(v), hex(v) FROM kv WHERE k = 'broken'") == [
        "text|62FE"
      ])
  }

  @Test func `Bytes that are text are put as text and stay bytes`() throws {
    let database = try scratch.database(
      "flags.db",
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv VALUES ('flag', CAST('false' AS BLOB)), ('raw', x'ff');
      """)
    func stored(_ key: String) throws -> [String] {
      try scratch.query(database, "SELECT typeof(v), hex(v) FROM kv WHERE k = '\(key)'")
    }
    #expect(try Shell.larder("get", database, "flag", "--as", "text").text == "false\n")
    #expect(try Shell.larder("put", database, "flag", "true").code == 0)
    #expect(try stored("flag") == ["blob|74727565"])
    // Hexadecimal digits are bytes if asked for, or if the old value is not text.
    #expect(try Shell.larder("put", database, "flag", "00 ff", "--type", "data").code == 0)
    #expect(try stored("flag") == ["blob|00FF"])
    #expect(try Shell.larder("put", database, "raw", "true").code == 2)
    #expect(try stored("raw") == ["blob|FF"])
    #expect(try Shell.larder("put", database, "raw", "41").code == 0)
    #expect(try stored("raw") == ["blob|41"])
  }

  @Test func `The size of a row with a value column is that of the value`() throws {
    let database = try scratch.database(
      "sizes.db",
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB, expires_at INTEGER);
      INSERT INTO cache VALUES ('a', CAST('false' AS BLOB), unixepoch() + 60),
        ('b', x'00', unixepoch() + 60), ('c', NULL, NULL);
      """)
    func size(_ words: String...) throws -> [Int?] {
      try Shell.run(Shell.larder, words).lines.map { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return object?["size"] as? Int
      }
    }
    #expect(try size("ls", "--json", database) == [5, 1, 0])
    #expect(try size("get", "--json", database, "a") == [5])
  }

  @Test func `get raw prints the stored bytes and nothing else`() throws {
    let blob = try Shell.larder("get", "\(database)#kv", "blob", "--as", "raw")
    #expect(blob.output == [0x00, 0xFF, 0x0A])
    let broken = try Shell.larder("get", "\(database)#kv", "broken", "--as", "raw")
    #expect(broken.output == [0x61, 0xFF])
  }

  @Test func `get prints a property list`() throws {
    let text = try Shell.larder("get", "\(database)#people", "1", "--as", "plist").text
    let object = try PropertyListSerialization.propertyList(
      from: Data(text.utf8), options: [], format: nil)
    let row = try #require(object as? [String: Any])
    #expect(row["name"] as? String == "ada")
    #expect(row["age"] as? Int == 36)
  }

  @Test func `get of a missing key ends with 1`() throws {
    let outcome = try Shell.larder("get", "\(database)#kv", "nope")
    #expect(outcome.code == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("has no entry nope"))
  }

  @Test func `put keeps the type of the value it replaces`() throws {
    #expect(try Shell.larder("put", "\(database)#kv", "pi", "4.25").code == 0)
    #expect(
      try scratch.query(database, "SELECT typeof(v), v FROM kv WHERE k = 'pi'") == ["real|4.25"])
  }

  @Test func `put warns when a value is no longer JSON, and writes it`() throws {
    let database = try scratch.database(
      "json.db",
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES ('a', '{"b":1}'), ('c', 'd');
      CREATE TABLE rows (id INTEGER PRIMARY KEY, doc TEXT, n INTEGER);
      INSERT INTO rows VALUES (1, '[1]', 2);
      """)
    let broken = try Shell.larder("put", "\(database)#kv", "a", #"{"b":1"#)
    #expect(broken.code == 0 && broken.errors.contains("a was JSON and is no longer valid JSON"))
    #expect(try scratch.query(database, "SELECT v FROM kv WHERE k = 'a'") == [#"{"b":1"#])
    // Text that was not JSON, and JSON replaced by other JSON, cause no warning.
    for (key, value) in [("a", #"{"b":1}"#), ("a", "[2]"), ("a", "3"), ("c", "{")] {
      #expect(try Shell.larder("put", "\(database)#kv", key, value).errors.isEmpty)
    }
    let row = try Shell.larder("put", "\(database)#rows", "1", #"{"doc": "[1"}"#)
    #expect(row.code == 0 && row.errors.contains("doc of 1 was JSON and is no longer valid JSON"))
  }

  @Test func `put refuses a text that is not of the type`() throws {
    let outcome = try Shell.larder("put", "\(database)#kv", "pi", "three")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("invalid value for type real"))
    #expect(try scratch.query(database, "SELECT v FROM kv WHERE k = 'pi'") == ["3.5"])
  }

  @Test func `put takes bytes from a stream and from a file`() throws {
    let bytes: [UInt8] = [0, 1, 0xFE, 0x0A]
    let file = try scratch.file("value.bin", bytes)
    let stream = try Shell.run(
      Shell.larder, ["put", "\(database)#kv", "new", "--stdin", "--type", "data"], input: bytes)
    #expect(stream.code == 0)
    #expect(try Shell.larder("put", "\(database)#kv", "blob", "--file", file).code == 0)
    let rows = try scratch.query(database, "SELECT hex(v) FROM kv WHERE k IN ('new', 'blob')")
    #expect(rows == ["0001FE0A", "0001FE0A"])
  }

  @Test func `Bytes that are not text replace a text only on request`() throws {
    let scratch = try Scratch()
    let database = try scratch.database(
      "CREATE TABLE kv (k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES ('a', 'text'), ('t', 'u');")
    let bytes: [UInt8] = [0xFF, 0x41]
    func put(_ words: String...) throws -> Outcome {
      try Shell.run(Shell.larder, ["put", database] + words + ["--stdin"], input: bytes)
    }
    for words in [["a"], ["a", "--type", "text"], ["b", "--type", "text"]] {
      let refused = try Shell.run(
        Shell.larder, ["put", database] + words + ["--stdin"], input: bytes)
      #expect(refused.code == 2)
      #expect(refused.errors.contains("not UTF-8"))
      #expect(refused.errors.contains("--type data"))
    }
    #expect(try scratch.query(database, "SELECT k, quote(v) FROM kv") == ["a|'text'", "t|'u'"])
    let asked = try put("a", "--type", "data")
    #expect(asked.code == 0 && asked.errors.isEmpty)
    let new = try put("new")
    #expect(new.code == 0)
    #expect(new.errors.contains("new was stored as data"), "\(new.errors)")
    #expect(
      try scratch.query(database, "SELECT k, quote(v) FROM kv") == [
        "a|X'FF41'", "t|'u'", "new|X'FF41'",
      ])
  }

  @Test(arguments: [[], ["--type", "text"]], [true, false])
  func `A text replaces text that is not UTF-8`(options: [String], isWord: Bool) throws {
    let words = ["put", "\(database)#kv", "broken"] + options
    let outcome = try Shell.run(
      Shell.larder, words + [isWord ? "ff 41" : "--stdin"], input: Array("ff 41".utf8))
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      try scratch.query(database, "SELECT typeof(v), v FROM kv WHERE k = 'broken'") == [
        "text|ff 41"
      ])
  }

  @Test func `A text replaces a lone surrogate in JSON`() throws {
    let file = try scratch.file("half.json", #"{"a":"\ud800"}"#.utf8)
    #expect(try Shell.larder("put", file, "a", "whole").code == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == #"{"a":"whole"}"#)
  }

  @Test func `put changes only the named columns`() throws {
    #expect(try Shell.larder("put", "\(database)#people", "2", #"{"age":7}"#).code == 0)
    #expect(try scratch.query(database, "SELECT * FROM people WHERE id = 2") == ["2|bob|7"])
  }

  @Test func `put with create refuses a key that exists`() throws {
    let outcome = try Shell.larder("put", "\(database)#kv", "pi", "1", "--create")
    #expect(outcome.code == 4)
    #expect(outcome.errors.contains("already exists"))
    #expect(try scratch.query(database, "SELECT v FROM kv WHERE k = 'pi'") == ["3.5"])
  }

  @Test func `put with a fingerprint writes only over the version read`() throws {
    let line = try Shell.larder("get", "\(database)#kv", "pi", "--json").text
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let fingerprint = try #require(object?["fingerprint"] as? String)
    _ = try scratch.query(database, "UPDATE kv SET v = 9 WHERE k = 'pi'")
    let late = try Shell.larder("put", "\(database)#kv", "pi", "1", "--expect", fingerprint)
    #expect(late.code == 4)
    #expect(late.errors.contains("was changed since it was read"))
    _ = try scratch.query(database, "UPDATE kv SET v = 3.5 WHERE k = 'pi'")
    let early = try Shell.larder("put", "\(database)#kv", "pi", "1", "--expect", fingerprint)
    #expect(early.code == 0)
  }

  @Test func `put reports a violated constraint`() throws {
    let strict = try scratch.database(
      "strict.db",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER CHECK (n < 10)); INSERT INTO t VALUES (1, 2);"
    )
    let outcome = try Shell.larder("put", strict, "1", "11")
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("CHECK constraint failed"))
    #expect(try scratch.query(strict, "SELECT n FROM t") == ["2"])
  }

  @Test func `nothing is written with --read-only`() throws {
    let before = try Data(contentsOf: URL(filePath: database))
    let put = try Shell.larder("--read-only", "put", "\(database)#kv", "pi", "1")
    let remove = try Shell.larder("rm", "\(database)#kv", "pi", "--read-only")
    #expect(put.code == 5)
    #expect(remove.code == 5)
    #expect(try Data(contentsOf: URL(filePath: database)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["test.db"])
  }

  @Test func `a closed standard error changes nothing`() throws {
    let script = "'\(Shell.larder)' get '\(database)#kv' nope 2>&-; echo $?"
    #expect(try Shell.run("bash", ["-c", script]).lines == ["1"])
    let piped =
      "'\(Shell.larder)' get '\(database)#kv' nope 2>&1 >/dev/null | true; echo ${PIPESTATUS[0]}"
    #expect(try Shell.run("bash", ["-c", piped]).lines == ["1"])
  }

  @Test func `a key of several columns is read, created and missing like any other`() throws {
    let pairs = try scratch.database(
      "pairs.db",
      "CREATE TABLE c (region TEXT, id INTEGER, v, PRIMARY KEY (region, id)); INSERT INTO c VALUES ('eu', 42, 'a');"
    )
    #expect(try Shell.larder("get", pairs, "(eu,42)").text.contains(#""v": "a""#))
    #expect(try Shell.larder("get", pairs, "(eu,43)").code == 1)
    #expect(try Shell.larder("rm", pairs, "(eu,43)").code == 1)
    #expect(try Shell.larder("put", pairs, "(eu,43)", #"{"v":"b"}"#).code == 0)
    #expect(try scratch.query(pairs, "SELECT * FROM c") == ["eu|42|a", "eu|43|b"])
  }

  @Test func `negative numbers are arguments, and keys with a dash can be read`() throws {
    let numbers = try scratch.database(
      "numbers.db",
      "CREATE TABLE n (id INTEGER PRIMARY KEY, v); INSERT INTO n VALUES (-5, 'minus');")
    #expect(try Shell.larder("get", numbers, "-5").text == "minus")
    let dashes = try scratch.database(
      "dashes.db",
      "CREATE TABLE d (k TEXT PRIMARY KEY, v); INSERT INTO d VALUES ('--help', 'text');")
    let key = try #require(try Shell.larder("ls", dashes).lines.first)
    #expect(try Shell.larder("get", dashes, key).text == "text")
  }

  @Test func `an expiry that cannot be stored is refused`() throws {
    let outcome = try Shell.larder("put", "\(database)#kv", "pi", "1", "--ttl", "10m")
    #expect(outcome.code == 5)
    #expect(try scratch.query(database, "SELECT v FROM kv WHERE k = 'pi'") == ["3.5"])
  }

  @Test func `stored bytes are not written to a terminal`() throws {
    let script = "script -qec \"'\(Shell.larder)' get '\(database)#kv' blob --as raw\" /dev/null"
    let outcome = try Shell.run("bash", ["-c", script])
    #expect(outcome.text.contains("--as hex"))
    #expect(!outcome.output.contains(0xFF))
  }
}

extension GetAndPutTests {
  @Test func `A pointer with a wrong segment does not create a name`() throws {
    let scratch = try Scratch()
    let file = try scratch.file("a.json", #"{"c":{"d":1}}"#.utf8)
    let outcome = try Shell.larder("put", file, "/c/nope/x", "1")
    #expect(outcome.code == 5)
    #expect(outcome.errors.contains("there is nothing at /c/nope"))
    #expect(try Shell.larder("put", file, "/c/e", "1").code == 0)
    #expect(try Shell.larder("put", file, "/usr/bin", "1").code == 5)
    #expect(try Shell.larder("put", file, "(/usr/bin)", "1").code == 0)
    #expect(try Shell.larder("ls", file).lines == ["/usr/bin", "c"])
    #expect(try Shell.larder("get", file, "(c,e)").lines == ["1"])
  }

  @Test func `Names that begin with a slash are deleted, undone, renamed, exported and imported`()
    throws
  {
    let scratch = try Scratch()
    let text = #"{"c":{"d":1},"/c/x":2,"/c/y":{"z":3}}"#
    let file = try scratch.file("a.json", text.utf8)
    let state = ["XDG_STATE_HOME": scratch.file("state")]
    func larder(_ words: String...) throws -> Outcome {
      try Shell.run(Shell.larder, words, environment: state)
    }
    let export = try larder("export", file).output
    #expect(try larder("rm", file, "--prefix", "/c", "--yes").code == 0)
    #expect(try larder("put", file, "e", "1").code == 0)
    #expect(try larder("undo", "1").code == 0)
    #expect(try larder("ls", file).lines == ["/c/x", "/c/y", "c", "e"])
    #expect(try larder("get", file, "(c,x)").code == 1)
    #expect(try larder("mv", file, "/c/x", "/c/w").code == 0)
    #expect(try larder("mv", file, "/c/", "/d/", "--prefix", "--yes").code == 0)
    #expect(try larder("ls", file).lines == ["/d/w", "/d/y", "c", "e"])
    let other = try scratch.file("b.json", #"{"c":{"d":1}}"#.utf8)
    let lines = try scratch.file("lines", export)
    #expect(try larder("import", other, lines).code == 0)
    #expect(try larder("ls", other).lines == ["/c/x", "/c/y", "c"])
  }

  @Test(arguments: [
    #"{"k": null}"#, #"{"k": true}"#, #"{"k": 1.50}"#, #"{"k": 1e2}"#, #"{"k": 7}"#, #"{"k": ""}"#,
    #"{"k": "a\u000A"}"#, #"{"k": [1, 2.0, null]}"#, #"{"k": {"a": 1, "a": "\u0041"}}"#,
    "<map><null name=\"k\" /></map>", "<map><long name=\"k\" value=\"5\" /></map>",
    "<plist version=\"1.0\"><dict><key>k</key><date>2020-01-01T00:00:00Z</date></dict></plist>",
    "<plist version=\"1.0\"><dict><key>k</key><real>1.50</real></dict></plist>",
    "<plist version=\"1.0\"><dict><key>k</key><data>AP8=</data></dict></plist>",
  ])
  func `put accepts the output of get for every type`(document: String) throws {
    let file = try scratch.file("document", document.utf8)
    let got = try Shell.larder("get", file, "k")
    let outcome = try Shell.run(Shell.larder, ["put", file, "k", "--stdin"], input: got.output)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == document)
  }

  @Test(arguments: ["", "\n", "\r\n"])
  func `An empty value leaves a null as it is, and --type makes it text`(value: String) throws {
    let table = "\(database)#kv"
    #expect(try Shell.larder("put", table, "none", value).code == 0)
    #expect(try Shell.larder("put", table, "none", "--stdin", input: value).code == 0)
    let query = "SELECT typeof(v), length(v) FROM kv WHERE k = 'none'"
    #expect(try scratch.query(database, query) == ["null|"])
    #expect(try Shell.larder("put", table, "none", value, "--type", "text").code == 0)
    #expect(try scratch.query(database, query) == ["text|\(value.unicodeScalars.count)"])
  }

  @Test(arguments: [
    ("plist", "url"), ("plist", "uuid"), ("plist", "record"), ("plist", "null"), ("xml", "url"),
    ("xml", "uuid"), ("xml", "date"), ("json", "data"), ("json", "date"), ("json", "record"),
    ("db", "bool"), ("db", "date"), ("db", "record"),
  ])
  func `A type the store does not support is refused`(kind: String, type: String) throws {
    let files = [
      "plist": "<plist version=\"1.0\"><dict><key>a</key><true/></dict></plist>",
      "xml": "<map><string name=\"a\">x</string></map>", "json": #"{"a": 1}"#,
    ]
    let file = try files[kind].map { try scratch.file("document", $0.utf8) } ?? "\(database)#kv"
    let values = [
      "uuid": "123E4567-E89B-12D3-A456-426614174000", "date": "2026-01-31T23:59:59Z",
      "record": #"{"a": 1}"#, "data": "00 ff", "bool": "true", "null": "",
    ]
    let outcome = try Shell.larder("put", file, "k", values[type] ?? "x", "--type", type)
    #expect(outcome.code == 5, "\(outcome.errors)")
    #expect(try Shell.larder("get", file, "k").code == 1)
  }

  @Test(arguments: [
    ("text", "x"), ("integer", "5"), ("real", "1.5"), ("bool", "true"), ("null", ""),
    ("array", #"["x"]"#),
  ])
  func `Preferences accept their own types`(type: String, value: String) throws {
    let file = try scratch.file("p.xml", "<map><string name=\"a\">x</string></map>".utf8)
    #expect(try Shell.larder("put", file, "k", value, "--type", type).code == 0)
    #expect(try Shell.larder("ls", file, "--long").text.contains("\(type) "))
  }

  @Test(arguments: ["hello", "5", "[1]", #""x""#, #"{"name": "x""#], ["1", "3"])
  func `A value that is not a row is refused with its columns`(value: String, key: String) throws {
    let outcome = try Shell.larder("put", "\(database)#people", key, value)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(#"{"name": …, "age": …}"#), "\(outcome.errors)")
    #expect(try scratch.query(database, "SELECT count(*), max(age) FROM people") == ["2|36"])
  }

  @Test func `The type null needs no value`() throws {
    #expect(try Shell.larder("put", "\(database)#kv", "pi", "--type", "null").code == 0)
    #expect(try scratch.query(database, "SELECT typeof(v) FROM kv WHERE k = 'pi'") == ["null"])
    let file = try scratch.file("a.json", #"{"a": 1}"#.utf8)
    #expect(try Shell.larder("put", file, "b", "--type", "null").code == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains(#""b": null"#))
    let text = try Shell.larder("put", file, "b", "x", "--type", "null")
    #expect(text.code == 2)
    #expect(try Shell.larder("put", file, "b", "--type", "text").code == 2)
  }

  @Test(arguments: [
    ("(b,0,id,new)", "there is nothing at b; add its parents first"),
    ("(a,0,id)", "a is of type integer, which has no members"),
    ("(list,0,id)", "(list,0) is of type integer, which has no members"),
    ("(list,4,id)", "there is nothing at (list,4); add its parents first"),
    ("(a,b)", "a is of type integer, which has no members"),
  ])
  func `A key path that leads nowhere is reported with the missing part`(
    key: String, reason: String
  ) throws {
    let file = try scratch.file("a.json", #"{"a": 1, "list": [7]}"#.utf8)
    let put = try Shell.larder("put", file, key, "v")
    #expect(put.code == 5)
    #expect(
      put.errors.contains("\(file) cannot store \(key): \(reason)"), "\(put.errors)")
    #expect(put.errors.contains("nothing was written"), "\(put.errors)")
    // The message shows how to type the same text as a name.
    let name = "\"\(key)\""
    #expect(put.errors.contains(name), "\(put.errors)")
    #expect(try Shell.larder("put", file, name, "v").code == 0)
    #expect(try Shell.larder("get", file, name).lines == ["v"])
  }

  @Test func `every change of a view is refused`() throws {
    let database = try scratch.database(
      "other.db",
      "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2); CREATE VIEW v AS SELECT * FROM t")
    for value in ["3", "{\"a\": 1, \"b\": 3}"] {
      let outcome = try Shell.larder("put", "\(database)#v", "1", value)
      #expect(outcome.code == 5)
      #expect(outcome.errors.contains("v is "))
    }
    let refused = try Shell.larder("put", "\(database)#v", "1", "3")
    #expect(refused.errors.contains("read-only: its rows come from other tables"))
  }
}
