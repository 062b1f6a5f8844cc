import Foundation
import HarmonyRealm
import HarmonyTesting
import RealmExercise
import Testing

/// Truncated, damaged and foreign files.
struct DamagedFileTests {
  @Test(arguments: Fixture.readable)
  func `A file truncated anywhere is an error`(name: String) throws {
    let bytes = try Fixture.bytes(name + ".realm")
    let file = try TemporaryFile([])
    for length in stride(from: 0, to: bytes.count, by: 512) {
      try Data(bytes[..<length]).write(to: URL(filePath: file.path))
      // An empty database has nothing after its header.
      if name == "empty24", length > 0 { continue }
      #expect(throws: RealmError.self, "\(length)") {
        try RealmExercise.read(path: file.path)
      }
    }
  }

  @Test func `A file that is truncated while it is read is an error`() throws {
    let bytes = try Fixture.bytes("r300.realm")
    let file = try TemporaryFile(bytes)
    let realm = RealmFile(path: file.path)
    #expect(throws: RealmError.self) {
      try realm.read { reading in
        let found = try reading.requireClass("Item")
        var problems = 0
        try reading.forEach(of: found) { object in
          truncate(file.path, 4_096)
          if object.problem != nil { problems += 1 }
          return true
        }
        // The problem may only be noticed at the end, because of data read earlier.
        #expect(problems >= 0)
      }
    }
    try Data(bytes).write(to: URL(filePath: file.path))
    #expect(try realm.read { try $0.objects(of: "Item").count } > 100)
  }

  @Test func `A file with random bytes changed is read or refused`() throws {
    var random = SeededGenerator(seed: 11)
    for name in ["r3", "s3", "types24", "versions24", "compact22"] {
      let bytes = try Fixture.bytes(name + ".realm")
      for _ in 0..<150 {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let place = Int.random(in: changed.indices, using: &random)
          changed[place] = UInt8.random(in: 0...255, using: &random)
        }
        RealmExercise.read(changed)
      }
    }
  }

  @Test func `Lists that claim more than the file holds are stopped`() throws {
    let file = try TemporaryFile([])
    var writer = try RealmNodeWriter(path: file.path)
    // 256 objects share one list, whose 200 parts share one leaf of 1,000 elements that take no
    // bytes.
    let leaf = try writer.integers(Array(repeating: 0, count: 1_000))
    let list = try writer.refs(
      [2_001] + Array(repeating: leaf, count: 200) + [400_001], .inner)
    let column = try writer.refs(Array(repeating: list, count: 256))
    let root = try writer.refs([513, column])
    let spec = try writer.refs([
      try writer.integers([0]), try writer.shortTexts(["many"]), try writer.integers([32]), 0, 0,
      try writer.integers([32 << 22]),
    ])
    let table = try writer.refs([spec, 0, root, 1])
    let names = try writer.shortTexts(["class_A"])
    let tables = try writer.refs([table])
    try writer.finish(top: try writer.refs([names, tables, 1]))
    let size = try Data(contentsOf: URL(filePath: file.path)).count
    var elements = 0
    var problems: Set<RealmError> = []
    try RealmFile(path: file.path).read { reading in
      try reading.forEach(of: try reading.requireClass("A")) { object in
        if case .list(let values) = object["many"] { elements += values.count }
        if let problem = object.problem { problems.insert(problem) }
        return true
      }
    }
    #expect(elements <= 64 * size)
    #expect(problems.count == 1)
    #expect(problems.first?.message.contains("more than once") == true)
  }

  @Test func `Files found by fuzzing are read or refused`() throws {
    let corpus = Fixture.folder.deletingLastPathComponent().appending(path: "Corpus/realm.base64")
    let text = try String(contentsOf: corpus, encoding: .utf8)
    for line in text.split(separator: "\n") {
      RealmExercise.read([UInt8](try #require(Data(base64Encoded: String(line)))))
    }
  }

  @Test(arguments: [
    ("encrypted.realm", RealmError.Code.encrypted, "without its 64-byte key"),
    ("encrypted24.realm", .encrypted, "without its 64-byte key"),
    ("older/consistency_full_0.realm", .unsupportedFormat, "Realm file format 9"),
    ("README.md", .notRealm, "is not a Realm file"),
  ])
  func `A file that cannot be read is refused with the reason`(
    name: String, code: RealmError.Code, words: String
  ) throws {
    let path = Fixture.path(name)
    let error = #expect(throws: RealmError.self) { try RealmExercise.read(path: path) }
    #expect(error?.code == code)
    #expect(error?.message.contains(words) == true)
    #expect(error?.path == path)
  }

  @Test func `A newer format is reported`() throws {
    var bytes = try Fixture.bytes("r3.realm")
    bytes[20] = 25
    let file = try TemporaryFile(bytes)
    let error = #expect(throws: RealmError.self) { try RealmExercise.read(path: file.path) }
    #expect(error?.code == .unsupportedFormat && error?.message.contains("format 25") == true)
  }

  @Test(arguments: [
    "test_upgrade_database_4_10_to_11", "test_upgrade_database_11", "test_upgrade_database_20",
    "test_upgrade_database_4_22", "test_upgrade_database_4_23",
  ])
  func `Older formats are read`(name: String) throws {
    let path = Fixture.path("older/\(name).realm")
    #expect(try RealmExercise.read(path: path) > 0)
    try RealmFile(path: path).read { reading in
      #expect(try reading.problems().isEmpty)
      for found in try reading.classes() {
        try reading.forEach(of: found) { object in
          // A debug build of Realm uses different nodes, so its links lead to other objects.
          let isOfDebugBuild = name == "test_upgrade_database_4_10_to_11"
          #expect(isOfDebugBuild || object.problem == nil, "\(found.name)")
          return true
        }
      }
    }
  }

  @Test func `A replaced file is read again`() throws {
    let file = try TemporaryFile(try Fixture.bytes("r3.realm"))
    let realm = RealmFile(path: file.path)
    #expect(try realm.read { try $0.requireClass("Item").count } == 3)
    try Data(try Fixture.bytes("r300.realm")).write(to: URL(filePath: file.path), options: .atomic)
    #expect(try realm.read { try $0.requireClass("Item").count } > 100)
  }
}
