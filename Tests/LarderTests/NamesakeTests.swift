import Foundation
import Testing

/// Names that would be parsed as another key when typed.
@Suite struct NamesakeTests {
  private let scratch: Scratch
  private let list: String

  init() throws {
    scratch = try Scratch()
    list = scratch.file("k.plist")
    let make = """
      import plistlib, sys
      names = ['42', '"q"', 'nan', '1.5', '(a,b)', 'null', "x'ff'"]
      plistlib.dump({name: 1 for name in names}, open(sys.argv[1], 'wb'))
      """
    guard try Shell.run("python3", ["-c", make, list]).code == 0 else {
      throw ScratchError(text: "no property list")
    }
  }

  @Test(arguments: [
    ("42", #"'"42"'"#), ("nan", #"'"nan"'"#), ("1.5", #"'"1.5"'"#), ("(a,b)", #"'"(a,b)"'"#),
    ("null", #"'"null"'"#), ("x'ff'", #"'"x'\''ff'\''"'"#),
  ])
  func `put and rm show the notation of a key that get finds`(
    typed: String, notation: String
  ) throws {
    #expect(try Shell.larder("get", list, typed).lines == ["1"])
    for more in [[], ["--create"]] {
      let put = try Shell.larder("put", list, typed, "2", and: more)
      #expect(put.code == 2)
      #expect(put.errors.contains(" \(notation)"), "\(put.errors)")
    }
    let remove = try Shell.larder("rm", list, typed)
    #expect(remove.code == 1)
    #expect(remove.errors.contains(" \(notation)"), "\(remove.errors)")
    // The notation also works in a shell.
    let script = "'\(Shell.larder)' put '\(list)' \(notation) 2"
    #expect(try Shell.run("bash", ["-c", script]).code == 0)
    #expect(try Shell.larder("get", list, typed).lines == ["2"])
  }

  @Test func `put adds no second key beside one that get would find`()
    throws
  {
    let database = try scratch.database(
      "typed.db",
      """
      CREATE TABLE kv (k PRIMARY KEY, v TEXT);
      INSERT INTO kv VALUES ('null', 'a'), (printf('x%c11%c', char(39), char(39)), 'b'),
        ('42', 'c'), (7, 'd'), ('7', 'e');
      """)
    for (typed, code) in [("null", Int32(2)), ("x'11'", 2), ("42", 2), ("7", 0), ("8", 0)] {
      #expect(try Shell.larder("put", database, typed, "new").code == code)
      #expect((try Shell.larder("get", database, typed).text == "new") == (code == 0))
    }
    #expect(
      try scratch.query(database, "SELECT typeof(k), k, v FROM kv ORDER BY typeof(k), k") == [
        "integer|7|new", "integer|8|new", "text|42|c", "text|7|e", "text|null|a", "text|x'11'|b",
      ])
  }

  @Test(arguments: [
    ("INTEGER", "abc"), ("INTEGER", "inf"), ("INTEGER", "1.5"), ("INTEGER", "1e999"),
    ("INTEGER", "nan"), ("INTEGER", "null"), ("BIGINT", "x'00'"), ("REAL", "abc"), ("REAL", "nan"),
    ("REAL", "1e999"), ("DOUBLE", "null"),
  ])
  func `A new key that does not read as the type of its column is refused`(
    type: String, key: String
  ) throws {
    let database = try scratch.database(
      "typed.db", "CREATE TABLE t (k \(type) NOT NULL, v TEXT, PRIMARY KEY (k)) WITHOUT ROWID")
    #expect(try Shell.larder("put", database, "7", "v").code == 0)
    let put = try Shell.larder("put", database, key, "v")
    #expect(put.code == 5, "\(put.errors)")
    #expect(try Shell.larder("mv", database, "7", key).code == 5)
    #expect(try Shell.larder("get", database, key).code == 1)
    #expect(try scratch.query(database, "SELECT count(*), min(k) = 7 FROM t") == ["1|1"])
  }

  @Test(arguments: [
    ("INTEGER", "7", "integer|7"), ("INTEGER", "7.0", "integer|7"), ("REAL", "7", "real|7.0"),
    ("REAL", "2.00", "real|2.0"), ("REAL", "1e2", "real|100.0"),
    ("REAL", "inf", "real|Inf"), ("TEXT", "7", "text|7"), ("TEXT", "inf", "text|inf"),
    ("TEXT", "nan", "text|nan"), ("TEXT", "null", "text|null"), ("TEXT", "1e999", "text|1e999"),
    ("NUMERIC", "7.0", "integer|7"), ("NUMERIC", "abc", "text|abc"), ("", "7.0", "real|7.0"),
  ])
  func `get, put and rm agree about a key in a typed column`(
    type: String, key: String, stored: String
  ) throws {
    let database = try scratch.database(
      "typed.db", "CREATE TABLE t (k \(type) NOT NULL PRIMARY KEY DESC, v TEXT)")
    #expect(try Shell.larder("put", database, key, "old").code == 0)
    #expect(try Shell.larder("put", database, key, "new").code == 0)
    #expect(try scratch.query(database, "SELECT typeof(k), k, v FROM t") == [stored + "|new"])
    #expect(try Shell.larder("get", database, key).text == "new")
    #expect(try Shell.larder("rm", database, key).code == 0)
    #expect(try scratch.query(database, "SELECT count(*) FROM t") == ["0"])
  }

  @Test(arguments: ["INTEGER", "REAL"])
  func `A text key in a column of numbers can be read and changed`(
    type: String
  ) throws {
    let database = try scratch.database(
      "typed.db",
      """
      CREATE TABLE t (k \(type) NOT NULL, v TEXT, PRIMARY KEY (k)) WITHOUT ROWID;
      INSERT INTO t VALUES ('abc', 'a'), ('nan', 'b');
      """)
    let copy = try scratch.file("copy", try Shell.larder("export", database).output)
    for key in ["abc", "nan"] {
      #expect(try Shell.larder("put", database, key, "new").code == 0)
      #expect(try Shell.larder("get", database, key).text == "new")
      #expect(try Shell.larder("rm", database, key).code == 0)
    }
    // The export restores the original rows.
    #expect(try Shell.larder("import", database, copy).code == 0)
    #expect(
      try scratch.query(database, "SELECT typeof(k), k, v FROM t ORDER BY k") == [
        "text|abc|a", "text|nan|b",
      ])
  }

  @Test func `A new entry needs a key`() throws {
    let database = try scratch.database("nulls.db", "CREATE TABLE kv (k TEXT PRIMARY KEY, v TEXT)")
    #expect(try Shell.larder("put", database, "null", "v").code == 2)
    #expect(try scratch.query(database, "SELECT count(*) FROM kv") == ["0"])
    #expect(try Shell.larder("put", database, #""null""#, "v").code == 0)
    #expect(try Shell.larder("get", database, "null").text == "v")
    _ = try scratch.query(database, "INSERT INTO kv VALUES (NULL, 'old')")
    #expect(try Shell.larder("put", database, "null", "new").code == 0)
    #expect(try scratch.query(database, "SELECT v FROM kv WHERE k IS NULL") == ["new"])
  }

  @Test func `Every command reads quoted keys as text`() throws {
    let get = try Shell.larder("get", list, #""q""#)
    #expect(get.code == 1)
    #expect(get.errors.contains(#" '"\"q\""'"#), "\(get.errors)")
    #expect(try Shell.larder("rm", list, #""q""#).code == 1)
    #expect(try Shell.larder("put", list, #""q""#, "2").code == 0)
    #expect(try Shell.larder("get", list, "q").lines == ["2"])
    #expect(try Shell.larder("get", list, #""q""#).lines == ["2"])
    #expect(try Shell.larder("get", list, #""\"q\"""#).lines == ["1"])
  }
}
