import Foundation
import Testing

/// Setting expiries on the command line.
@Suite struct TouchTests {
  private let scratch: Scratch
  private let database: String
  private var cache: String { database + "#cache" }

  init() throws {
    scratch = try Scratch()
    let now = Int(Date().timeIntervalSince1970)
    database = try scratch.database(
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expiration INTEGER);
      INSERT INTO cache VALUES ('old', 'a', \(now - 3_600)), ('older', 'b', \(now - 7_200)),
        ('soon', 'c', \(now + 300)), ('later', 'd', \(now + 7_200)), ('ever', 'e', NULL);
      CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, birthday TEXT);
      INSERT INTO people VALUES (1, 'ada', '1815-12-10');
      """)
  }

  private func larder(_ words: String...) throws -> Outcome {
    try Shell.run(
      Shell.larder, words, environment: ["XDG_STATE_HOME": scratch.file("state")])
  }

  private func expiration(_ key: String) throws -> Int? {
    let rows = try scratch.query(
      database, "SELECT expiration FROM cache WHERE key = '\(key)'")
    return rows.first.flatMap { Int($0) }
  }

  @Test func `the time zone assumed for a time is reported`() throws {
    let path = try scratch.database(
      "zone.db",
      "CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires_at TEXT);"
        + "INSERT INTO cache VALUES ('a', 'v', '2030-01-31 12:00:00')")
    for words in [["touch", path, "a", "--ttl", "1h"], ["put", path, "b", "v", "--ttl", "1h"]] {
      let assumed = try Shell.run(Shell.larder, words)
      #expect(assumed.code == 0)
      #expect(assumed.errors.contains("--expires-zone"), "\(assumed.errors)")
      let told = try Shell.run(Shell.larder, words + ["--expires-zone", "UTC"])
      #expect(!told.errors.contains("--expires-zone"), "\(told.errors)")
    }
  }

  @Test func `ls shows which entries are expired or expire soon`() throws {
    #expect(try larder("ls", cache, "--expired").lines == ["old", "older"])
    #expect(try larder("ls", cache, "--expiring", "10m").lines == ["soon"])
    #expect(
      try larder("ls", cache, "--sort", "expires").lines
        == ["older", "old", "soon", "later", "ever"])
    #expect(try larder("ls", cache, "--expiring", "1s").code == 1)
    let long = try larder("ls", cache, "--long").lines
    #expect(long.allSatisfy { $0.split(separator: " ").count == 5 })
  }

  @Test func `ls shows the remaining seconds`() throws {
    for line in try larder("ls", cache, "--json").lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let fields = try #require(object)
      guard fields["key"] as? String != "ever" else {
        #expect(fields["expires"] == nil && fields["remaining"] == nil)
        continue
      }
      let remaining = try #require(fields["remaining"] as? Int)
      let isOld = (fields["key"] as? String)?.hasPrefix("old") == true
      #expect(isOld ? remaining < -3_500 : remaining > 200)
      #expect((fields["expires"] as? String)?.hasSuffix("Z") == true)
    }
  }

  @Test func `touch expires the named entries immediately`() throws {
    #expect(try larder("touch", cache, "later", "--at", "now").code == 0)
    let now = Int(Date().timeIntervalSince1970)
    #expect(try expiration("later").map { now - 100...now ~= $0 } == true)
    #expect(try larder("ls", cache, "--expired").lines.contains("later"))
  }

  @Test(arguments: [
    ("in 2h", 7_200), ("tomorrow", 86_400), ("5 minutes", 300), ("1Y", 31_536_000), ("10m", 600),
    ("2 hours from now", 7_200), ("never", nil), ("2030-01-31 12:00", nil), ("1896091200", nil),
  ])
  func `touch takes every form of an expiry, like the prompt`(_ text: String, _ seconds: Int?)
    throws
  {
    for option in ["--at", "--ttl"] {
      let before = Int(Date().timeIntervalSince1970)
      #expect(try larder("touch", cache, "soon", option, text).code == 0)
      let stored = try expiration("soon")
      if let seconds {
        #expect((before + seconds)...(before + seconds + 60) ~= (try #require(stored)))
      } else {
        #expect(stored == (text == "never" ? nil : 1_896_091_200))
      }
    }
  }

  @Test func `a unit that could mean minutes or months is refused everywhere`() throws {
    for words in [
      ["touch", cache, "soon", "--ttl", "1M"], ["touch", cache, "soon", "--at", "in 1M"],
      ["touch", cache, "soon", "--ttl", "+1 month"], ["put", cache, "soon", "x", "--ttl", "1M"],
      ["ls", cache, "--expiring", "2M"],
    ] {
      let refused = try Shell.run(
        Shell.larder, words, environment: ["XDG_STATE_HOME": scratch.file("state")])
      #expect(refused.code == 2)
      #expect(refused.errors.contains("30d"), "\(refused.errors)")
    }
    #expect(try larder("ls", cache, "--expiring", "in 10 minutes").lines == ["soon"])
    #expect(try scratch.query(database, "SELECT value FROM cache WHERE key = 'soon'") == ["c"])
  }

  @Test func `touch extends named entries, prefixes and all expired entries`() throws {
    let later = try #require(try expiration("later"))
    let soon = try #require(try expiration("soon"))
    // An entry that never expires has no expiry to extend.
    #expect(try larder("touch", cache, "later", "ever", "--ttl", "+10m").code == 5)
    #expect(try expiration("later") == later)
    #expect(try larder("touch", cache, "later", "--ttl", "+10m").code == 0)
    #expect(try expiration("later") == later + 600)
    #expect(try expiration("ever") == nil)
    #expect(try larder("undo", cache).code == 0)
    #expect(try expiration("later") == later)

    let now = Int(Date().timeIntervalSince1970)
    #expect(try larder("touch", cache, "--expired", "--ttl", "+1h", "--yes").code == 0)
    for key in ["old", "older"] {
      // An expired entry is extended from now.
      #expect(try #require(try expiration(key)) >= now + 3_599)
    }
    #expect(try expiration("soon") == soon)
    #expect(try larder("touch", cache, "--expired", "--never").code == 1)
    // The whole touch is one change.
    #expect(try larder("undo", cache).code == 0)
    #expect(try larder("ls", cache, "--expired").lines == ["old", "older"])

    #expect(try larder("touch", cache, "--prefix", "old", "--never", "--yes").code == 0)
    #expect(try expiration("old") == nil)
    #expect(try expiration("older") == nil)
    #expect(try larder("touch", cache, "old", "--prefix", "o", "--never").code == 2)
    #expect(try larder("touch", cache, "--never").code == 2)
    #expect(try larder("touch", cache, "soon", "--ttl", "+many").code == 2)
  }

  @Test func `touch of many entries lists them and asks first`() throws {
    let before = try scratch.query(database, "SELECT * FROM cache")
    let dry = try larder("touch", cache, "--expired", "--never", "--dry-run")
    #expect(dry.code == 0)
    #expect(dry.lines == ["-  old", "-  older"])
    let timed = try larder("touch", cache, "--expired", "--at", "2040-01-31T12:00:00Z", "--dry-run")
    #expect(timed.lines == ["2040-01-31T12:00:00Z  old", "2040-01-31T12:00:00Z  older"])
    let json = try larder("touch", cache, "--prefix", "so", "--never", "--dry-run", "--json").text
    #expect(json.contains(#""key":"soon""#) && !json.contains(#""expires":"#), "\(json)")
    for choice in [["--expired"], ["--prefix", "o"]] {
      let refused = try Shell.run(Shell.larder, ["touch", cache] + choice + ["--never"])
      #expect(refused.code == 2)
      #expect(refused.errors.contains("pass --yes"), "\(refused.errors)")
    }
    let empty = try larder("touch", cache, "--prefix", "", "--never", "--yes")
    #expect(empty.code == 2)
    #expect(empty.errors.contains("--prefix is empty"))
    #expect(try larder("touch", cache, "old", "--never", "--dry-run").lines == ["-  old"])
    #expect(try scratch.query(database, "SELECT * FROM cache") == before)
  }

  @Test func `deleting by a column of dates needs a time zone`() throws {
    let path = try scratch.database(
      "dates.db",
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires TEXT);
      INSERT INTO cache VALUES ('a', 'v', '2020-01-31'), ('b', 'w', '2040-01-31');
      """)
    #expect(try larder("ls", path, "--expired").lines == ["a"])
    #expect(try larder("rm", path, "--expired", "--yes").code == 5)
    let zone = ["--expires-zone", "Europe/Berlin"]
    let dry = try Shell.larder("rm", path, "--expired", "--dry-run", and: zone)
    #expect(dry.code == 0 && dry.lines == ["a"], "\(dry.errors)")
    // A time is rounded up to a whole day, except for an entry that is to expire now.
    let at = "2030-10-26T23:30:00+02:00"
    #expect(try Shell.larder("touch", path, "a", "--at", at, and: zone).code == 0)
    #expect(try scratch.query(path, "SELECT expires FROM cache WHERE key = 'a'") == ["2030-10-27"])
    #expect(try Shell.larder("touch", path, "b", "--at", "now", and: zone).code == 0)
    #expect(try Shell.larder("rm", path, "--expired", "--yes", and: zone).code == 0)
    #expect(try scratch.query(path, "SELECT key FROM cache") == ["a"])
  }

  @Test func `with --expires-column none nothing expires`() throws {
    let none = ["--expires-column", "none"]
    #expect(try Shell.larder("ls", cache, "--expired", and: none).lines == [])
    let removed = try Shell.larder("rm", cache, "--expired", "--yes", and: none)
    #expect(removed.code == 1 && !removed.errors.contains("larder info"), "\(removed.errors)")
    #expect(try Shell.larder("touch", cache, "old", "--never", and: none).code == 5)
    let listed = try Shell.larder("ls", cache, "--json", and: none)
    #expect(listed.code == 0 && !listed.lines.isEmpty && !listed.text.contains("\"expires\""))
    #expect(try larder("ls", cache, "--expired").lines == ["old", "older"])
  }

  @Test func `info shows the expiry column and the evidence`() throws {
    let text = try larder("info", database).text
    #expect(
      text.contains("cache: expiry from column expiration, seconds since 1970, because its name"))
    #expect(text.contains("(certain)"))
    let json = try larder("info", cache, "--json").text
    #expect(json.contains(#""expiry":{"column":"expiration","unit":"s","confidence":"certain""#))
    #expect(json.contains(#""capabilities":["#) && json.contains(#""expiry","#))
  }

  @Test func `touch sets expiries in one change`() throws {
    let before = Int(Date().timeIntervalSince1970)
    let outcome = try larder("touch", cache, "old", "ever", "--ttl", "10m")
    #expect(outcome.code == 0 && outcome.output.isEmpty)
    for key in ["old", "ever"] {
      let expiration = try #require(try expiration(key))
      #expect((before + 600)...(before + 660) ~= expiration)
    }
    #expect(try larder("touch", cache, "soon", "--never").code == 0)
    #expect(
      try scratch.query(database, "SELECT key FROM cache WHERE expiration IS NULL") == ["soon"])
    #expect(try larder("undo").code == 0)
    #expect(try larder("undo").code == 0)
    #expect(
      try scratch.query(database, "SELECT key FROM cache WHERE expiration IS NULL") == ["ever"])
    #expect(try #require(try expiration("old")) < before - 3_500)
    let dated = try larder("touch", cache, "old", "--at", "2030-01-31 12:00", "--json")
    #expect(dated.text.contains(#""expires":"2030-01-31T12:00:00Z""#))
    #expect(try expiration("old") == 1_896_091_200)
  }

  @Test func `touch reports what it cannot do`() throws {
    #expect(try larder("touch", cache, "old").code == 2)
    #expect(try larder("touch", cache, "old", "--never", "--ttl", "1m").code == 2)
    #expect(try larder("touch", cache, "old", "--at", "soon").code == 2)
    #expect(try larder("touch", cache, "none", "--never").code == 1)
    #expect(try larder("touch", cache, "old", "--never", "--read-only").code == 5)
    let people = try larder("touch", database + "#people", "1", "--ttl", "1m")
    #expect(people.code == 5, "\(people.errors)")
    #expect(try larder("ls", cache, "--expires-column", "nope").code == 3)
    #expect(try larder("ls", cache, "--expires-unit", "years").code == 2)
  }

  @Test func `A dry run refuses what touch refuses`() throws {
    let strict = try scratch.database(
      "strict.db",
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expiration INTEGER NOT NULL);
      INSERT INTO cache VALUES ('a', 'v', 1790000000);
      """)
    let lasting = try scratch.database(
      "lasting.db",
      """
      CREATE TABLE cache_items (item_id TEXT PRIMARY KEY, item_data BLOB, item_lifetime INTEGER,
        item_time INTEGER NOT NULL);
      INSERT INTO cache_items VALUES ('a', 'v', 600, 1790000000);
      """)
    for words in [[strict, "a", "--never"], [lasting, "a", "--at", "2000-01-01T00:00:00Z"]] {
      for dry in [[], ["--dry-run"]] {
        let outcome = try Shell.run(Shell.larder, ["touch", "--no-journal"] + words + dry)
        #expect(outcome.code == 5, "\(words + dry) \(outcome.output)")
        #expect(outcome.lines.isEmpty)
        #expect(outcome.errors.contains("nothing was written"), "\(outcome.errors)")
      }
    }
  }

  @Test func `Assumptions about the expiry are reported before a deletion`() throws {
    let path = try scratch.database(
      "local.db",
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires TEXT);
      INSERT INTO cache VALUES ('a', 'v', '2020-01-31 12:00:00');
      """)
    let doubt = "expires has no time zone and is read as UTC"
    for words in [["--dry-run"], ["--yes"], []] {
      let refused = try Shell.larder("rm", path, "--expired", and: words)
      #expect(refused.code == 5 && refused.lines.isEmpty)
      #expect(refused.errors.contains("--expires-zone"), "\(refused.errors)")
    }
    #expect(try scratch.query(path, "SELECT count(*) FROM cache") == ["1"])
    let listed = try larder("ls", path, "--expired")
    #expect(listed.lines == ["a"] && listed.errors.contains("UTC"), "\(listed.errors)")
    let dry = try larder("touch", path, "--expired", "--ttl", "1h", "--dry-run")
    #expect(dry.lines.count == 1 && dry.errors.contains(doubt), "\(dry.errors)")
    #expect(try larder("info", path).text.contains("\(doubt) (likely)"))
    for words in [["ls", "--long"], ["ls", "--json"], ["get", "a", "--json"], ["export"]] {
      let words = [words[0], path] + words.dropFirst()
      let said = try Shell.run(Shell.larder, words)
      #expect(said.lines.count == 1 && said.errors.contains(doubt), "\(said.errors)")
      let told = try Shell.run(Shell.larder, words + ["--expires-zone", "UTC"])
      #expect(told.errors.isEmpty, "\(told.errors)")
    }
    for words in [["ls", path], ["get", path, "a"]] {
      #expect(try Shell.run(Shell.larder, words).errors.isEmpty)
    }
    for zone in ["UTC", "local", "Europe/Berlin"] {
      let told = try larder("rm", path, "--expired", "--dry-run", "--expires-zone", zone)
      #expect(told.lines == ["a"] && told.code == 0, "\(told.errors)")
    }
    let told = try larder("rm", path, "--expired", "--dry-run", "--expires-unit", "iso")
    #expect(told.errors.isEmpty, "\(told.errors)")
  }

  @Test(arguments: [
    ("CURRENT_TIMESTAMP", Int32(0)), ("(datetime('now'))", 0),
    ("( DATETIME( 'now', '+1 hour' ) )", 0), ("(datetime('now', 'localtime'))", 5),
    ("'2020-01-31 12:00:00'", 5),
  ])
  func `a column with a default of SQLite's current time is in UTC`(
    expression: String, code: Int32
  ) throws {
    let path = try scratch.database(
      "now.db",
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires TEXT DEFAULT \(expression));
      INSERT INTO cache VALUES ('a', 'v', '2020-01-31 12:00:00');
      """)
    #expect(try larder("rm", path, "--expired", "--yes").code == code)
    #expect(try scratch.query(path, "SELECT count(*) FROM cache") == [code == 0 ? "0" : "1"])
  }

  @Test func `texts without a zone are in the given time zone`() throws {
    let path = try scratch.database(
      "berlin.db",
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, mime TEXT, expires TEXT);
      INSERT INTO cache VALUES ('a', 'v', 't', '2020-01-31 12:00:00'),
        ('b', 'v', 't', '2020-07-31T12:00:00'), ('z', 'v', 't', '2020-07-31T12:00:00Z'),
        ('c', 'v', 't', '2099-01-01 00:00:00');
      """)
    let berlin = ["--expires-zone", "Europe/Berlin"]
    let listed = try Shell.larder("ls", path, "--json", and: berlin).text
    for end in ["2020-01-31T11:00:00Z", "2020-07-31T10:00:00Z", "2020-07-31T12:00:00Z"] {
      #expect(listed.contains(#""expires":"\#(end)""#), "\(listed)")
    }
    #expect(try Shell.larder("info", path, and: berlin).text.contains("Europe/Berlin"))
    let dry = try Shell.larder("rm", path, "--expired", "--dry-run", and: berlin)
    #expect(dry.lines == ["a", "b", "z"] && dry.errors.isEmpty, "\(dry.errors)")
    for (at, end) in [
      ("2030-07-01T10:00:00Z", "2030-07-01 12:00:00"),
      ("2030-01-01T11:00:00Z", "2030-01-01 12:00:00"),
      ("2030-10-27T01:30:00Z", "2030-10-27 02:30:00"),
    ] {
      #expect(try Shell.larder("touch", path, "a", "--at", at, and: berlin).code == 0)
      #expect(try scratch.query(path, "SELECT expires FROM cache WHERE key = 'a'") == [end])
    }
    // In that night 02:30 occurs a second time an hour later.
    let twice = try Shell.larder("touch", path, "a", "--at", "2030-10-27T00:30:00Z", and: berlin)
    #expect(twice.code != 0 && twice.errors.contains("nothing was written"), "\(twice.errors)")
    let other = try scratch.database(
      "seconds.db",
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, mime TEXT, expires INTEGER);
      INSERT INTO cache VALUES ('s', 'v', 't', 1700000000);
      """)
    #expect(try Shell.larder("cp", path, other, and: berlin).code == 0)
    #expect(
      try scratch.query(other, "SELECT expires FROM cache WHERE key = 'b'") == ["1596189600"])
    #expect(try Shell.larder("ls", path, "--expires-zone", "+02:00").code == 0)
    #expect(try Shell.larder("ls", path, "--expires-zone", "Mars").code == 2)
  }

  @Test func `a typed date without a zone is in the given time zone`() throws {
    let path = try scratch.database(
      "york.db",
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires TEXT);
      INSERT INTO cache VALUES ('a', 'v', '2030-01-31T12:00:00');
      """)
    let york = ["--expires-zone", "America/New_York"]
    for (at, end) in [
      ("2030-12-01T09:00:00", "2030-12-01T09:00:00"), ("2030-07-01", "2030-07-01T00:00:00"),
      ("2030-12-01T09:00:00Z", "2030-12-01T04:00:00"),
    ] {
      #expect(try Shell.larder("touch", path, "a", "--at", at, and: york).code == 0)
      #expect(try scratch.query(path, "SELECT expires FROM cache") == [end])
    }
    // In that night the clocks skip an hour.
    for (at, code) in [("2030-03-10T02:30:00", Int32(2)), ("2030-03-10T02:30:00Z", 0)] {
      #expect(try Shell.larder("touch", path, "a", "--at", at, and: york).code == code)
    }
    #expect(try Shell.larder("touch", path, "a", "--at", "2030-12-01T09:00:00").code == 0)
    #expect(try scratch.query(path, "SELECT expires FROM cache") == ["2030-12-01T09:00:00"])
  }

  @Test(arguments: ["America/New_York", ":America/New_York", "EST5EDT,M3.2.0,M11.1.0"])
  func `the local time zone is that of the C library, however TZ names it`(zone: String) throws {
    let path = try scratch.database(
      "local-york.db",
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires TEXT);
      INSERT INTO cache VALUES ('summer', 'v', '2030-07-01 12:00:00'),
        ('twice', 'v', '2030-11-03 01:30:00'), ('winter', 'v', '2030-01-01 12:00:00');
      """)
    let listed = try Shell.run(
      Shell.larder, ["ls", path, "--json", "--expires-zone", "local"], environment: ["TZ": zone])
    let ends = listed.text.matches(of: /"expires":"([^"]*)"/).map { String($0.1) }
    #expect(ends == ["2030-07-01T16:00:00Z", "2030-11-03T06:30:00Z", "2030-01-01T17:00:00Z"])
  }

  @Test(arguments: [
    ("Foo/Bar", Int32(2)), ("Mars", 2), ("/nope", 2), ("", 0), ("UTC", 0), ("<+03>-3", 0),
    ("CET-1CEST,M3.5.0,M10.5.0/3", 0),
  ])
  func `an unknown local time zone is not treated as UTC`(zone: String, code: Int32) throws {
    let listed = try Shell.run(
      Shell.larder, ["ls", cache, "--expires-zone", "local"], environment: ["TZ": zone])
    #expect(listed.code == code, "\(listed.errors)")
  }

  @Test func `ls refuses --expired together with --expiring`() throws {
    #expect(try larder("ls", cache, "--expired", "--expiring", "1h").code == 2)
  }

  @Test func `touch of a prefix skips entries that never expire`() throws {
    let later = try #require(try expiration("later"))
    _ = try scratch.query(database, "UPDATE cache SET key = 'later2' WHERE key = 'ever'")
    #expect(try larder("touch", cache, "--prefix", "later", "--ttl", "+10m", "--yes").code == 0)
    #expect(try expiration("later") == later + 600)
    #expect(try expiration("later2") == nil)
  }

  @Test func `a lifetime column with two possible units deletes nothing until one is named`() throws
  {
    let made = Int(Date().timeIntervalSince1970) - 60
    let path = try scratch.database(
      "two.db",
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, created_at INTEGER, ttl INTEGER);
      INSERT INTO cache VALUES ('a', 'v', \(made)000, 5000), ('b', 'v', \(made)000, 10000);
      """)
    for words in [["--yes"], ["--dry-run"], ["--yes", "--expires-column", "ttl"]] {
      let refused = try Shell.larder("rm", path, "--expired", and: words)
      #expect(refused.code == 5 && refused.errors.contains("--expires-unit s"))
    }
    for words in [["a"], ["--prefix", "a", "--yes"]] {
      #expect(try Shell.larder("touch", path, and: words + ["--ttl", "1h"]).code == 5)
    }
    #expect(try scratch.query(path, "SELECT ttl FROM cache") == ["5000", "10000"])
    #expect(try Shell.larder("rm", path, "--expired", "--yes", "--expires-unit", "s").code == 1)
    #expect(try Shell.larder("rm", path, "--expired", "--yes", "--expires-unit", "ms").code == 0)
    #expect(try scratch.query(path, "SELECT count(*) FROM cache") == ["0"])
  }

  @Test func `a touch beyond the range of a column is refused`() throws {
    let before = try scratch.query(database, "SELECT * FROM cache")
    for end in [["--at", "2300-01-01"], ["--ttl", "100000d"], ["--at", "1999-12-31"]] {
      #expect(try Shell.larder("touch", cache, "old", and: end).code == 5)
    }
    #expect(try scratch.query(database, "SELECT * FROM cache") == before)
    let nanoseconds = try scratch.database(
      "ns.db",
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires INTEGER);
      INSERT INTO cache VALUES ('a', 'v', 1900000000000000000);
      """)
    #expect(try larder("touch", nanoseconds, "a", "--at", "2262-04-12").code == 5)
    #expect(try larder("touch", nanoseconds, "a", "--at", "2262-04-11").code == 0)
    #expect(
      try scratch.query(nanoseconds, "SELECT expires FROM cache") == ["9223286400000000000"])
  }

  @Test func `a time the store cannot hold is rounded with a warning`() throws {
    let made = Int(Date().timeIntervalSince1970) - 637
    let path = try scratch.database(
      "minutes.db",
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, created_at INTEGER,
        ttl_minutes INTEGER);
      INSERT INTO cache VALUES ('a', 'v', \(made), 30);
      """)
    let dry = try larder("touch", path, "a", "--ttl", "90s", "--json", "--dry-run")
    let touched = try larder("touch", path, "a", "--ttl", "90s", "--json")
    #expect(touched.code == 0 && !touched.errors.isEmpty)
    let minutes = try #require(try scratch.query(path, "SELECT ttl_minutes FROM cache").first)
    #expect(minutes == "13")
    let end = Date(timeIntervalSince1970: Double(made + 13 * 60)).ISO8601Format()
    for outcome in [dry, touched] { #expect(outcome.text.contains(#""expires":"\#(end)""#)) }
  }

  @Test func `put writes the expiry along with the value`() throws {
    let before = Int(Date().timeIntervalSince1970)
    #expect(try larder("put", cache, "fresh", "new", "--ttl", "1h").code == 0)
    let expiration = try #require(try expiration("fresh"))
    #expect((before + 3_600)...(before + 3_660) ~= expiration)
    #expect(try scratch.query(database, "SELECT value FROM cache WHERE key = 'fresh'") == ["new"])
    let people = try larder(
      "put", database + "#people", "1", #"{"name":"a","birthday":null}"#, "--ttl", "1m")
    #expect(people.code == 5)
  }

  @Test func `put says that an entry is still expired`() throws {
    let expired = try larder("put", cache, "old", "new", "--json")
    #expect(expired.code == 0)
    #expect(expired.text.contains(#""remarks":["#) && !expired.errors.isEmpty)
    for words in [["soon", "new"], ["ever", "new"], ["old", "new", "--ttl", "1h"]] {
      let put = try Shell.larder("put", cache, and: words + ["--json"])
      #expect(put.code == 0)
      #expect(!put.text.contains(#""remarks""#) && put.errors.isEmpty, "\(put.errors)")
    }
  }

  @Test func `A doubtful expiry column is written only when named`() throws {
    let path = try scratch.database(
      "cards.db",
      """
      CREATE TABLE creditcards (id INTEGER PRIMARY KEY, data TEXT, expires INTEGER);
      INSERT INTO creditcards VALUES (1, 'x', 1790000123), (2, 'y', 1790086611);
      """)
    let before = try scratch.query(path, "SELECT * FROM creditcards")
    for words in [
      ["touch", path, "1", "--never"], ["touch", path, "1", "--ttl", "1h", "--dry-run"],
      ["touch", path, "--prefix", "1", "--never", "--yes"],
      ["put", path, "1", "z", "--ttl", "1h"],
    ] {
      let refused = try Shell.run(Shell.larder, words)
      #expect(refused.code == 5)
      #expect(refused.errors.contains("--expires-column expires"), "\(refused.errors)")
    }
    #expect(try scratch.query(path, "SELECT * FROM creditcards") == before)
    #expect(try Shell.larder("put", path, "1", "z").code == 0)
    let told = ["--never", "--expires-column", "expires"]
    #expect(try Shell.larder("touch", path, "1", and: told).code == 0)
    #expect(
      try scratch.query(path, "SELECT data FROM creditcards WHERE expires IS NULL") == ["z"])
  }

  @Test(arguments: [
    (["0", "NULL", "1790000123"], nil), (["NULL", "0", "1790000123"], nil),
    (["0", "1790000777", "1790000123"], "0"), (["-1", "1790000777", "1790000123"], "-1"),
    (["1790000001", "1790000777", "1790000123"], nil),
  ])
  func `touch --never writes NULL unless rows only use another marker`(
    ends: [String], never: String?
  ) throws {
    let rows = ends.enumerated().map { "('k\($0)', 'v', \($1))" }.joined(separator: ", ")
    let path = try scratch.database(
      "never.db",
      "CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires INTEGER);"
        + "INSERT INTO cache VALUES \(rows)")
    #expect(try Shell.larder("touch", path, "k2", "--never").code == 0)
    let stored = try scratch.query(path, "SELECT quote(expires) FROM cache WHERE key = 'k2'")
    #expect(stored == [never ?? "NULL"])
  }

  @Test func `put sets the TTL of a new file`() throws {
    let folder = scratch.path + "/files"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let put = try larder("put", folder, "a", "x", "--ttl", "5h", "--json")
    #expect(put.code == 0, "\(put.errors)")
    let remaining = put.text.firstMatch(of: /"remaining":(\d+)/).flatMap { Int($0.1) }
    #expect(remaining.map { (16_000...18_000).contains($0) } == true, "\(put.text)")
    #expect(put.errors.contains("stores no expiry"))
    #expect(try larder("info", folder, "--ttl", "5h").lines.contains { $0.hasPrefix("expiry") })
    let touch = try larder("touch", folder, "a", "--ttl", "1h")
    #expect(touch.code == 5 && touch.errors.contains("To give its files a TTL"))
    #expect(try larder("ls", folder, "--ttl", "5h", "--expiring", "6h").lines == ["a"])
    #expect(try larder("undo", folder).code == 0)
    #expect(try larder("ls", folder).lines == [], "one put is one change")
  }

  @Test func `put --ttl is stored by files with their own expiry`() throws {
    let folder = scratch.path + "/laravel"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["a", "b"] {
      try "4102444800s:1:\"x\";".write(
        toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }
    #expect(try larder("ls", folder, "--expiring", "3h").code == 1)
    let put = try larder("put", folder, "a", "4102444800s:1:\"y\";", "--ttl", "2h", "--json")
    #expect(put.code == 0)
    #expect(try larder("ls", folder, "--expiring", "3h").lines == ["a"])
    let text = try String(contentsOfFile: folder + "/a", encoding: .utf8)
    #expect(text.hasSuffix("s:1:\"y\";") && !text.hasPrefix("4102444800"))
  }

  @Test func `rm --expired is one change`() throws {
    #expect(try larder("rm", cache, "--expired", "--dry-run").lines == ["old", "older"])
    #expect(try scratch.query(database, "SELECT count(*) FROM cache") == ["5"])
    #expect(try larder("rm", cache, "--expired", "--yes").code == 0)
    #expect(try scratch.query(database, "SELECT count(*) FROM cache") == ["3"])
    #expect(try larder("undo").code == 0)
    #expect(try scratch.query(database, "SELECT count(*) FROM cache") == ["5"])
    #expect(try larder("rm", database + "#people", "--expired", "--yes").code == 1)
  }
}
