import Foundation
import Testing

/// The settings file.
@Suite struct SettingsTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      "CREATE TABLE kv (k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES ('a:b', 1), ('a:c', 2);")
  }

  /// Runs larder with settings in a file given by `--config`.
  private func larder(settings: String, _ words: String...) throws -> Outcome {
    let path = scratch.path + "/settings.json"
    try settings.write(toFile: path, atomically: true, encoding: .utf8)
    return try Shell.run(Shell.larder, words + ["--config", path])
  }

  @Test func `configured keys are listed and work`() throws {
    let settings = #"{"keys": {"down": "Ctrl-N", "delete": ["K"]}}"#
    let listed = try larder(settings: settings, "keys").text
    #expect(listed.contains("  Ctrl-N            down"))
    #expect(!listed.contains("Down j"))
    let screen = try larder(
      settings: settings, "screen", "\(database)#kv", "--size", "80x24", "--keys", "<Ctrl-N>K")
    #expect(screen.text.contains("Delete a:c from"))
    let old = try larder(
      settings: settings, "screen", "\(database)#kv", "--size", "80x24", "--keys", "d")
    #expect(!old.text.contains("Delete a:"))
  }

  @Test func `hints and messages name the configured keys`() throws {
    let screen = try larder(
      settings: #"{"keys": {"undo": "Ctrl-O", "edit": "i"}}"#, "screen", "\(database)#kv",
      "--size", "80x24", "--keys", "i0<Enter>")
    #expect(screen.text.contains("Ctrl-O undoes the store's last change"))
    #expect(try Shell.larder("undo", database).code == 0)
  }

  @Test func `nothing is written with a read-only setting`() throws {
    let refused = try larder(settings: #"{"read-only": true}"#, "put", "\(database)#kv", "a:b", "5")
    #expect(refused.code == 5)
    #expect(try scratch.query(database, "SELECT v FROM kv WHERE k = 'a:b'") == ["1"])
  }

  enum Unreadable: CaseIterable {
    case loop, danglingLink, fifo, folder, large
  }

  @Test(arguments: Unreadable.allCases)
  func `nothing is written when the settings file cannot be read`(_ reason: Unreadable) throws {
    let folder = scratch.file("config/larder")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let environment = [
      "XDG_CONFIG_HOME": scratch.file("config"), "XDG_STATE_HOME": scratch.file("state"),
      "TMPDIR": scratch.path,
    ]
    func put(_ value: String, _ options: [String] = []) throws -> Int32 {
      try Shell.larder(
        "put", "\(database)#kv", "a:b", value, and: options, environment: environment
      ).code
    }
    #expect(try put("4") == 0)
    #expect(try Shell.larder("doctor", environment: environment).code == 0)
    let path = folder + "/config.json"
    switch reason {
    case .loop: #expect(symlink("config.json", path) == 0)
    case .danglingLink: #expect(symlink("none", path) == 0)
    case .fifo: #expect(mkfifo(path, 0o600) == 0)
    case .folder: #expect(mkdir(path, 0o700) == 0)
    case .large:
      _ = try scratch.file(
        "config/larder/config.json", repeatElement(UInt8(ascii: " "), count: 2 << 20))
    }
    #expect(try put("5") == 5)
    #expect(try scratch.query(database, "SELECT v FROM kv WHERE k = 'a:b'") == ["4"])
    #expect(try Shell.larder("doctor", environment: environment).code == 1)
    #expect(try put("6", ["--read-only=no"]) == 0)
  }

  @Test(arguments: [
    (#"{"theme": "nord"}"#, Int32(0)), (#"{"read-only": true}"#, 5), (#"{"journal": false}"#, 0),
  ])
  func `settings writable by other users only protect stores`(
    settings: String, code: Int32
  ) throws {
    let folder = scratch.file("config/larder")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = try scratch.file("config/larder/config.json", settings.utf8)
    #expect(chmod(path, 0o666) == 0)
    let environment = [
      "XDG_CONFIG_HOME": scratch.file("config"), "XDG_STATE_HOME": scratch.file("state"),
    ]
    let outcome = try Shell.larder("put", "\(database)#kv", "a:b", "5", environment: environment)
    #expect(outcome.code == code)
    #expect(outcome.errors.contains("chmod go-w '\(path)'"))
    #expect(try Shell.larder("log", environment: environment).code == (code == 0 ? 0 : 1))
    #expect(try Shell.larder("doctor", environment: environment).code == 1)
  }

  @Test func `a refused write names the setting that caused it`() throws {
    let words = ["screen", "\(database)#kv", "--size", "100x24", "--keys", "d"]
    let path = scratch.path + "/settings.json"
    for (settings, line) in [("{\n\"read-only\": true}", 2), ("{\"read-only\": 1}", 1)] {
      try settings.write(toFile: path, atomically: true, encoding: .utf8)
      let screen = try Shell.run(Shell.larder, words + ["--config", path]).text
      #expect(screen.replacing(/\s+/, with: "").contains("isset"), "\(screen)")
      #expect(screen.replacing(/\s+/, with: "").contains("settings.json,line\(line)"), "\(screen)")
    }
    try "{\"read-only\": tru".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try Shell.run(Shell.larder, words + ["--config", path]).text.contains("larder doctor"))
    #expect(
      try Shell.run(Shell.larder, words, environment: ["LARDER_READ_ONLY": "1"]).text
        .contains("LARDER_READ_ONLY is set in the environment"))
    #expect(
      try Shell.run(Shell.larder, words + ["--read-only"]).text
        .contains("larder was started with --read-only"))
  }

  @Test(arguments: [
    #"{"read-only": "yes"}"#, #"{"readonly": true}"#, #"{"read-only": true, "theme": "#,
  ])
  func `nothing is written when a setting may mean read-only`(settings: String) throws {
    let refused = try larder(settings: settings, "put", "\(database)#kv", "a:b", "5")
    #expect(refused.code == 5)
    #expect(refused.errors.contains("nothing is written until this is fixed"))
    #expect(try scratch.query(database, "SELECT v FROM kv WHERE k = 'a:b'") == ["1"])
  }

  @Test func `a protected store is marked`() throws {
    let settings = #"{"protected": ["\#(scratch.path)/*.db"]}"#
    let screen = try larder(settings: settings, "screen", "\(database)#kv", "--styles")
    #expect(screen.text.contains("PROTECTED"))
    #expect(screen.text.contains("dialog.danger"))
    // Only `*` and `?` are special in a pattern, and symbolic links are resolved.
    let odd = scratch.path + "/br[1]"
    try FileManager.default.createDirectory(atPath: odd, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: database, toPath: odd + "/copy.db")
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path + "/link", withDestinationPath: odd)
    for pattern in [odd + "/*.db", "\(scratch.path)/link/c?py.db", "\(scratch.path)/link/copy.db"] {
      let screen = try larder(
        settings: "{\"protected\": [\"\(pattern)\"]}", "screen", odd + "/copy.db")
      #expect(screen.text.contains("PROTECTED"), "\(pattern)")
    }
    // Protection also applies to a database opened as part of a folder.
    try FileManager.default.copyItem(atPath: database, toPath: odd + "/second.db")
    let inside = try larder(
      settings: "{\"protected\": [\"\(odd)/copy.db\"]}", "screen", "\(odd)#copy.db#kv")
    #expect(inside.text.contains("PROTECTED"))
    let beside = try larder(
      settings: "{\"protected\": [\"\(odd)/copy.db\"]}", "screen", "\(odd)#second.db#kv")
    #expect(!beside.text.contains("PROTECTED"))
    let other = try larder(settings: #"{"protected": ["/nowhere/*"]}"#, "screen", "\(database)#kv")
    #expect(!other.text.contains("PROTECTED"))
  }

  @Test func `a mistake is reported and the rest applies`() throws {
    let settings = "{\n\"them\": 1,\n\"delimiter\": \":\", \"theme\": \"no such theme\"}"
    let tree = try larder(settings: settings, "ls", "\(database)#kv")
    #expect(tree.code == 0 && tree.text == "a:b\na:c\n")
    #expect(tree.errors.contains("settings.json, line 2, them: unknown setting"))
    let screen = try larder(
      settings: settings, "screen", "\(database)#kv", "--keys", "M", "--size", "400x24")
    // The path may wrap anywhere in the box, so the words are joined again.
    let rows = screen.lines.map(Array.init)
    let edge = try #require(rows.lazy.compactMap { $0.firstIndex(of: "╭") }.first)
    let box = rows.filter { edge < $0.count && $0[edge] == "│" }
      .map { String($0[(edge + 1)...].prefix { $0 != "│" }) }
    let said = box.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(said.contains("line 2, them"), "\(said)")
    #expect(said.contains("theme “no such theme”; larder themes lists them"), "\(said)")
  }

  @Test func `a missing --config file is an error`() throws {
    let outcome = try Shell.larder("ls", "\(database)#kv", "--config", scratch.path + "/none")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("give an existing file"))
  }

  @Test func `the default file is read`() throws {
    let folder = scratch.path + "/config/larder"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try #"{"keys": {"down": "n"}}"#
      .write(toFile: folder + "/config.json", atomically: true, encoding: .utf8)
    let listed = try Shell.run(
      "env", ["XDG_CONFIG_HOME=\(scratch.path)/config", Shell.larder, "keys"])
    #expect(listed.text.contains("  n                 down"))
  }

  @Test func `HOME names the home folder`() throws {
    let folder = scratch.path + "/.config/larder"
    try FileManager.default.createDirectory(
      atPath: folder + "/themes", withIntermediateDirectories: true)
    try #"{"keys": {"down": "n"}}"#
      .write(toFile: folder + "/config.json", atomically: true, encoding: .utf8)
    try "{}".write(toFile: folder + "/themes/mine.json", atomically: true, encoding: .utf8)
    let home = ["HOME": scratch.path, "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": ""]
    #expect(try Shell.larder("ls", "~/test.db#kv", environment: home).text == "a:b\na:c\n")
    #expect(
      try Shell.larder("keys", environment: home).text.contains("  n                 down"))
    #expect(try Shell.larder("themes", environment: home).lines.contains("mine"))
    _ = try Shell.larder("rm", "~/test.db#kv", "a:b", environment: home)
    #expect(
      FileManager.default.fileExists(atPath: scratch.path + "/.local/state/larder/journal.db"))
  }
}
