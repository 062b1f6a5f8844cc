import Foundation
import LarderModel
import LarderFormats
import Testing

/// The instants at which the clocks in a time zone show a local time.
@Suite struct ExpiryZoneTests {
  @Test(arguments: [
    // Ambiguous times: the later instant, east and west of Greenwich.
    ("America/New_York", "2026-11-01T01:30:00Z", "2026-11-01T06:30:00Z"),
    ("America/St_Johns", "2026-11-01T01:30:00Z", "2026-11-01T05:00:00Z"),
    ("Atlantic/Azores", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"),
    ("Europe/Berlin", "2026-10-25T02:30:00Z", "2026-10-25T01:30:00Z"),
    ("Europe/London", "2026-10-25T01:30:00Z", "2026-10-25T01:30:00Z"),
    ("Australia/Lord_Howe", "2027-04-04T01:45:00Z", "2027-04-03T15:15:00Z"),
    // Skipped times: the later of the two possible instants.
    ("America/New_York", "2027-03-14T02:30:00Z", "2027-03-14T07:30:00Z"),
    ("Europe/Berlin", "2027-03-28T02:30:00Z", "2027-03-28T01:30:00Z"),
    ("Pacific/Apia", "2011-12-30T12:00:00Z", "2011-12-30T22:00:00Z"),
    // Just before and after a transition.
    ("America/New_York", "2026-11-01T00:59:59Z", "2026-11-01T04:59:59Z"),
    ("America/New_York", "2026-11-01T02:00:00Z", "2026-11-01T07:00:00Z"),
    ("America/New_York", "2027-03-14T01:59:59Z", "2027-03-14T06:59:59Z"),
    ("America/New_York", "2027-03-14T03:00:00Z", "2027-03-14T07:00:00Z"),
    ("America/New_York", "2026-07-01T12:00:00Z", "2026-07-01T16:00:00Z"),
    ("-03:30", "2026-07-01T12:00:00Z", "2026-07-01T15:30:00Z"),
    ("UTC", "2026-07-01T12:00:00Z", "2026-07-01T12:00:00Z"),
  ])
  func `An ambiguous local time means the later instant`(
    zone: String, clock: String, moment: String
  ) throws {
    let zone = try #require(ExpiryZone(zone))
    let date = try #require(Timestamp.date(from: clock))
    #expect(Timestamp.text(of: zone.moment(ofClock: date)) == moment)
  }

  @Test(arguments: ["America/New_York", "Europe/Berlin", "Pacific/Apia", "Asia/Kathmandu", "local"])
  func `Every instant converts to a local time and back to the same or a later instant`(
    zone: String
  ) throws {
    let zone = try #require(ExpiryZone(zone))
    for seconds in stride(from: 1_767_225_600.0, to: 1_798_761_600, by: 1_800) {
      let date = Date(timeIntervalSince1970: seconds)
      let read = zone.moment(ofClock: zone.clock(at: date))
      #expect(read >= date)
      #expect(zone.clock(at: read) == zone.clock(at: date))
    }
  }

  @Test func `A date without a time zone uses the given zone, and one with a zone does not`()
    throws
  {
    let zone = try #require(ExpiryZone("America/New_York"))
    for (text, moment) in [
      ("2026-12-01T09:00:00", "2026-12-01T14:00:00Z"), ("2026-12-01 09:00", "2026-12-01T14:00:00Z"),
      ("2026-12-01", "2026-12-01T05:00:00Z"), ("2026-12-01T09:00:00Z", "2026-12-01T09:00:00Z"),
      ("2026-12-01T09:00:00+01:00", "2026-12-01T08:00:00Z"),
    ] {
      #expect(ExpiryText.date(text, in: zone) == Timestamp.date(from: moment), "\(text)")
    }
    #expect(
      ExpiryText.date("2026-12-01T09:00:00") == Timestamp.date(from: "2026-12-01T09:00:00Z"))
  }
}
