import Foundation
import Harmony
import LarderModel
import LarderOperations

/// Reads every entry of a collection and counts its problems.
struct EntryExamination {
  private let store: Store
  /// The expiry of the store; nil for none.
  private let expiry: CollectionExpiry?
  private var count = 0
  private var expired = 0
  private var strange = 0
  private var unreadable = NameList()
  private var malformed = NameList()
  private var timeless = NameList()
  private let now = Date()
  private let usual =
    Date(timeIntervalSince1970: 631_152_000)...Date(timeIntervalSince1970: 7_258_118_400)

  init(_ store: Store, expiry: CollectionExpiry?) {
    self.store = store
    self.expiry = expiry
  }

  /// Reads all entries, a page at a time.
  ///
  /// - Throws: An error if the entries cannot be listed to the end.
  mutating func run(_ progress: Progress) async throws {
    // Secrets are not read unless the user asks for them.
    var stream = EntryStream(store, prefix: "", store.hidesValues ? .summary : .values)
    while let entry = try await stream.next() {
      try await add(entry)
      progress.add(1)
    }
  }

  private mutating func add(_ entry: Entry) async throws {
    count += 1
    if let expires = entry.expires {
      if expires < now { expired += 1 }
      if expiry?.isDubious != true, !usual.contains(expires) { strange += 1 }
    }
    guard !store.hidesValues, let value = try await value(of: entry) else { return }
    if value.holdsMalformedText { malformed.add(entry.key.notation(store.keyStyle)) }
    if entry.expires == nil, let expiry, !expiry.isDubious,
      let kept = value.field(expiry.column), !kept.isTime
    {
      timeless.add(entry.key.notation(store.keyStyle))
    }
  }

  /// Returns the value of an entry; nil if it has none, was deleted or cannot be read.
  private mutating func value(of entry: Entry) async throws -> StoredValue? {
    if let value = entry.value { return value }
    do {
      return try await store.source.get(EntryQuery(entry.key)).getCancelling().value
    } catch {
      switch StoreError(error) {
      case .cancelled: throw error
      case .notFound: break
      case .notSupported where entry.specialType != nil && entry.specialType != "folder": break
      case let reason: unreadable.add(unreadable: entry.key, store.keyStyle, reason)
      }
      return nil
    }
  }

  /// Reports the problems.
  func tell(_ subject: String, _ report: inout DoctorReport) {
    report.add(
      subject,
      .listed(count, expired: expired, by: expiry, in: Messages.shellQuoted(subject)))
    if unreadable.count > 0 { report.add(subject, .unreadable(unreadable)) }
    if malformed.count > 0 { report.add(subject, .notUTF8(malformed)) }
    if timeless.count > 0, let expiry {
      report.add(subject, .notTime(timeless, column: expiry.column))
    }
    if strange > 0 { report.add(subject, .strangeExpiry(strange)) }
  }
}

extension StoredValue {
  /// Returns the value of a column of a row.
  fileprivate func field(_ name: String) -> StoredValue? {
    guard case .record(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }

  /// Whether a program could have meant the value as a time, or as no time.
  fileprivate var isTime: Bool {
    switch self {
    case .null, .integer, .real, .number, .date: true
    case .text(let text): text.isEmpty || Double(text) != nil || Timestamp.date(from: text) != nil
    default: false
    }
  }
}
