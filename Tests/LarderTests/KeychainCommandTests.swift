#if Keychain
import Foundation
import KeychainBench
import Testing

/// `larder` on a real, temporary keychain, run as a separate process.
struct KeychainCommandTests {
  private static let secret = "correct horse battery staple"

  private func larder(
    _ bench: KeychainBench, _ arguments: [String], input: String = "",
    environment: [String: String] = [:]
  ) throws -> Outcome {
    var settings = bench.environment
    settings["XDG_STATE_HOME"] = bench.folder + "/state"
    settings["XDG_CONFIG_HOME"] = bench.folder + "/config"
    settings.merge(environment) { $1 }
    return try Shell.run(
      Shell.larder, arguments, input: Array(input.utf8), environment: settings)
  }

  /// Makes a keychain with one secret, stored by another program.
  private func bench() throws -> KeychainBench {
    let bench = try KeychainBench()
    try bench.run(
      "secret-tool", ["store", "--label=l", "service", "app", "account", "token"],
      input: Data(Self.secret.utf8))
    return bench
  }

  @Test func `Without libsecret only the keychain fails, with advice`() throws {
    let scratch = try Scratch()
    // An invalid file precedes the system's library in the search path.
    _ = try scratch.file("libsecret-1.so.0", [])
    let environment = ["LD_LIBRARY_PATH": scratch.path, "XDG_STATE_HOME": scratch.file("state")]
    let outcome = try Shell.larder("ls", "keychain:app", environment: environment)
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("libsecret, which could not be loaded; install it"))
    let file = try scratch.file("a.json", Array(#"{"a": 1}"#.utf8))
    #expect(try Shell.larder("ls", file, environment: environment).lines == ["a"])
  }

  @Test func `Entries are listed, read, written, renamed and deleted`() throws {
    let bench = try bench()
    #expect(try larder(bench, ["ls", "keychain:app"]).lines == ["token"])
    #expect(try larder(bench, ["get", "keychain:app", "token"]).text.contains(Self.secret))
    let put = try larder(bench, ["put", "keychain:app", "pin", "--stdin"], input: "1234")
    #expect(put.code == 0)
    let found = try bench.run("secret-tool", ["lookup", "service", "app", "account", "pin"])
    #expect(found.output == Data("1234".utf8))
    let again = try larder(bench, ["put", "keychain:app", "pin", "5678"])
    #expect(again.code == 0)
    #expect(again.errors.contains("cannot be undone"))
    #expect(try larder(bench, ["put", "keychain:app", "pin", "1", "--create"]).code == 4)
    #expect(try larder(bench, ["mv", "keychain:app", "pin", "code"]).code == 0)
    #expect(try larder(bench, ["ls", "keychain:app"]).lines == ["code", "token"])
    let unasked = try larder(bench, ["rm", "keychain:app", "code"])
    #expect(unasked.code == 2)
    #expect(unasked.errors.contains("cannot be undone"))
    #expect(try larder(bench, ["rm", "keychain:app", "code", "--yes"]).code == 0)
    #expect(try larder(bench, ["get", "keychain:app", "code"]).code == 1)
    #expect(try larder(bench, ["put", "keychain:app", "x", "y", "--read-only"]).code == 5)
    #expect(try larder(bench, ["undo", "keychain:app"]).code != 0)
  }

  @Test(arguments: ["import", "cp"])
  func `No secret is written if one would be refused`(command: String) throws {
    let bench = try bench()
    let scratch = try Scratch()
    let file = try scratch.file("a.json", Array(#"{"a": "x", "b": 5}"#.utf8))
    let export = try Shell.larder("export", file).text
    let outcome =
      command == "cp"
      ? try larder(bench, ["cp", file, "keychain:app"])
      : try larder(bench, ["import", "keychain:app"], input: export)
    #expect(outcome.code == 5, "\(outcome.errors)")
    #expect(try larder(bench, ["ls", "keychain:app"]).lines == ["token"])
  }

  @Test func `A secret is not copied to a store that shows it`() throws {
    let bench = try bench()
    let scratch = try Scratch()
    let file = try scratch.file("a.json", Array("{}".utf8))
    for options in [[], ["--dry-run", "--json"]] {
      let outcome = try larder(bench, ["cp", "keychain:app", file] + options)
      #expect(outcome.code == 5 && outcome.text.isEmpty, "\(outcome.errors)")
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "{}")
  }

  @Test func `Secrets appear in no list, export, log or file`() throws {
    let bench = try bench()
    for arguments in [
      ["ls", "keychain:app", "--json"], ["ls", "keychain:app", "--long"],
      ["info", "keychain:app"], ["export", "keychain:app"], ["log"],
      ["rm", "keychain:app", "token", "--dry-run", "--json"],
      ["screen", "keychain:app", "--size", "100x20", "--keys", "<Enter><Down>"],
      ["ls", "keychain:app", "--in-values", "--match", "horse"],
    ] {
      let outcome = try larder(bench, arguments)
      #expect(!outcome.text.contains("horse"), "\(arguments)")
      #expect(!outcome.errors.contains("battery"), "\(arguments)")
    }
    #expect(try !larder(bench, ["ls", "keychain:app", "--json"]).text.contains("fingerprint"))
    #expect(try larder(bench, ["export", "keychain:app"]).code == 5)
    #expect(try larder(bench, ["put", "keychain:app", "token", Self.secret + "!"]).code == 0)
    #expect(try larder(bench, ["rm", "keychain:app", "token", "--yes"]).code == 0)
    for path in try FileManager.default.subpathsOfDirectory(atPath: bench.folder)
    where path.hasPrefix("state/") {
      let bytes = FileManager.default.contents(atPath: "\(bench.folder)/\(path)") ?? Data()
      #expect(bytes.range(of: Data("horse".utf8)) == nil, "\(path)")
    }
  }

  @Test func `An export with secrets can be imported again`() throws {
    let bench = try bench()
    let export = try larder(bench, ["export", "keychain:app", "--with-secrets"])
    #expect(export.code == 0)
    #expect(try larder(bench, ["import", "keychain:other"], input: export.text).code == 0)
    let found = try bench.run("secret-tool", ["lookup", "service", "other", "account", "token"])
    #expect(found.output == Data(Self.secret.utf8))
  }

  @Test func `A secret's fingerprint is a valid condition and depends on a local key`() throws {
    let bench = try bench()
    func fingerprint(_ state: String) throws -> String {
      let outcome = try larder(
        bench, ["get", "keychain:app", "token", "--json"],
        environment: ["XDG_STATE_HOME": "\(bench.folder)/\(state)"])
      let object = try JSONSerialization.jsonObject(with: Data(outcome.output))
      return try #require((object as? [String: Any])?["fingerprint"] as? String)
    }
    let mine = try fingerprint("state")
    #expect(try fingerprint("state") == mine)
    #expect(try fingerprint("other-state") != mine)
    #expect(
      try larder(bench, ["put", "keychain:app", "token", "new", "--expect", mine]).code == 0)
    #expect(
      try larder(bench, ["put", "keychain:app", "token", "newer", "--expect", mine]).code == 4)
  }

  @Test func `Locked, stopped and absent keychains end with advice`() throws {
    let bench = try bench()
    try bench.restart(isLocked: true)
    let locked = try larder(bench, ["ls", "keychain:app"])
    #expect(locked.code == 3)
    #expect(locked.errors.contains("--unlock"))
    #expect(try larder(bench, ["get", "keychain:app", "token"]).code == 3)
    bench.setStopped(true)
    let start = ContinuousClock.now
    let stopped = try larder(
      bench, ["get", "keychain:app", "token"], environment: ["LARDER_PATIENCE": "1"])
    #expect(stopped.code == 3)
    #expect(ContinuousClock.now - start < .seconds(20))
    bench.setStopped(false)
    bench.end()
    let absent = try larder(bench, ["ls", "keychain:app"])
    #expect(absent.code == 3)
    #expect(absent.errors.contains("gnome-keyring-daemon"))
    let nowhere = try larder(
      bench, ["ls", "keychain:app"],
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"])
    #expect(nowhere.code == 3)
    #expect(nowhere.errors.contains("dbus-run-session"))
    #expect(try larder(bench, ["ls", "keychain:"]).code == 3)
  }

  @Test func `The browser opens a keychain with --unlock`() throws {
    let bench = try bench()
    try bench.restart(isLocked: true)
    let locked = try larder(bench, ["keychain:app"])
    #expect(locked.code == 3)
    #expect(locked.errors.contains("pass --unlock"))
    // Without a display the prompt fails, which is reported differently from no prompt.
    let asked = try larder(bench, ["keychain:app", "--unlock"])
    #expect(asked.code == 3)
    #expect(asked.errors.contains("still locked"))
    bench.setStopped(true)
    let stopped = try larder(bench, ["keychain:app"], environment: ["LARDER_PATIENCE": "1"])
    bench.setStopped(false)
    #expect(stopped.code == 3)
    #expect(stopped.errors.contains("within 1 "))
  }

  @Test func `A locked keychain is unlocked with its password on request`() throws {
    let bench = try bench()
    try bench.restart(isLocked: true)
    let person = try DesktopPrompter(bench, typing: ["test"])
    #expect(try larder(bench, ["ls", "keychain:app"]).code == 3)
    #expect(person.questions == 0)
    #expect(try larder(bench, ["ls", "keychain:app", "--unlock"]).lines == ["token"])
    #expect(person.questions == 1)
    #expect(try larder(bench, ["get", "keychain:app", "token"]).text.contains(Self.secret))
    try bench.restart(isLocked: true)
    let dismissed = try larder(bench, ["get", "keychain:app", "token", "--unlock"])
    #expect(dismissed.code == 3)
    #expect(dismissed.errors.contains("still locked"))
    #expect(person.questions == 2)
  }

  @Test func `Two processes write at once, and nothing is lost`() throws {
    let bench = try KeychainBench()
    let script = """
      write() { for i in 1 2 3 4 5 6; do "$0" put keychain:app "$1$i" "$1$i" || exit 1; done; }
      write a & one=$!; write b & two=$!; wait $one && wait $two
      """
    var settings = bench.environment
    settings["XDG_STATE_HOME"] = bench.folder + "/state"
    settings["LARDER_PATIENCE"] = "60"
    let outcome = try Shell.run("bash", ["-c", script, Shell.larder], environment: settings)
    #expect(outcome.code == 0)
    let keys = (1...6).map { "a\($0)" } + (1...6).map { "b\($0)" }
    #expect(try larder(bench, ["ls", "keychain:app"]).lines == keys)
  }
}
#endif
