import Foundation
import HarmonyTesting
import Testing

/// The expected contents of a store after a process was killed.
private struct Survivors {
  private var certain: [String: Int] = [:]
  /// The write that was in progress when the process was killed.
  private var possible: (key: String, number: Int)?
  private(set) var newest = 0
  private(set) var problems: [String] = []

  /// Compares the contents found by the next process, which are then certain.
  mutating func check(_ found: [String: Int]) {
    for key in Set(certain.keys).union(found.keys) where found[key] != certain[key] {
      if let possible, possible.key == key, found[key] == possible.number { continue }
      problems.append("\(key) holds \(found[key] ?? 0), not \(certain[key] ?? 0)")
    }
    (certain, possible) = (found, nil)
  }

  mutating func note(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count == 3, let number = Int(words[2]) else {
      problems.append(line)
      return
    }
    newest = number
    if words[0] == "ack" {
      certain[words[1]] = number
      possible = nil
    } else {
      possible = (words[1], number)
    }
  }
}

@Suite(.serialized) struct KillTests {
  /// The number of times that each kind of process is killed; set `STORE_KILLS` to change it.
  private static let kills =
    ProcessInfo.processInfo.environment["STORE_KILLS"].flatMap(Int.init) ?? 200

  /// Returns the valid entries that a new process finds in a store, one line each.
  private static func entries(_ kind: String, _ place: String) throws -> Set<String> {
    var reader = try WriterProcess(["churn", kind, place, "0"])
    var found: Set<String> = []
    while let line = reader.line(), line != "ready" {
      if !line.hasSuffix(" -1") { found.insert(line) }
    }
    reader.kill()
    reader.wait()
    return found
  }

  @Test(arguments: ["defaults", "root", "files"])
  func `A killed process leaves old or new values, and all acknowledged ones`(
    kind: String
  ) throws {
    let place = kind == "files" ? StorePlaces.directory().path : StorePlaces.suite()
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SeededGenerator(seed: seed)
    var survivors = Survivors()
    for _ in 0...Self.kills {
      var writer = try WriterProcess(["churn", kind, place, "\(survivors.newest)"])
      var found: [String: Int] = [:]
      while let line = writer.line(), line != "ready" {
        let words = line.split(separator: " ").map(String.init)
        if words.count == 3 { found[words[1]] = Int(words[2]) } else { Issue.record("\(line)") }
      }
      survivors.check(found)
      for _ in 0..<Int.random(in: 0..<6, using: &random) {
        if let line = writer.line() { survivors.note(line) }
      }
      // The delay is random even within a write, which takes about a millisecond.
      let end = ContinuousClock.now + .microseconds(Int.random(in: 0..<2_000, using: &random))
      while ContinuousClock.now < end {}
      writer.kill()
      while let line = writer.line() { survivors.note(line) }
      writer.wait()
    }
    #expect(survivors.problems == [], "seed \(seed)")
    #expect(survivors.newest > Self.kills)
  }

  @Test func `A killed process never leaves the time of a different value`() throws {
    let place = StorePlaces.directory().path
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SeededGenerator(seed: seed)
    var newest = 1
    var known = 0
    for _ in 0...Self.kills {
      var writer = try WriterProcess(["times", "files", place, "\(newest)"])
      while let line = writer.line(), line != "ready" {
        let words = line.split(separator: " ")
        let isRight = words.count == 3 && (words[2] == "-" || words[2] == words[1])
        #expect(isRight, "\(line), seed \(seed)")
        if words.last != "-" { known += 1 }
      }
      func note(_ line: String) {
        newest = max(newest, line.split(separator: " ").last.flatMap { Int($0) } ?? 0)
      }
      for _ in 0..<Int.random(in: 0..<6, using: &random) { writer.line().map(note) }
      let end = ContinuousClock.now + .microseconds(Int.random(in: 0..<2_000, using: &random))
      while ContinuousClock.now < end {}
      writer.kill()
      while let line = writer.line() { note(line) }
      writer.wait()
      // An unacknowledged write also uses a number.
      newest += 1
    }
    #expect(known > Self.kills)
  }

  @Test func `Two processes that each write to two suites lose nothing`() throws {
    let suites = [StorePlaces.suite(), StorePlaces.suite()]
    let count = 100
    var first = try WriterProcess(["twins"] + suites + ["a", "\(count)"])
    var second = try WriterProcess(["twins"] + suites + ["b", "\(count)"])
    #expect(first.line() == "done")
    #expect(second.line() == "done")
    first.wait()
    second.wait()
    for suite in suites { #expect(try Self.entries("defaults", suite).count == 2 * count) }
  }

  @Test(arguments: ["defaults", "root", "files"])
  func `Two processes that write different keys lose nothing`(kind: String) throws {
    let place = kind == "files" ? StorePlaces.directory().path : StorePlaces.suite()
    let count = 150
    var first = try WriterProcess(["fill", kind, place, "a", "\(count)"])
    var second = try WriterProcess(["fill", kind, place, "b", "\(count)"])
    #expect(first.line() == "done")
    #expect(second.line() == "done")
    first.wait()
    second.wait()
    #expect(try Self.entries(kind, place).count == 2 * count)
  }
}
