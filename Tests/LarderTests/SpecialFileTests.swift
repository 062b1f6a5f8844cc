import Foundation
import Testing

/// Folders with files that larder neither reads nor deletes.
@Suite struct SpecialFileTests {
  private let scratch: Scratch
  private let folder: String

  init() throws {
    scratch = try Scratch()
    folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["pa", "pz", "q"] { _ = try scratch.file("files/\(name)", "needle".utf8) }
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
  }

  @Test(arguments: [[], ["--no-journal"]])
  func `A special file prevents the deletion of a prefix, with valid advice`(
    options: [String]
  ) throws {
    #expect(mkfifo(folder + "/pb", 0o600) == 0)
    let outcome = try Shell.run(
      Shell.larder, ["rm", folder, "--prefix", "p", "--yes"] + options)
    #expect(outcome.code == 5)
    #expect(
      outcome.errors.contains(
        "pb is a special file (fifo), which larder does not touch; nothing was deleted"),
      "\(outcome.errors)")
    #expect(!outcome.errors.contains("--no-journal"))
    #expect(try names == ["pa", "pb", "pz", "q"])
    let others = try Shell.run(Shell.larder, ["rm", folder, "pa", "pz"] + options)
    #expect(others.code == 0, "\(others.errors)")
    #expect(try names == ["pb", "q"])
  }

  @Test func `A dry run does not list files that cannot be deleted`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/pl", withDestinationPath: "q")
    for options in [["pl"], ["q", "pl"], ["--prefix", "p"]] {
      let dry = try Shell.run(Shell.larder, ["rm", folder, "--dry-run"] + options)
      let real = try Shell.run(Shell.larder, ["rm", folder, "--yes"] + options)
      #expect(dry.code == 5 && dry.errors == real.errors && dry.lines.isEmpty, "\(dry.errors)")
      let final = try Shell.run(
        Shell.larder, ["rm", folder, "--dry-run", "--no-journal"] + options)
      #expect(final.code == 0 && final.lines.contains("pl"), "\(final.errors)")
    }
    #expect(mkfifo(folder + "/pb", 0o600) == 0)
    for options in [[], ["--no-journal"]] {
      let dry = try Shell.run(
        Shell.larder, ["rm", folder, "--dry-run", "--prefix", "p"] + options)
      #expect(dry.code == 5 && dry.errors.contains("pb is a special file"), "\(dry.errors)")
    }
    #expect(try names == ["pa", "pb", "pl", "pz", "q"])
  }

  @Test func `An unreadable file is deleted if undo is not needed`() throws {
    let large = scratch.file("files/large")
    _ = try scratch.file("files/large", [])
    #expect(truncate(large, 300 << 20) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/link", withDestinationPath: "pa")
    #expect(mkfifo(folder + "/pb", 0o600) == 0)
    for name in ["large", "link"] {
      let refused = try Shell.larder("rm", folder, "q", name)
      #expect(refused.code == 5)
      #expect(
        refused.errors.contains(
          "\(name) cannot be read, so undo could not restore it; nothing was deleted. "
            + "--no-journal"),
        "\(refused.errors)")
      let listed = try Shell.larder("rm", folder, name, "--dry-run", "--no-journal")
      #expect(listed.code == 0 && listed.lines == [name], "\(listed.errors)")
      #expect(try names == ["large", "link", "pa", "pb", "pz", "q"].filter { $0 >= name })
      let outcome = try Shell.larder("rm", folder, name, "--no-journal")
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    for options in [[], ["--no-journal"]] {
      let special = try Shell.run(Shell.larder, ["rm", folder, "pb"] + options)
      #expect(special.code == 5)
      #expect(special.errors.contains("pb is a special file"), "\(special.errors)")
    }
    #expect(try names == ["pa", "pb", "pz", "q"])
  }

  @Test(arguments: ["-journal", "-wal"])
  func `A database whose journal is a pipe is refused without waiting`(
    end: String
  ) throws {
    let database = try scratch.database("CREATE TABLE kv (k TEXT PRIMARY KEY, v);")
    #expect(mkfifo(database + end, 0o600) == 0)
    for words in [["ls"], ["ls", "--read-only"], ["put", "a", "b"]] {
      let arguments = [words[0], database] + words.dropFirst()
      let outcome = try Shell.run("timeout", ["60", Shell.larder] + arguments)
      #expect(outcome.code == 3)
      #expect(
        outcome.errors.contains("\(database)\(end) beside it is not a regular file"),
        "\(outcome.errors)")
    }
    unlink(database + end)
    #expect(try Shell.larder("put", database, "a", "b").code == 0)
  }

  @Test func `A search by value names the files that could not be read`() throws {
    let large = scratch.file("files/pl")
    _ = try scratch.file("files/pl", [])
    #expect(truncate(large, 300 << 20) == 0)
    #expect(mkfifo(folder + "/pb", 0o600) == 0)
    for options in [[], ["--json"], ["--sort", "size"], ["--limit", "9"]] {
      let outcome = try Shell.run(
        Shell.larder, ["ls", folder, "--in-values", "--match", "needle"] + options)
      #expect(outcome.lines.count == 3, "\(outcome.text)")
      #expect(outcome.code == 3)
      #expect(
        outcome.errors.contains("the list is incomplete; cannot read 1 entry: pl (is too large "),
        "\(outcome.errors)")
    }
    #expect(try Shell.larder("ls", folder, "--match", "p").code == 0)
    let nothing = try Shell.larder("ls", folder, "--in-values", "--match", "zzz")
    #expect(nothing.code == 3 && nothing.output.isEmpty)
    try FileManager.default.removeItem(atPath: large)
    #expect(try Shell.larder("ls", folder, "--in-values", "--match", "needle").code == 0)
  }
}
