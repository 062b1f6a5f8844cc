import Foundation
import Harmony

/// A report of the data that copies of entries lack, or have as another type, in another store.
package struct TransferReport: Sendable, Equatable {
  /// The number of entries in which each column had a value.
  private var columns: [String: Int] = [:]
  /// The number of entries that had an expiry.
  private var expiries = 0
  /// The number of entries whose data was copied as text with the same bytes.
  package private(set) var dataAsText = 0

  /// Creates an empty report.
  package init() {}

  /// Whether the copies are complete.
  package var isEmpty: Bool { columns.isEmpty && expiries == 0 }

  /// The list of missing columns and expiries; empty if the copies are complete.
  package var list: String {
    var parts = columns.sorted { $0.key < $1.key }.map {
      Messages.column($0.key, of: $0.value)
    }
    if expiries > 0 { parts.append(Messages.expiry(of: expiries)) }
    return parts.joined(separator: ", ")
  }

  fileprivate mutating func add(column: String) { columns[column, default: 0] += 1 }

  /// Adds the report of other copies.
  package mutating func add(_ other: TransferReport) {
    columns.merge(other.columns, uniquingKeysWith: +)
    expiries += other.expiries
    dataAsText += other.dataAsText
  }

  fileprivate mutating func addDataAsText() { dataAsText += 1 }

  /// Records that an entry has lost its expiry.
  package mutating func addExpiry() { expiries += 1 }
}

extension Store {
  /// The value and expiry columns of this store's rows, if each row consists of a value and its
  /// expiry.
  package var valueColumns: ValueColumns? {
    valueField.map { ValueColumns(value: $0, expiry: expiryField) }
  }

  /// Whether an entry of this store can be a whole row.
  private var takesRows: Bool { template?.type == .record || !kind.isPersistent }

  /// Converts the value of another store's entry to the form that this store accepts.
  ///
  /// A row that consists of a value and its expiry becomes the value alone if this store has no
  /// rows, and data that is valid UTF-8 becomes text if this store has no data.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - columns: The value and expiry columns of the row; nil for plain records.
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

  /// Returns a value that is not a row as a new row, if rows have a value column; others are
  /// unchanged.
  private func row(holding value: StoredValue) -> StoredValue {
    guard let valueField, let template, template.type == .record, value.type != .record else {
      return value
    }
    return template.setting(valueField, to: value)
  }

  /// Converts another store's entry to the form that this store accepts, with its expiry kept
  /// separately.
  ///
  /// - Parameters:
  ///   - entry: The complete entry.
  ///   - columns: The value and expiry columns of its row; nil for plain records.
  ///   - left: The report to which data that this store cannot represent is added.
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
    // A row that is copied as a row has its expiry in one of its columns. Another value cannot set it
    // if the unit of the column is unknown.
    let isLost =
      copy.value?.type == .record
      ? value.type != .record && expiryField == nil : !capabilities.contains(.expiry)
    if isLost, let expires = entry.expires, expires != .distantFuture {
      left.addExpiry()
    }
    return copy
  }
}

/// The columns of a row that consists of a value and its expiry.
package struct ValueColumns: Sendable, Hashable {
  /// The column with the value.
  package let value: String
  /// The column with the expiry; nil if there is none.
  package let expiry: String?

  package init(value: String, expiry: String?) {
    self.value = value
    self.expiry = expiry
  }
}
