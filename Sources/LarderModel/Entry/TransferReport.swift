import Foundation
import Harmony

/// A report of what copies of entries lack in another store, or have as another type there.
package struct TransferReport: Sendable, Equatable {
  /// The number of entries in which each column had a value.
  private var columns: [String: Int] = [:]
  /// The number of entries that had an expiry.
  private var expiries = 0
  /// The number of entries that were data, and are text of the same bytes.
  package private(set) var dataAsText = 0

  /// Creates a report of nothing.
  package init() {}

  /// Whether the copies are whole.
  package var isEmpty: Bool { columns.isEmpty && expiries == 0 }

  /// A list of the columns and expiries that the copies lack; empty if they lack none.
  package var list: String {
    func entries(_ count: Int) -> String { "of \(count) \(count == 1 ? "entry" : "entries")" }
    var parts = columns.sorted { $0.key < $1.key }.map {
      "the column \(EntryKey.text($0.key).notation(.typed)) \(entries($0.value))"
    }
    if expiries > 0 { parts.append("the expiry \(entries(expiries))") }
    return parts.joined(separator: ", ")
  }

  fileprivate mutating func add(column: String) { columns[column, default: 0] += 1 }

  /// Adds what other copies have not taken along.
  package mutating func add(_ other: TransferReport) {
    columns.merge(other.columns, uniquingKeysWith: +)
    expiries += other.expiries
    dataAsText += other.dataAsText
  }

  fileprivate mutating func addDataAsText() { dataAsText += 1 }

  /// Says that an entry has lost its expiry.
  package mutating func addExpiry() { expiries += 1 }
}

extension Store {
  /// The columns of this store's rows that a copy of a row's value goes without.
  package var valueColumns: ValueColumns? {
    valueField.map { ValueColumns(value: $0, expiry: expiryField) }
  }

  /// Whether a whole row can be an entry of this store.
  private var takesRows: Bool { template?.type == .record || !kind.isLasting }

  /// The value of an entry of another store, as this store takes it: of a row that is one value with its
  /// expiry, that value alone, where no rows are kept here; and text in the place of data that is text,
  /// where data cannot be stored.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - columns: What the columns of the row mean; nil where rows are records of equal columns.
  /// - Returns: The value.
  package func taken(_ value: StoredValue, of columns: ValueColumns?) -> StoredValue {
    var taken = value
    if let columns, !takesRows, value.type == .record {
      taken = value.field(columns.value) ?? value
    }
    guard case .data(let bytes) = taken, !kind.types.isEmpty, !kind.types.contains(.data),
      let text = String(validating: bytes, as: UTF8.self)
    else { return taken }
    return .text(text)
  }

  /// A value that is no row, as a new row where rows have one column for it; any other as it is.
  private func row(holding value: StoredValue) -> StoredValue {
    guard let valueField, let template, template.type == .record, value.type != .record else {
      return value
    }
    return template.setting(valueField, to: value)
  }

  /// An entry of another store, as this store takes it, with its expiry as a time of its own.
  ///
  /// - Parameters:
  ///   - entry: The entry, whole.
  ///   - columns: What the columns of its row mean; nil where rows are records of equal columns.
  ///   - left: Told what this store has no place for.
  /// - Returns: The entry.
  package func taking(
    _ entry: Entry, of columns: ValueColumns?, leaving left: inout TransferReport
  ) -> Entry {
    guard let value = entry.value else { return entry }
    var copy = entry
    copy.value = row(holding: taken(value, of: columns))
    let own = columns.flatMap { value.field($0.value) } ?? value
    if own.type == .data, copy.value?.type == .text { left.addDataAsText() }
    if case .record(let fields) = value, copy.value != value {
      for field in fields
      where field.value != .null && !field.name.hasBytes(of: columns?.value ?? "")
        && !(entry.expires != nil && field.name.hasBytes(of: columns?.expiry ?? ""))
      {
        left.add(column: field.name)
      }
      copy.form = nil
    }
    // A row has its expiry in one of its columns.
    if entry.expires.map({ $0 != .distantFuture }) == true, copy.value?.type != .record,
      !capabilities.contains(.expiry)
    {
      left.addExpiry()
    }
    return copy
  }
}

/// What the columns of a row mean that is one value with its expiry.
package struct ValueColumns: Sendable, Hashable {
  /// The column that the value is in.
  package let value: String
  /// The column that says when it expires; nil where there is none.
  package let expiry: String?

  package init(value: String, expiry: String?) {
    self.value = value
    self.expiry = expiry
  }
}
