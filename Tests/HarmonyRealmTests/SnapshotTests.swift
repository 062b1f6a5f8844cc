import Foundation
import HarmonyRealm
import RealmExercise
import TestPrograms
import Testing

/// Files to which other processes commit concurrently.
struct SnapshotTests {
  /// Returns the numbers in all objects of a snapshot, which equal the number of the commit.
  private func numbers(_ reading: RealmReading) throws -> Set<Int64> {
    var numbers: Set<Int64> = []
    let found = try reading.requireClass(RealmSample.name)
    try reading.forEach(of: found) { object in
      if case .int(let number) = object["n"] { numbers.insert(number) } else { numbers.insert(-1) }
      return true
    }
    return numbers
  }

  @Test func `A reading sees one state while another process commits`() throws {
    let path = NSTemporaryDirectory() + "/realm-" + UUID().uuidString + ".realm"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let program = URL(filePath: tests).deletingLastPathComponent().appending(path: "RealmWriter")
    let pipes = [path + ".in", path + ".out"]
    defer { for pipe in pipes { unlink(pipe) } }
    for pipe in pipes { try #require(mkfifo(pipe, 0o600) == 0) }
    // Opened for reading and writing, so that neither side waits for the other.
    let ends = pipes.map { open($0, O_RDWR | O_CLOEXEC) }
    defer { close(ends[1]) }
    let writer = try ChildProcess(
      program.path, [path, "300"], input: pipes[0], output: pipes[1])
    defer {
      close(ends[0])
      writer.wait()
    }
    var said = [UInt8](repeating: 0, count: 6)
    #expect(read(ends[1], &said, said.count) == said.count)
    #expect(said == Array("ready\n".utf8))
    let realm = RealmFile(path: path)
    var seen: Set<UInt64> = []
    let end = ContinuousClock.now + .seconds(120)
    while seen.count < 8, ContinuousClock.now < end {
      do {
        let (version, found) = try realm.read { ($0.version, try numbers($0)) }
        #expect(found == [Int64(version)])
        seen.insert(version)
      } catch let error as RealmError {
        // On a busy machine no gap between commits may be long enough.
        #expect(error.code == .busy, "\(error)")
      }
    }
    #expect(seen.count >= 8)
  }

  @Test func `A snapshot that is overwritten while it is read is not returned`() throws {
    let path = NSTemporaryDirectory() + "/realm-" + UUID().uuidString + ".realm"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let commits = try RealmCommits(path: path, objects: 300)
    let realm = RealmFile(path: path)
    var readings = 0
    let (version, found) = try realm.read { reading in
      readings += 1
      let first = try numbers(reading)
      // The second commit overwrites the snapshot being read.
      if readings == 1 { for _ in 0..<2 { try commits.commit() } }
      return (reading.version, first.union(try numbers(reading)))
    }
    #expect(readings == 2)
    #expect(version == 3)
    #expect(found == [3])
  }
}
