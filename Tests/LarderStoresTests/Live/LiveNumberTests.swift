import Foundation
import HarmonyInspection
import LarderModel
import Testing

@testable import LarderStores

/// Numbers that no real program has, but which another process may send.
@Suite struct LiveNumberTests {
  private let now = Date(timeIntervalSinceReferenceDate: 0)

  private func entry(size: Int = 1, seconds: Double = 0) throws -> Entry {
    let state = InspectedEntry.CachedState(
      age: seconds, timeToLive: 60, hits: 0, lastUsed: seconds, cost: 0)
    return try InspectedEntry(key: "a", value: .text("x"), size: size, cached: state)
      .entry(isWhole: true, type: "String", at: now)
  }

  @Test(arguments: [1e300, -1e300, 1e13])
  func `Times are clamped to the range of a duration`(_ seconds: Double) throws {
    let entry = try entry(seconds: seconds)
    for date in [entry.modified, entry.lastUsed, entry.expires].compactMap(\.self) {
      #expect(abs(date.timeIntervalSince(now)) <= 1e12)
    }
    #expect(entry.modified != nil)
  }

  @Test(arguments: [-1, Int.min, Int.max])
  func `An impossible size is refused`(_ size: Int) {
    #expect(throws: StoreError.self) { try entry(size: size) }
  }
}
