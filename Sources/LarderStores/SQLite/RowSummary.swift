import Foundation
import HarmonySQLite
import LarderModel
import LarderFormats

/// Writes the rows of a statement as lines of a list, without creating an entry for each.
struct RowSummary {
  private let reader: RowReader
  private let keyCount: Int
  /// The names of a record's columns; nil if a row has a single value.
  private let names: [[UInt8]]?
  /// The member that names the collection, with a comma before it.
  private let collection: [UInt8]
  private let now: Date

  init(_ reader: RowReader, collection: String?, now: Date) {
    self.reader = reader
    self.now = now
    keyCount = reader.layout.keyColumns.count
    names =
      reader.layout.isSingleValue ? nil : reader.layout.values.map { Array($0.name.utf8) }
    self.collection = collection.map { Array((",\"collection\":" + JSONText.quote($0)).utf8) } ?? []
  }

  /// Writes the current row without a line terminator.
  func write(_ statement: SQLiteStatement, to text: inout ByteBuffer) {
    RowLine.begin(statement, reader, to: &text)
    var summary = EntrySummary()
    summary.type = reader.type(statement).rawValue
    summary.size = reader.size(statement)
    summary.expires = reader.expires(statement)
    let uses = reader.uses(statement)
    (summary.modified, summary.lastUsed, summary.hits) = (uses.made, uses.used, uses.hits)
    summary.append(now: now, to: &text)
    text.append(collection)
    fingerprint(statement).append(to: &text)
    text.append(UInt8(ascii: "}"))
  }

  private func fingerprint(_ statement: SQLiteStatement) -> Fingerprint {
    var digest = FingerprintDigest()
    if let names {
      digest.beginRecord(of: names.count)
      for (place, name) in names.enumerated() {
        name.withUnsafeBytes { digest.add(text: $0) }
        Self.add(statement.lent(at: keyCount + place), to: &digest)
      }
    } else {
      Self.add(statement.lent(at: keyCount), to: &digest)
    }
    return digest.fingerprint()
  }

  private static func add(_ value: SQLiteLentValue, to digest: inout FingerprintDigest) {
    switch value {
    case .null: digest.addNull()
    case .integer(let number): digest.add(number)
    case .real(let number): digest.add(number)
    case .text(let bytes): digest.add(text: bytes)
    case .blob(let bytes): digest.add(data: bytes)
    }
  }
}
