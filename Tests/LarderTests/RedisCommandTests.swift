import RedisBench
import Testing

/// The command line and the browser with a Redis server.
struct RedisCommandTests {
  /// Waits for a server on a busy machine.
  private static let patient = ["LARDER_PATIENCE": "600"]

  @Test func `the browser asks for a password until it is right, and never shows it`() throws {
    let server = try RedisServer(["--requirepass", "s3cret"])
    try server.run(["-a", "s3cret", "--no-auth-warning", "SET", "greeting", "hello"])
    func screen(_ keys: String) throws -> String {
      try Shell.larder(
        "screen", "redis://127.0.0.1:\(server.port)/0", "--keys", keys, environment: Self.patient
      ).text
    }
    #expect(try screen("").contains("password:"))
    #expect(try screen("s3cret").contains("password: ••••••"))
    #expect(try screen("no<Enter>").contains("password:"))
    for keys in ["no<Enter>s3cret<Enter>", "s3cret<Enter>:<Up>", "s3cret"] {
      #expect(try !screen(keys).contains("s3cret"))
    }
    let screen = try screen("no<Enter>s3cret<Enter>")
    #expect(screen.contains("hello") && !screen.contains("rejected"), "\(screen)")
  }

  @Test(arguments: ["redis://s3cret@127.0.0.1", "redis://:s3cret@127.0.0.1"])
  func `a password in the location is not repeated`(_ location: String) throws {
    let server = try RedisServer(["--requirepass", "other"])
    for command in ["ls", "screen", "info", "doctor"] {
      let outcome = try Shell.larder(
        command, "\(location):\(server.port)", environment: Self.patient)
      #expect(!outcome.errors.contains("s3cret"), "\(outcome.errors)")
      // A word before the @ is shown as it was typed, as it could be the name of a user.
      if location.contains(":s3cret") { #expect(!outcome.text.contains("s3cret")) }
    }
  }

  @Test(arguments: [
    ("set", #"["b","a"]"#), ("list", #"["b","a"]"#), ("hash", #"{"a":"1"}"#),
    ("zset", #"{"a":1.5}"#),
  ])
  func `put creates a value of the type that is asked for`(_ type: String, _ value: String) throws {
    let server = try RedisServer()
    let location = "redis://127.0.0.1:\(server.port)/0"
    func larder(_ words: String...) throws -> Outcome {
      try Shell.larder(words[0], location, and: Array(words[1...]), environment: Self.patient)
    }
    #expect(try larder("put", "k", value, "--type", type).code == 0)
    #expect(try larder("ls", "--long").text.hasPrefix("\(type) "))
    // The other type with values of this one.
    let other = ["set": "list", "list": "set", "hash": "zset", "zset": "hash"][type] ?? ""
    #expect(try larder("put", "k", type == "hash" ? #"{"a":2}"# : value, "--type", other).code == 0)
    #expect(try larder("ls", "--long").text.hasPrefix("\(other) "))
    #expect(try larder("undo").code == 0)
    #expect(try larder("ls", "--long").text.hasPrefix("\(type) "))
  }

  @Test func `a type that only other kinds of store have is refused`() throws {
    let file = try Scratch().file("a.json", Array("{}".utf8))
    #expect(try Shell.larder("put", file, "k", "[]", "--type", "set").code == 3)
    #expect(try Shell.larder("ls", file).lines == [])
  }

  @Test func `a deletion during which larder is killed is undone as far as it went`() throws {
    let server = try RedisServer()
    let location = "redis://127.0.0.1:\(server.port)/0"
    let lines = (0..<2_000).map { #"{"key":"i:\#($0)","type":"text","value":"\#($0)"}"# + "\n" }
    let imported = try Shell.larder(
      "import", location, input: lines.joined(), environment: Self.patient)
    #expect(imported.code == 0)
    func size() throws -> Int? {
      let outcome = try Shell.run("redis-cli", ["-p", "\(server.port)", "DBSIZE"])
      return Int(outcome.lines.first ?? "")
    }
    let script = """
      "$0" rm "$1" --prefix i: --yes & child=$!
      while kill -0 $child && [ "$(redis-cli -p "$2" DBSIZE)" = 2000 ]; do :; done
      kill -9 $child
      """
    _ = try Shell.run(
      "sh", ["-c", script, Shell.larder, location, "\(server.port)"], environment: Self.patient)
    #expect(try #require(try size()) < 2_000)
    #expect(try Shell.larder("undo", location, environment: Self.patient).code == 0)
    #expect(try size() == 2_000)
    let value = try Shell.larder("get", location, "i:1999", environment: Self.patient)
    #expect(value.text == "1999")
  }
}
