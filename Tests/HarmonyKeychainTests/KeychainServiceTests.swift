#if Keychain
import Foundation
import Harmony
import HarmonyKeychain
import KeychainBench
import TestPrograms
import Testing

struct KeychainServiceTests {
  /// Returns the error of a future that must fail.
  private func failure<Value>(_ future: Future<Value>) async -> KeychainError? {
    do {
      _ = try await future.get()
      return nil
    } catch {
      return error as? KeychainError
    }
  }

  @Test func `Items stored by secret-tool are found, and vice versa`() async throws {
    let bench = try KeychainBench()
    let keychain = bench.keychain("com.example.app")
    let words = ["service", "com.example.app", "account"]
    try bench.run(
      "secret-tool", ["store", "--label=theirs"] + words + ["theirs"],
      input: Data("from there".utf8))
    #expect(try await keychain.value(of: "theirs").get() == Data("from there".utf8))
    try await keychain.put(Data("from here".utf8), under: "ours").get()
    #expect(
      try bench.run("secret-tool", ["lookup"] + words + ["ours"]).output == Data("from here".utf8))
    // Each replaces the other's item.
    try bench.run(
      "secret-tool", ["store", "--label=new"] + words + ["ours"], input: Data("replaced".utf8))
    #expect(try await keychain.value(of: "ours").get() == Data("replaced".utf8))
    try await keychain.put(Data("again".utf8), under: "theirs").get()
    #expect(
      try bench.run("secret-tool", ["lookup"] + words + ["theirs"]).output == Data("again".utf8))
    #expect(try await keychain.items().get().map(\.key) == ["ours", "theirs"])
    try bench.run("secret-tool", ["clear"] + words + ["ours"])
    #expect(try await keychain.value(of: "ours").get() == nil)
    #expect(try await keychain.remove("theirs").get())
    #expect(try bench.run("secret-tool", ["lookup"] + words + ["theirs"]).status == 1)
  }

  @Test func `Items of other programs have keys and retain their additional attributes`()
    async throws
  {
    let bench = try KeychainBench()
    let keychain = bench.keychain("mail")
    try bench.run(
      "secret-tool",
      ["store", "--label=l", "service", "mail", "username", "ada", "application", "p"],
      input: Data("one".utf8))
    #expect(try await keychain.items().get().map(\.key) == ["ada"])
    try await keychain.put(Data("two".utf8), under: "ada").get()
    #expect(
      try bench.run("secret-tool", ["lookup", "application", "p"]).output == Data("two".utf8))
    #expect(try await keychain.rename("ada", to: "bob").get())
    #expect(
      try bench.run("secret-tool", ["lookup", "username", "bob", "application", "p"]).output
        == Data("two".utf8))
    #expect(try await keychain.items().get().map(\.key) == ["bob"])
    #expect(try await keychain.remove("bob").get())
    #expect(try await keychain.remove("bob").get() == false)
  }

  @Test func `Arbitrary bytes survive a round trip`() async throws {
    let bench = try KeychainBench()
    let keychain = bench.keychain()
    for bytes in [Data(), Data([0, 0xFF, 0]), Data(repeating: 7, count: 300_000)] {
      try await keychain.put(bytes, under: "key").get()
      #expect(try await keychain.value(of: "key").get() == bytes)
    }
    #expect(try await keychain.value(of: "").get() == nil)
    try await keychain.put(Data([1]), under: "").get()
    #expect(try await keychain.value(of: "").get() == Data([1]))
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await keychain.put(Data(), under: "a\0b").get()
    }
  }

  @Test func `A locked keychain is distinguished from a missing key`() async throws {
    let bench = try KeychainBench()
    let keychain = bench.keychain("locked")
    try await keychain.put(Data("secret".utf8), under: "there").get()
    try bench.restart(isLocked: true)
    #expect(try await keychain.isLocked().get())
    #expect(await failure(keychain.value(of: "there"))?.reason == .locked)
    #expect(try await keychain.value(of: "missing").get() == nil)
    #expect(await failure(keychain.items())?.reason == .locked)
    #expect(await failure(keychain.put(Data(), under: "there"))?.reason == .locked)
    #expect(await failure(keychain.put(Data(), under: "new"))?.reason == .locked)
    #expect(await failure(keychain.remove("there"))?.reason == .locked)
    let source = KeychainDataSource<String>(keychain)
    #expect(await failure(source.get("there"))?.description.contains("unlock") == true)
    await #expect(throws: CoreError.NotFound.self) { try await source.get("missing").get() }
    // No one can answer a prompt here, which is reported within the time limit.
    let unlocked = await failure(keychain.unlock())
    #expect([.dismissed, .failed, .timedOut].contains(unlocked?.reason))
    try bench.restart(isLocked: false)
    #expect(try await source.get("there").get() == "secret")
  }

  @Test func `A locked keychain is unlocked with the password that the user types`() async throws {
    let bench = try KeychainBench()
    let keychain = bench.keychain("app", promptTimeLimit: .seconds(120))
    try await keychain.put(Data("secret".utf8), under: "key").get()
    try bench.restart(isLocked: true)
    let person = try DesktopPrompter(bench, typing: ["wrong", "test"])
    #expect(await failure(keychain.value(of: "key"))?.reason == .locked)
    #expect(person.questions == 0)
    try await keychain.unlock().get()
    // The wrong password causes one more prompt; the collection and the key share a prompt.
    #expect(person.questions == 2)
    #expect(try await keychain.isLocked().get() == false)
    #expect(try await keychain.value(of: "key").get() == Data("secret".utf8))
    try await keychain.unlock().get()
    #expect(person.questions == 2)
  }

  @Test func `A dismissed prompt leaves the keychain locked`() async throws {
    let bench = try KeychainBench(.locked)
    let keychain = bench.keychain("app", promptTimeLimit: .seconds(120))
    let person = try DesktopPrompter(bench, typing: [])
    #expect(await failure(keychain.unlock())?.reason == .dismissed)
    #expect(person.questions == 1)
    #expect(try await keychain.isLocked().get())
  }

  @Test(arguments: [true, false])
  func `An unanswered prompt times out, and the keychain keeps working`(
    isCancelled: Bool
  ) async throws {
    let bench = try KeychainBench()
    try await bench.keychain("app").put(Data("secret".utf8), under: "key").get()
    try bench.restart(isLocked: true)
    let keychain = bench.keychain(
      "app", promptTimeLimit: isCancelled ? .seconds(120) : .milliseconds(500))
    let person = try DesktopPrompter(bench, typing: nil)
    let unlocked = keychain.unlock()
    if isCancelled {
      try waitUntil("the user is asked") { person.questions == 1 }
      unlocked.cancel()
      await #expect(throws: CancellationError.self) { try await unlocked.get() }
    } else {
      #expect(await failure(unlocked)?.reason == .timedOut)
    }
    // GNOME Keyring 42 would have terminated if it had been told to dismiss the prompt.
    #expect(person.questions <= 1)
    #expect(try await keychain.isLocked().get())
    #expect(await failure(keychain.value(of: "key"))?.reason == .locked)
  }

  @Test func `A keychain without a password is unlocked on request`() async throws {
    let bench = try KeychainBench(.unlockedByNobody)
    let keychain = bench.keychain("open")
    try await keychain.unlock().get()
    #expect(try await keychain.isLocked().get() == false)
    try await keychain.put(Data("secret".utf8), under: "key").get()
    #expect(try await keychain.value(of: "key").get() == Data("secret".utf8))
  }

  @Test func `A missing bus or keychain is reported with the program to start`() async throws {
    let nowhere = KeychainService("app", busAddress: "unix:path=/nowhere/bus")
    let noBus = await failure(nowhere.value(of: "key"))
    #expect(noBus?.reason == .unavailable)
    #expect(noBus?.description.contains("dbus-run-session") == true)
    let bench = try KeychainBench(.none)
    let noDaemon = await failure(bench.keychain().put(Data(), under: "key"))
    #expect(noDaemon?.reason == .unavailable)
    #expect(noDaemon?.description.contains("gnome-keyring-daemon") == true)
  }

  @Test func `A keychain that hangs causes a timeout`() async throws {
    let bench = try KeychainBench()
    let keychain = bench.keychain("app", timeLimit: .milliseconds(300))
    try await bench.keychain("app").put(Data("secret".utf8), under: "key").get()
    bench.setStopped(true)
    let calls = (0..<8).map { keychain.put(Data("other".utf8), under: String($0)) }
    for call in calls { #expect(await failure(call)?.reason == .timedOut) }
    let read = await failure(keychain.value(of: "key"))
    #expect(read?.reason == .timedOut)
    #expect(read?.description.contains("not known") == false)
    bench.setStopped(false)
    #expect(try await bench.keychain("app").value(of: "key").get() == Data("secret".utf8))
  }

  @Test func `A restarted keychain is found again`() async throws {
    let bench = try KeychainBench()
    let keychain = bench.keychain("app")
    try await keychain.put(Data("secret".utf8), under: "key").get()
    bench.end()
    #expect(await failure(keychain.value(of: "key"))?.reason == .unavailable)
    try bench.restart(isLocked: false)
    #expect(try await keychain.value(of: "key").get() == Data("secret".utf8))
  }

  @Test func `A cancelled write that has not started changes nothing`() async throws {
    let bench = try KeychainBench()
    let keychain = bench.keychain("app")
    bench.setStopped(true)
    let first = keychain.value(of: "first")
    let second = keychain.put(Data("secret".utf8), under: "second")
    second.cancel()
    bench.setStopped(false)
    #expect(try await first.get() == nil)
    #expect(try await keychain.value(of: "second").get() == nil)
  }

  @Test func `Harmony's blocking calls work as documented`() throws {
    let bench = try KeychainBench()
    let keychain = bench.keychain("app")
    #expect(keychain.set(Data("secret".utf8), forKey: "data") == .success)
    #expect(keychain.get("data") == Data("secret".utf8))
    #expect(keychain.set(3.25, forKey: "double") == .success)
    let number: Double? = keychain.get("double")
    #expect(number == 3.25)
    let name = NSString(string: "Ada")
    #expect(keychain.set(name, forKey: "object") == .success)
    let object: NSString? = keychain.get("object")
    #expect(object == name)
    #expect(keychain.delete("double") == .success)
    #expect(keychain.delete("double") == .success)
    let missing: Double? = keychain.get("double")
    #expect(missing == nil)
    let nowhere = KeychainService("app", busAddress: "unix:path=/nowhere/bus")
    #expect(nowhere.set(Data(), forKey: "key") == .failed(-25291))
  }

  @Test func `A secure key is created once`() throws {
    let bench = try KeychainBench()
    let key = SecureKey(identifier: "file", keychain: bench.keychain("keys"))
    let bytes = try key.key()
    #expect(bytes.count == 64)
    #expect(try SecureKey(identifier: "file", keychain: bench.keychain("keys")).key() == bytes)
    try key.reset()
    #expect(try key.key() != bytes)
  }

  @Test func `A list is distinguished from a string that looks like one`() async throws {
    let bench = try KeychainBench()
    let keychain = bench.keychain("app")
    let source = KeychainDataSource<String>(keychain)
    try await source.putAll(["a", "b"], in: IdQuery("list")).get()
    #expect(try await keychain.value(of: "list").get() == Data(#"harmony-list:["a","b"]"#.utf8))
    try await source.put(#"harmony-list:["a"]"#, in: IdQuery("text")).get()
    #expect(try await source.get("text").get() == #"harmony-list:["a"]"#)
    await #expect(throws: CoreError.NotFound.self) { try await source.get("list").get() }
    try await keychain.put(Data([0xFF]), under: "bytes").get()
    await #expect(throws: CoreError.DataSerialization.self) {
      try await source.get("bytes").get()
    }
  }
}
#endif
