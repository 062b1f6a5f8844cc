import Foundation
import Harmony
import Testing

@testable import LarderStores

/// Cache times of entries that are renamed by a process that does not complete.
struct RenamedTimesTests {
  private let folder: TestFolder
  private let file: CacheTimesFile
  private let times = CacheTimes(
    stored: Date(timeIntervalSince1970: 1_700_000_000),
    expires: Date(timeIntervalSince1970: 1_700_003_600))
  private let others = CacheTimes(
    stored: Date(timeIntervalSince1970: 1_600_000_000),
    expires: Date(timeIntervalSince1970: 1_600_003_600))

  init() throws {
    folder = try TestFolder()
    file = CacheTimesFile(path: folder.file("cache.harmony-times"))
    try file.setTimes(byName: [("old", times), ("there", others)])
  }

  @Test func `After a kill during a rename, both names have the times`() throws {
    var renamed = try RenamedTimes([("old", "new")], in: file)
    try renamed.begin { _ in true }
    #expect(try file.times(named: ["old", "new", "there"]) == [times, times, others])
    try renamed.finish()
    #expect(try file.times(named: ["old", "new", "there"]) == [nil, times, others])
  }

  @Test func `After a kill during a swap of names, no entry expires later than before`() throws {
    try file.setTimes(byName: [("endless", CacheTimes(stored: times.stored, expires: nil))])
    let names = ["old", "there", "endless"]
    let before = try file.times(named: names)
    var renamed = try RenamedTimes(
      [("old", "there"), ("there", "endless"), ("endless", "old")], in: file)
    try renamed.begin { _ in false }
    #expect(try file.times(named: names) == [times, others, others])
    try renamed.finish { _ in false }
    #expect(try file.times(named: names) == before)
    try renamed.begin { _ in false }
    try renamed.finish()
    #expect(try file.times(named: names) == [before[2], times, others])
  }

  @Test func `An existing entry keeps its own times, and so does one that is not renamed`() throws {
    var refused = try RenamedTimes([("old", "there"), ("old", "new")], in: file)
    try refused.begin { $0 != "there" }
    #expect(try file.times(named: ["old", "there"]) == [times, others])
    try refused.finish { _ in false }
    #expect(try file.times(named: ["old", "new", "there"]) == [times, nil, others])
  }
}
