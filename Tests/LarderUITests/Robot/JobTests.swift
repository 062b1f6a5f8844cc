import Foundation
import LarderBrowser
import LarderJournal
import LarderModel
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// The jobs for which people open a store, each by its first instinct or the first hint on screen.
///
/// The limits are half of the keys that a job took when the browser was reviewed, rounded up.
/// The user's own text, such as a name or a value, counts on neither side. Jobs that took one or two
/// keys then, or could not be done at all, have the number of keys that they take now.
@Suite @MainActor struct JobTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  func browser(_ names: String..., size: Size = Size(width: 140, height: 40)) async throws -> Robot
  {
    try await Robot(names, stores: .real(folder), size: size).settle()
  }

  /// Returns a browser of databases whose changes can be undone.
  func journaled(_ names: String...) async throws -> Robot {
    let journal = Journal(path: folder.path + "/state/journal.db")
    return try await Robot(
      names, stores: .sqlite(folder, journal: journal), size: Size(width: 140, height: 40)
    ).settle()
  }

  private let now = Int(Robot.start.timeIntervalSince1970)

  /// Creates a table of keys, values and expiries, in which three entries have expired.
  func cache(_ name: String = "cache.db") async throws {
    try await folder.database(
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB, expires_at INTEGER);
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 29)
        INSERT INTO cache SELECT printf('feed:%04d', i),
          CAST(json_object('id', i, 'pad', printf('%.*c', 100 + i, 'x')) AS BLOB),
          \(now) + (i - 2) * 600 - 1 FROM n;
      INSERT INTO cache VALUES ('feature:0000', CAST('false' AS BLOB), NULL),
        ('feature:0001', CAST('true' AS BLOB), NULL),
        ('img:0000', zeroblob(20000), \(now) + 90000),
        ('user:1:name', CAST('"Grace"' AS BLOB), \(now) + 7200),
        ('user:1:cart', CAST('[1,2]' AS BLOB), \(now) + 7200);
      """, name: name)
  }

  /// Creates a table of orders with more columns than a screen has.
  func orders() async throws {
    let more = (0..<24).map { String(format: "attr_%02d", $0) }
    try await folder.database(
      """
      CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, email TEXT, status TEXT, total REAL,
        \(more.map { "\($0) TEXT" }.joined(separator: ", ")));
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
        INSERT INTO orders SELECT i, 'Zoë ' || i, 'user' || i || '@example.com',
          CASE i % 3 WHEN 0 THEN 'open' ELSE 'paid' END, (i * 37 % 600) + 0.25,
          \(more.map { "'\($0.suffix(2))'" }.joined(separator: ", ")) FROM n;
      """, name: "wide.db")
  }

  func settings(_ name: String, _ flag: String, _ rest: String = "") throws {
    try """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>darkMode</key><\(flag)/><key>fontSize</key><integer>12</integer>
    \(rest)</dict></plist>
    """.write(toFile: folder.path + "/" + name, atomically: true, encoding: .utf8)
  }

  func text(_ sql: String, _ name: String = "cache.db") async throws -> String? {
    try await folder.text(sql, name: name)
  }

  func listed(_ browser: Robot) -> [EntryKey] {
    browser.state.keys?.window.entries.map(\.key) ?? []
  }

  /// Clicks on the header of a column.
  func click(_ header: String, _ browser: Robot) async throws {
    let row = browser.screen.row(1)
    let x = TextWidth.of(row[..<(try #require(row.firstRange(of: header)).lowerBound)])
    await browser.mouse(.press(.left), x: x, y: 1).settle()
  }

  // MARK: Seeing what is there

  @Test func `What is in my cache, and when does it expire`() async throws {
    try await cache()
    let browser = try await browser("cache.db")
    browser.expectRow("30 fresh", "3 expired", "2 never").expectRow("KEY", "TYPE", "SIZE", "LEFT")
      .expectRow("feature:0000", "text", "5 B", "∞", "false")
      .expectRow("feed:0000", "json", "−20m 01s", #"{"id":0"#)
    #expect(browser.keyCount == 0)
  }

  @Test func `Why is it stale`() async throws {
    try await cache()
    let browser = try await browser("cache.db")
    await browser.type("/feed:0000").press("<Enter>").settle()
    let before = browser.keyCount
    await browser.press("i").settle().expect("feed:0000 · expired 20m 01s ago")
      .expectRow("stored", "expires_at").expect("certain")
    #expect(browser.keyCount - before == 1)
  }

  @Test func `What has expired can be filtered by the column of the expiry`() async throws {
    try await cache()
    let browser = try await browser("cache.db")
    let now = Timestamp.text(of: Robot.start)
    await browser.press("/").type("expires_at<\(now)").press("<Enter>").settle()
    #expect(listed(browser).count == 3)
    // Other keys may begin with the name of a column and a colon.
    await browser.press("<Esc>/").type("expires_at:").press("<Enter>").settle()
    #expect(browser.state.keys?.filter?.columns.isEmpty == true)
  }

  @Test func `Sort by what expires next`() async throws {
    try await cache()
    let browser = try await browser("cache.db")
    try await click("LEFT", browser)
    #expect(browser.keyCount <= 3)
    browser.expect("▴LEFT").expect(selected: .text("feed:0000"))
    #expect(
      Array(listed(browser).prefix(3))
        == ["feed:0000", "feed:0001", "feed:0002"].map { EntryKey.text($0) })
  }

  @Test func `Which key holds this value`() async throws {
    try await orders()
    let browser = try await browser("wide.db")
    await browser.press("/").type("user499").expect("Enter searches").press("<Enter>").settle()
    #expect(browser.keyCount <= 2)
    browser.expect(selected: .integer(499)).expectRow("499", "user499@example.com")
    #expect(listed(browser) == [.integer(499)])
  }

  @Test func `Look at a table like a table`() async throws {
    try await orders()
    let browser = try await browser("wide.db")
    browser.expectRow("id", "customer", "email", "status", "total", "attr_00")
      .expectRow("2", "Zoë 2", "user2@example.com", "paid", "74.25", "00")
    let cells = browser.screen.rows[2..<38].map { $0.split(separator: "  ").count }.reduce(0, +)
    #expect(cells >= 450)
    #expect(browser.keyCount == 0)
  }

  @Test func `Sort by a column`() async throws {
    try await orders()
    let browser = try await browser("wide.db")
    await browser.press("s").type("total").press("<Enter>").settle().expect("▴total")
    #expect(browser.keyCount <= 2)
    // 37 and 600 have no common factor.
    #expect(browser.state.keys?.selected?.key == .integer(600))
  }

  @Test func `Jump to a row by another column`() async throws {
    try await orders()
    let browser = try await browser("wide.db")
    await browser.press("<Ctrl-G>").type("user500").press("<Enter>").settle()
    #expect(browser.keyCount <= 2)
    browser.expect(selected: .integer(500))
    // The whole list is shown again at the same place.
    await browser.press("<Esc>").settle().expect(selected: .integer(500)).expect("Zoë 501")
  }

  @Test func `Which keys are biggest`() async throws {
    try await cache()
    let browser = try await browser("cache.db")
    try await click("SIZE", browser)
    #expect(browser.keyCount <= 4)
    browser.expect("▾SIZE").expect(selected: .text("img:0000"))
    #expect(listed(browser)[1] == .text("feed:0029"))
  }

  @Test func `Which prefix takes the space`() async throws {
    try await cache()
    let browser = try await browser("cache.db")
    await browser.press("T").settle().expectRow("feed:", "K", "30 keys")
      .expectRow("img:", "19.5K", "1 key").expectRow("user:", "2 keys")
    let other = try await self.browser("cache.db")
    await other.press("%").settle().expectRow("PREFIX", "SHARE").expectRow(
      "img:", "19.5K", "%", "█")
    #expect(other.state.overview?.selectedPrefix == "img:")
    #expect(browser.keyCount == 1 && other.keyCount == 1)
  }

  @Test func `What is in my Django cache`() async throws {
    // pickle.dumps({'n': 1, 'who': 'Ada'}) of protocol 4, as base64.
    let pickle = "gASVFwAAAAAAAAB9lCiMAW6USwGMA3dob5SMA0FkYZR1Lg=="
    try await folder.database(
      """
      CREATE TABLE my_cache_table (cache_key varchar(255) NOT NULL PRIMARY KEY, value text NOT NULL,
        expires datetime NOT NULL);
      INSERT INTO my_cache_table VALUES (':1:view:1', '\(pickle)', '2026-09-21 15:00:00'),
        (':1:view:2', '\(pickle)', '2026-09-21 10:00:00');
      """, name: "django.db")
    let browser = try await browser("django.db")
    browser.expectRow("KEY", "LEFT").expectRow(":1:view:1", "46m 40s").expectRow(
      ":1:view:2", "−4h 13m"
    )
    .expect(#""who": "Ada""#)
    #expect(browser.keyCount == 0)
  }

  @Test func `Which cookies expire soon`() async throws {
    let day = (Int64(now) + 86_400 + 11_644_473_600) * 1_000_000
    try await folder.database(
      """
      CREATE TABLE meta(key LONGVARCHAR NOT NULL UNIQUE PRIMARY KEY, value LONGVARCHAR);
      INSERT INTO meta VALUES('version', '24');
      CREATE TABLE cookies(creation_utc INTEGER NOT NULL, host_key TEXT NOT NULL,
        top_frame_site_key TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
        encrypted_value BLOB NOT NULL, path TEXT NOT NULL, expires_utc INTEGER NOT NULL,
        is_secure INTEGER NOT NULL, is_httponly INTEGER NOT NULL, last_access_utc INTEGER NOT NULL,
        has_expires INTEGER NOT NULL, is_persistent INTEGER NOT NULL, priority INTEGER NOT NULL,
        samesite INTEGER NOT NULL, source_scheme INTEGER NOT NULL, source_port INTEGER NOT NULL,
        last_update_utc INTEGER NOT NULL, source_type INTEGER NOT NULL,
        has_cross_site_ancestor INTEGER NOT NULL);
      CREATE UNIQUE INDEX cookies_unique_index ON cookies(host_key, top_frame_site_key,
        has_cross_site_ancestor, name, path, source_scheme, source_port);
      INSERT INTO cookies VALUES
        (1, 'a.org', '', 'late', '', x'76', '/', \(day * 2), 1, 1, 2, 1, 1, 1, 0, 2, 443, 3, 0, 0),
        (1, 'b.org', '', 'soon', '', x'76', '/', \(day), 1, 1, 2, 1, 1, 1, 0, 2, 443, 3, 0, 0),
        (1, 'c.org', '', 'session', '', x'76', '/', 0, 1, 1, 2, 0, 0, 1, 0, 2, 443, 3, 0, 0);
      """, name: "Cookies")
    let browser = try await browser("Cookies")
    // The collection of the known program is shown, not the first one.
    #expect(browser.state.keys?.store.reference.collection == "cookies")
    browser.expectRow("(c.org,session", "∞")
    try await click("LEFT", browser)
    #expect(browser.keyCount <= 1)
    browser.expectRow("(b.org,soon", "1d 00h")
    #expect(browser.state.keys?.selected == browser.state.keys?.window.entries.first)
  }

  @Test func `Open the database inside a cache folder`() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/diskcache/e0", withIntermediateDirectories: true)
    try "x".write(toFile: folder.path + "/diskcache/e0/1.val", atomically: true, encoding: .utf8)
    try await folder.database(
      """
      CREATE TABLE Settings (key TEXT NOT NULL UNIQUE, value);
      INSERT INTO Settings VALUES ('count', 1), ('size', 0), ('hits', 0), ('misses', 0),
        ('statistics', 0), ('tag_index', 0);
      CREATE TABLE Cache (rowid INTEGER PRIMARY KEY, key BLOB, raw INTEGER, store_time REAL,
        expire_time REAL, access_time REAL, access_count INTEGER DEFAULT 0, tag BLOB,
        size INTEGER DEFAULT 0, mode INTEGER DEFAULT 0, filename TEXT, value BLOB);
      CREATE UNIQUE INDEX Cache_key_raw ON Cache(key, raw);
      INSERT INTO Cache VALUES (1, 'item:1', 1, \(now), \(now) + 60, \(now), 0, NULL, 0, 1, NULL, 'v');
      """, name: "diskcache/cache.db")
    let browser = try await browser("diskcache")
    browser.expect("Enter open store")
    await browser.press("<Enter>").settle()
    #expect(browser.keyCount == 1)
    browser.expect(selected: .text("item:1")).expectRow("item:1", "1m 00s")
  }

  // MARK: Changing

  @Test func `Change one flag of a property list`() async throws {
    try settings("app.plist", "true")
    let browser = try await browser("app.plist")
    await browser.press("e<Ctrl-U>").type("no").press("<Enter>").settle().expectRow(
      "darkMode", "false")
    #expect(browser.keyCount <= 3)
    let stored = try String(contentsOfFile: folder.path + "/app.plist", encoding: .utf8)
    #expect(stored.contains("<key>darkMode</key><false/>"))
  }

  @Test func `Change one flag of JSON in a text column`() async throws {
    try await folder.database(
      #"CREATE TABLE kv (key TEXT PRIMARY KEY, value TEXT); INSERT INTO kv VALUES ('ui', '{"dark": true, "size": 3}');"#,
      name: "kv.db")
    let browser = try await browser("kv.db")
    await browser.pressEach("<Enter>j<Space>")
    #expect(browser.keyCount <= 3)
    #expect(try await text("SELECT value FROM kv", "kv.db") == #"{"dark": false, "size": 3}"#)
  }

  @Test func `Change one flag stored as text in bytes`() async throws {
    try await cache()
    let browser = try await browser("cache.db")
    await browser.press("e").settle().expect("Edit feature:0000").expectNot("66 61 6c")
      .press("<Ctrl-U>").type("true").press("<Enter>").settle()
    #expect(browser.keyCount == 3)
    #expect(
      try await text(
        "SELECT typeof(value) || CAST(value AS TEXT) FROM cache WHERE key = 'feature:0000'")
        == "blobtrue")
  }

  @Test func `Rename a prefix`() async throws {
    try await cache()
    let browser = try await journaled("cache.db")
    await browser.press("G").settle()
    let before = browser.keyCount
    await browser.pressEach("Tr<Ctrl-U>").type("member:")
    browser.expect("user:1:cart → member:1:cart")
    await browser.press("<Enter>").settle()
    #expect(browser.keyCount - before <= 4)
    let keys =
      "SELECT group_concat(key, ' ') FROM (SELECT key FROM cache WHERE key > 'j' ORDER BY key)"
    #expect(try await text(keys) == "member:1:cart member:1:name")
    await browser.press("u").settle()
    #expect(try await text(keys) == "user:1:cart user:1:name")
  }

  @Test func `Delete all expired`() async throws {
    try await cache()
    let browser = try await journaled("cache.db")
    browser.expect("X delete expired")
    await browser.press("X").settle().expect("Delete 3 expired entries (").press("y").settle()
    #expect(browser.keyCount <= 9)
    #expect(
      try await text("SELECT group_concat(key) FROM cache WHERE key < 'feed:0004'")
        == "feature:0000,feature:0001,feed:0003")
  }

  @Test func `List the expired before deleting them`() async throws {
    try await cache()
    let browser = try await journaled("cache.db")
    await browser.press(":expired<Enter>").settle().expect("only expired").expect(
      "X delete expired")
    #expect(
      listed(browser) == ["feed:0000", "feed:0001", "feed:0002"].map { EntryKey.text($0) })
  }

  @Test func `Set when an entry expires`() async throws {
    try await cache()
    let browser = try await browser("cache.db")
    await browser.press("x").type("tomorrow").expect("1d 00h").press("<Enter>").settle()
    #expect(browser.keyCount == 2)
    #expect(
      try await text("SELECT CAST(expires_at AS TEXT) FROM cache WHERE key = 'feature:0000'")
        == String(now + 86_400))
  }

  @Test func `Add a cache entry`() async throws {
    try await cache()
    let browser = try await browser("cache.db")
    await browser.press("a").settle().type("feature:new").press("<Enter>").type("true")
      .press("<Enter>").type("2h").press("<Enter>").settle().expect(selected: .text("feature:new"))
    #expect(browser.keyCount <= 12)
    #expect(
      try await text(
        "SELECT CAST(value AS TEXT) || expires_at FROM cache WHERE key = 'feature:new'")
        == "true\(now + 7_200)")
  }

  @Test func `Copy an entry to another store`() async throws {
    try await cache()
    try await folder.database(
      "CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB, expires_at INTEGER)", name: "other.db")
    let browser = try await journaled("cache.db", "other.db")
    await browser.press("y").settle().expect(":cp")
    await browser.press(":cp<Enter><Enter>").settle().expect("copied 1 entry to other.db")
    #expect(browser.keyCount <= 6)
    #expect(
      try await text("SELECT key || CAST(value AS TEXT) FROM cache", "other.db")
        == "feature:0000false")
  }

  @Test func undo() async throws {
    try await cache()
    let browser = try await journaled("cache.db")
    await browser.press("d").settle().press("y").settle()
    #expect(try await text("SELECT count(*) FROM cache WHERE key = 'feature:0000'") == "integer(0)")
    let before = browser.keyCount
    await browser.expect("u undoes").press("u").settle().expect(selected: .text("feature:0000"))
    #expect(browser.keyCount - before == 1)
    #expect(
      try await text("SELECT CAST(value AS TEXT) FROM cache WHERE key = 'feature:0000'") == "false")
  }

  // MARK: Other programs and other stores

  /// Changes a database as another program, and waits until the browser notices.
  private func others(_ sql: String, _ browser: Robot) async throws {
    await turnWhile { !browser.clock.hasSleeper }
    let before = browser.state.keys?.watch
    try await folder.database(sql, name: "cache.db")
    await turnWhile {
      guard browser.state.keys?.watch == before else { return false }
      if browser.clock.hasSleeper { browser.clock.advance(by: .seconds(1)) }
      return true
    }
    await browser.settle()
  }

  @Test func `What changed while my program ran`() async throws {
    try await cache()
    let browser = try await browser("cache.db")
    await browser.press("w").settle()
    try await others(
      "UPDATE cache SET value = CAST('true' AS BLOB) WHERE key = 'feature:0000'; "
        + "DELETE FROM cache WHERE key = 'user:1:name'", browser)
    browser.expect("~1 −1")
    await browser.press("L").settle().expectRow("feature:0000", "false → ", "true")
      .expectRow("−", "user:1:name")
    #expect(browser.keyCount == 2)
    await browser.press("<Esc>n").settle().expect(selected: .text("feature:0000"))
  }

  @Test func `Compare two stores`() async throws {
    try settings("a.plist", "true", "<key>old</key><integer>1</integer>")
    try settings("b.plist", "false", "<key>new</key><integer>2</integer>")
    let browser = try await browser("a.plist", "b.plist")
    await browser.pressEach("<Shift-Tab><Space>j<Space>").expect("v compare").pressEach("v")
    #expect(browser.keyCount == 5)
    browser.expect("+1 −1 ~1  1 equal").expectRow("~", "darkMode", "true → false")
      .expectRow("+", "new").expectRow("−", "old")
  }

  @Test func `Save over the change of a running program`() async throws {
    try await cache()
    let browser = try await browser("cache.db")
    await browser.press("e").settle().press("<Ctrl-U>").type("mine").settle()
    try await folder.database(
      "UPDATE cache SET value = CAST('theirs' AS BLOB) WHERE key = 'feature:0000'", name: "cache.db"
    )
    await browser.press("<Enter>").settle().expect("theirs").expect("mine").expect("false")
    #expect(
      try await text("SELECT CAST(value AS TEXT) FROM cache WHERE key = 'feature:0000'") == "theirs"
    )
    let before = browser.keyCount
    await browser.press("m").settle()
    #expect(browser.keyCount - before == 1)
    #expect(
      try await text("SELECT CAST(value AS TEXT) FROM cache WHERE key = 'feature:0000'") == "mine")
  }
}
