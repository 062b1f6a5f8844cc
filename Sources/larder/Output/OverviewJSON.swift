import Foundation
import LarderFormats
import LarderModel
import LarderOperations

/// Encodes an overview as a JSON object, without unknown fields.
enum OverviewJSON {
  /// Returns the line for an overview.
  ///
  /// - Parameters:
  ///   - overview: The overview.
  ///   - store: Its store.
  ///   - limit: The maximum number of prefixes and of types.
  /// - Returns: The line without a line end.
  static func line(_ overview: Overview, of store: Store, limit: Int) -> String {
    let total = overview.total
    let showsExpiry = overview.hasExpiry || store.capabilities.contains(.expiry)
    var fields: [StoredValue.Field] = [.init("location", .text(store.location.description))]
    if let name = store.location.collection { fields.append(.init("collection", .text(name))) }
    if !overview.prefix.isEmpty { fields.append(.init("prefix", .text(overview.prefix))) }
    if let delimiter = overview.delimiter, !delimiter.isEmpty {
      fields.append(.init("delimiter", .text(delimiter)))
    }
    fields.append(.init("time", .text(Timestamp.text(of: overview.date))))
    fields += sizes(total)
    if total.sizedCount < total.count {
      fields.append(.init("unsized", .integer(Int64(total.count - total.sizedCount))))
    }
    if showsExpiry {
      let spans = OverviewSpan.allCases.map { span in
        StoredValue.Field(span.rawValue, .integer(Int64(total.count(of: span))))
      }
      fields += [.init("expiry", .dictionary(spans))] + next(total.next, at: overview.date)
    }
    let groups = overview.groups(by: .size, limit: limit)
    fields += [
      .init("exact", .bool(overview.arePrefixesExact)), .init("whole", .bool(overview.isWhole)),
      .init("prefixes", .array(groups.map { value(of: $0, in: overview, showsExpiry) })),
      .init(
        "types",
        .array(
          overview.types(limit: limit).map { type in
            let name: [StoredValue.Field] =
              type.name.isEmpty ? [] : [.init("type", .text(type.name))]
            return .dictionary(name + sizes(type.sum))
          })),
      .init("largest", .array(overview.largest.map { value(of: $0, at: overview.date) })),
    ]
    return JSONText.encode(.dictionary(fields))
  }

  private static func value(
    of group: Overview.Group, in overview: Overview, _ showsExpiry: Bool
  ) -> StoredValue {
    let name: StoredValue.Field =
      switch group.name {
      case .prefix(let text): .init("prefix", .text(text))
      case .withoutPrefix: .init("prefix", .null)
      case .others(let count): .init("others", .integer(Int64(count)))
      }
    var fields = [name] + sizes(group.sum) + [.init("share", .real(overview.share(of: group.sum)))]
    if showsExpiry {
      fields += [
        .init("expired", .integer(Int64(group.sum.expired))),
        .init("never", .integer(Int64(group.sum.never))),
        .init("histogram", .array(group.sum.histogram.map { .integer(Int64($0)) })),
      ]
      fields += next(group.sum.next, at: overview.date)
    }
    return .dictionary(fields)
  }

  private static func value(of entry: Overview.LargeEntry, at date: Date) -> StoredValue {
    let type: [StoredValue.Field] = entry.type.map { [.init("type", .text($0))] } ?? []
    return .dictionary(
      [.init("key", EntryLine.value(of: entry.key)), .init("size", .integer(Int64(entry.size)))]
        + type + next(entry.expires, at: date, named: "expires"))
  }

  private static func sizes(_ sum: OverviewSum) -> [StoredValue.Field] {
    [.init("entries", .integer(Int64(sum.count)))]
      + (sum.bytes.map { [.init("bytes", .integer(Int64($0)))] } ?? [])
  }

  /// Returns the fields for a time and, if it is finite, the remaining seconds.
  private static func next(
    _ expires: Date?, at date: Date, named name: String = "next"
  ) -> [StoredValue.Field] {
    guard let expires else { return [] }
    let seconds = Int64(exactly: expires.timeIntervalSince(date).rounded(.down))
    return [.init(name, .text(Timestamp.text(of: expires)))]
      + (seconds.map { [.init("remaining", .integer($0))] } ?? [])
  }
}
