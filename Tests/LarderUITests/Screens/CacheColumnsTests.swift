import Foundation
import LarderModel
import Testing

@testable import LarderUI

/// What stands beside the keys of a store that says anything.
@Suite struct CacheColumnsTests {
  @Test(arguments: [1e300, -1e300])
  func datesWithoutADurationAreWritten(_ seconds: Double) {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    let entry = Entry(key: .text("a"), modified: date, expires: date)
    let now = Date(timeIntervalSinceReferenceDate: 0)
    let left = CacheColumns.Kind.left.text(of: entry, at: now)
    #expect(left.hasPrefix("−") == (seconds < 0))
    #expect(
      CacheColumns.Kind.age.text(of: entry, at: now) == (seconds > 0 ? "0s" : "11574074d 01h"))
  }

  @Test func whatIsJustOverHasNothingLeftAndNoSign() {
    let now = Date(timeIntervalSinceReferenceDate: 0)
    let entry = Entry(key: .text("a"), modified: now, expires: now.addingTimeInterval(-0.4))
    #expect(CacheColumns.Kind.left.text(of: entry, at: now) == "0s")
  }

  @Test func whatIsOverIsKeptApartFromWhatStandsBeforeIt() throws {
    let now = Date(timeIntervalSinceReferenceDate: 0)
    let entry = Entry(key: .text("a"), modified: now, expires: now.addingTimeInterval(-641))
    let text = CacheColumns.Kind.left.text(of: entry, at: now)
    #expect(text == "−10m 41s")
    let columns = CacheColumns(width: 80, isShown: true, ofStore: entry).columns
    let left = try #require(columns.first { $0.kind == .left })
    #expect(left.width > text.count)
  }

  @Test func whatCameBackAfterItsTimeHasAnEmptyLife() {
    let now = Date(timeIntervalSinceReferenceDate: 0)
    let entry = Entry(key: .text("a"), modified: now, expires: now.addingTimeInterval(-60))
    #expect(CacheColumns.Kind.bar.text(of: entry, at: now) == "░░░░░░")
  }
}
