import Foundation
import HarmonySQLite
import LarderModel
import LarderFormats
import LarderStoreBase

/// Writes the rows of a statement as lines of a list, without creating an entry for each.
final class RowSummary {
  private let reader: RowReader
  private let keyCount: Int
  /// The encoded names of a record's columns; nil if a row has a single value.
  private let names: PackedStrings?
  /// The member that names the collection, with a comma before it.
  private let collection: [UInt8]
  private let now: Date
  @exclusivity(unchecked) private var digest = FingerprintDigest()

  init(_ reader: RowReader, collection: String?, now: Date) {
    self.reader = reader
    self.now = now
    keyCount = reader.layout.keyColumns.count
    names =
      reader.layout.isSingleValue
      ? nil : PackedStrings(reader.layout.values.map { FingerprintDigest.encoded($0.name) })
    self.collection = collection.map { Array((",\"collection\":" + JSONText.quote($0)).utf8) } ?? []
  }

  /// Writes the current row without a line terminator.
  func write(_ statement: SQLiteStatement, to text: inout ByteBuffer) {
    RowLine.begin(statement, keyCount, to: &text)
    var summary = EntrySummary()
    summary.type = reader.type(statement).rawValue
    let (size, fingerprint) = contents(statement)
    summary.size = size
    summary.expires = reader.expires(statement)
    if reader.recordsUse {
      let uses = reader.uses(statement)
      (summary.modified, summary.lastUsed, summary.hits) = (uses.made, uses.used, uses.hits)
    }
    summary.append(now: now, to: &text)
    text.append(collection)
    fingerprint.append(to: &text)
    text.append(UInt8(ascii: "}"))
  }

  /// Returns the size of the current row as ``RowReader/size(_:)`` does, and its fingerprint.
  private func contents(_ statement: SQLiteStatement) -> (size: Int, fingerprint: Fingerprint) {
    var size = 0
    if let names {
      digest.beginRecord(of: names.count)
      let main = reader.valueOffset
      names.forEach { place, name in
        digest.add(encoded: name)
        let bytes = add(statement.lent(at: keyCount + place))
        if main == nil || main == place { size += bytes }
      }
    } else {
      size = add(statement.lent(at: keyCount))
    }
    return (size, digest.takeFingerprint())
  }

  /// Adds a value to the fingerprint and returns its size in bytes.
  private func add(_ value: SQLiteLentValue) -> Int {
    switch value {
    case .null:
      digest.addNull()
      return 0
    case .integer(let number):
      digest.add(number)
      return 8
    case .real(let number):
      digest.add(number)
      return 8
    case .text(let bytes):
      digest.add(text: bytes)
      return bytes.count
    case .blob(let bytes):
      digest.add(data: bytes)
      return bytes.count
    }
  }
}
