import Harmony
import HarmonySQLite
import LarderCore

extension SQLiteEntrySource {
  /// The most that the values of one answer take, but for the last of them.
  private static var greatestSize: Int { 4 << 20 }

  /// Answers with the rows under several keys, as they are at one moment.
  func entries(_ query: EntriesQuery) -> Future<[Entry]> {
    future(.page) { session, layout in
      let reader = RowReader(layout)
      return try session.read {
        var entries: [Entry] = []
        var size = 0
        for key in query.keys where size < Self.greatestSize {
          let entry = try reader.read(key, session)
          size += entry?.size ?? 0
          entries.append(entry ?? Entry(key: key))
        }
        return entries
      }
    }
  }
}
