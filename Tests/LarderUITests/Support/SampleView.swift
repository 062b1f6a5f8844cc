import Foundation
import Harmony
import LarderModel
import LarderBrowser
import LarderJournal
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// A view of the browser, and the keys that lead to it.
struct SampleView: Sendable, CustomTestStringConvertible {
  /// The name of the view and of its snapshot.
  let name: String
  /// The location to open.
  let location: String
  /// The keys to press after opening.
  let keys: String
  /// Texts that identify the view on a screen of 80 × 24.
  let sights: [String]
  private let isProtected: Bool

  var testDescription: String { name }

  private init(
    _ name: String, _ location: String = "app.db#settings", _ keys: String = "",
    isProtected: Bool = false, sights: String...
  ) {
    self.name = name
    self.location = location
    self.keys = keys
    self.isProtected = isProtected
    self.sights = sights
  }

  /// Opens the browser and goes to the view.
  @MainActor func open(
    _ size: Size = Size(width: 80, height: 24), theme: String = "larder-dark"
  ) async throws -> Robot {
    let folder = try await TestFolder.gallery(hasDemo: location.hasPrefix("demo/"))
    let drafts = DraftStorage(
      session: "1", source: AnyDataSource(InMemoryDataSource<Draft>()), isRunning: { _ in true })
    let robot = try Robot(
      [location], stores: try await stores(folder), size: size, theme: theme, drafts: drafts,
      bookmarks: BookmarkStorage(AnyDataSource(InMemoryDataSource<Bookmark>())),
      protected: isProtected ? ["*"] : [])
    await robot.settle()
    return await robot.pressEach(keys)
  }

  private func stores(_ folder: TestFolder) async throws -> TestStores {
    guard location == "slow" else {
      let journal = Journal(path: folder.path + "/state/journal.db")
      return .sqlite(folder, journal: journal)
    }
    let source = HeldSource(["login": "correct horse", "token": "battery staple"])
    let store = Store(
      kind: StoreKind(name: "vault", recognizedBy: "", collections: "", keys: ""),
      location: StoreLocation(path: "slow"),
      capabilities: [.writable, .creates, .ordered, .hidesValues], keyStyle: .text,
      source: AnyDataSource(source))
    return .wrapping(store, source)
  }
}

extension SampleView {
  /// Every view; one added here is covered by all tests of views.
  static let all: [SampleView] =
    panes + values + finding + changing + overlays + times

  private static let panes = [
    SampleView("keys", sights: "▸app.db#settings", "Double.pi"),
    SampleView("stores", "app.db#settings", "h", sights: "▸Stores"),
    SampleView("tabs", "app.db#settings", "<Ctrl-T><Down><Ctrl-T>", sights: "3 app.db#settings"),
    SampleView("protected", isProtected: true, sights: "PROTECTED"),
    SampleView("empty", "app.db#empty", sights: "This store is empty."),
    SampleView("failed", "gone.db", sights: "gone.db does not exist"),
    SampleView("tree", "app.db#numbers", "T<Enter>", sights: "▾ key:"),
    SampleView("scope", "app.db#numbers", "TO", sights: "› key:"),
    SampleView("marks", "app.db#settings", "<Space><Space>", sights: "2 marked"),
    SampleView("order", "app.db#settings", ":sort size<Enter>", sights: "size"),
    SampleView("bookmarks", "app.db#settings", "bB", sights: "bookmark:"),
    SampleView("watch", "app.db#settings", "w", sights: "watching"),
  ]

  private static let values = [
    SampleView("text", "app.db#settings", "/long<Enter><Enter>", sights: "A long line of text"),
    SampleView("grid", "app.db#people", "ll", sights: "born", "photo"),
    SampleView("grid-cell", "app.db#people", "lle", sights: "1815"),
    SampleView("record", "app.db#people", "<Enter><Down>", sights: "born"),
    SampleView("json", "app.db#settings", "/json<Enter><Enter><Down>", sights: "\"name\": \"Ada\""),
    SampleView("folded", "app.db#settings", "/json<Enter><Enter>-", sights: "json"),
    SampleView("search", "app.db#settings", "/json<Enter><Enter>/math<Enter>", sights: "math"),
    SampleView("new-row", "app.db#people", "a<Tab>x<Tab>y", sights: "New row of"),
    SampleView("hex", "app.db#settings", "/raw<Enter><Enter><Right>", sights: "00 01 02 03"),
    SampleView("property-list", "app.db#settings", "/plist<Enter><Enter>", sights: "\"sizes\""),
    SampleView("gzip", "app.db#settings", "/gzip<Enter><Enter>", sights: "gzip: 39 bytes from 57"),
    SampleView(
      "base64", "app.db#settings", "/base64<Enter><Enter>", sights: "base64: 14 bytes from 20"),
    SampleView("token", "app.db#settings", "/jwt<Enter><Enter>", sights: "\"alg\": \"HS256\""),
    SampleView("picture", "app.db#settings", "/image<Enter><Enter>", sights: "▀"),
    SampleView("secret", "slow", sights: "hidden secret"),
    SampleView("revealed-secret", "slow", "S", sights: "correct horse"),
    SampleView("hostile", "app.db#settings", "/evil<Enter><Enter>", sights: "␛[31m"),
    SampleView("realm", "demo/items.realm#Item", "<Down><Enter>", sights: "owner", "realm"),
  ]

  private static let finding = [
    SampleView("filter", "app.db#numbers", "/42", sights: "key:0042"),
    SampleView("filter-of-values", "app.db#settings", "//ada", sights: "values that contain"),
    SampleView("nothing-found", "app.db#settings", "/zzz<Enter>", sights: "No value matches “zzz”"),
    SampleView("goto", "app.db#settings", "<Ctrl-G>Do<Tab>", sights: "Double.pi"),
  ]

  private static let changing = [
    SampleView("editor", "app.db#people", "<Enter>ex", sights: "Adax"),
    SampleView("editor-of-lines", "app.db#settings", "/two<Enter>e<Up>x", sights: "two lines"),
    SampleView("editor-problem", "app.db#people", "<Enter><Down>ex", sights: "1815x"),
    SampleView("new-key", "app.db#settings", "abob", sights: "bob"),
    SampleView("rename", "app.db#settings", "r", sights: "Double.pi"),
    SampleView("delete", "app.db#settings", "d", sights: "Delete Double.pi"),
    SampleView("delete-marked", "app.db#settings", "<Space><Space>d", sights: "2 marked entries"),
    SampleView(
      "delete-prefix", "app.db#numbers", "D<Ctrl-U>key:00<Enter>1", sights: "100 entries"),
    SampleView("expiry", "app.db#cache", "x10m", sights: "10m"),
    SampleView("saved", "app.db#people", "<Enter>ex<Enter>", sights: "saved name of 1"),
    SampleView(
      "undone", "app.db#people", "<Enter>ex<Enter>u", sights: "undone"),
  ]

  private static let overlays = [
    SampleView("help", "app.db#settings", "?", sights: "Finding and"),
    SampleView("messages", "app.db#settings", ":fly<Enter><Esc>M", sights: "there is no command"),
    SampleView("palette", "app.db#settings", ":re<Tab>", sights: "reload"),
    SampleView("themes", "app.db#settings", "t", sights: "catppuccin-mocha"),
    SampleView("open", "app.db#settings", "odem", sights: "open: dem"),
    SampleView("comparison", "app.db#people", "<Space><Space>v", sights: "1 and 2"),
    SampleView(
      "comparison-of-text", "app.db#settings", "<Ctrl-G>text 1<Enter>:compare text 2<Enter>",
      sights: "LINE 10"),
    SampleView(
      "differences", "app.db#settings", ":compare-stores app.db#people<Enter>",
      sights: "Compare stores", "0 equal"),
    SampleView("changes", "app.db#settings", "wL", sights: "no changes by other programs yet"),
    SampleView(
      "findings", "app.db#settings", ":find-everywhere ada<Enter>", sights: "Find everywhere"),
    SampleView("history", "app.db#people", "<Enter>ex<Enter>H", sights: "after change 1"),
    SampleView(
      "comparison-before", "app.db#people", "<Enter>ex<Enter>p", sights: "Adax"),
  ]

  private static let times = [
    SampleView("times", "app.db#cache", sights: "expired", "LEFT"),
    SampleView("no-times", "app.db#cache", "c", sights: "4 entries", "VALUE"),
    SampleView(
      "times-of-one-kind", "app.db#cache", ":show expired<Enter>", sights: "only expired"),
    SampleView(
      "read-through", "app.db#settings", ":read-through<Enter><Down><Enter><Esc>",
      sights: "fresh", "1m 40s"),
    SampleView("overview", "app.db#cache", "%", sights: "(no prefix)", "LARGEST ENTRIES"),
    SampleView("overview-of-prefixes", "app.db#numbers", "%s", sights: "key:", "by count"),
    SampleView("details", "app.db#cache", "i", sights: "expires", "recognized"),
    SampleView(
      "details-read-through", "app.db#settings", ":read-through<Enter><Down><Enter><Esc>i",
      sights: "bob", "backing store"),
  ]
}

extension TestFolder {
  /// Makes the sample with values of every format, entries that expire, and optionally a Realm
  /// store.
  static func gallery(hasDemo: Bool) async throws -> TestFolder {
    let folder = try await TestFolder.sample()
    let lines = (1...60).map { "line \($0)" }
    var others = lines
    others[9] = "LINE 10"
    others[49] = "LINE 50"
    let token =
      "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0IiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJ"
    try await folder.database(
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires INTEGER);
      INSERT INTO cache VALUES ('a', 'one', 1790000249), ('b', 'two', 1789992800),
        ('c', 'three', NULL), ('d', 'four', 1790090000);
      INSERT INTO settings VALUES ('text 1', '\(lines.joined(separator: "\n"))'),
        ('text 2', '\(others.joined(separator: "\n"))'),
        ('evil', char(27) || '[31m' || char(7) || char(8238) || 'x'), ('jwt', '\(token)'),
        ('base64', 'eyJuYW1lIjoiQWRhIn0='), ('gzip', x'\(hex(Self.gzip))'),
        ('plist', '<?xml version="1.0"?><plist version="1.0"><dict><key>sizes</key><array>\
      <integer>1</integer><real>2.5</real></array><key>on</key><true/></dict></plist>'),
        ('image', x'\(Self.image)');
      """)
    guard hasDemo else { return folder }
    let demo = folder.path + "/demo"
    try FileManager.default.createDirectory(atPath: demo, withIntermediateDirectories: true)
    _ = try await Stores.makeSamples(in: demo)
    return folder
  }

  private static let gzip =
    "H4sIAAAAAAACA6tWykvMTVWyUnJMSVTSUSpJTC9WsopWyk0syQByU/PSM/NSlWJrAUVXP1YnAAAA"

  private static func hex(_ base64: String) -> String {
    (Data(base64Encoded: base64) ?? Data()).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      .joined()
  }

  /// A BMP of 2 × 2 pixels: red and green above, blue and white below.
  private static let image =
    "424d460000000000000036000000280000000200000002000000010018000000000010000000"
    + "00000000000000000000000000000000" + "ff0000ffffff0000" + "0000ff00ff000000"
}
