public import Foundation
public import LarderCore

/// A step as the journal keeps it.
public struct JournalRecord: Sendable, Hashable {
  /// What the step does, for messages.
  public let step: JournalStep
  /// When it was made.
  public let time: Date
  /// The store, as a location that can be opened again.
  public let location: StoreLocation
  /// What is known about it.
  public let state: State

  /// What is known about a step.
  public enum State: Sendable, Hashable {
    /// Whether it was made, or taken back.
    case settled
    /// That a process is about to make it, or to take it back.
    case running
    /// That a process was killed meanwhile. What became of it is found out when the store is changed
    /// next, or when it is taken back.
    case interrupted
  }

  /// Whether another process can open the store.
  public var canBeReached: Bool { !location.isOfOneProcess }
}

extension StoreLocation {
  /// The location of a store that lives as long as this process, as the journal names it.
  var ofThisProcess: StoreLocation {
    StoreLocation(
      path: "\(path)\(Self.processMark)\(ProcessInfo.processInfo.processIdentifier))",
      collection: collection)
  }

  fileprivate var isOfOneProcess: Bool {
    path.hasPrefix("memory:") && path.hasSuffix(")") && path.contains(Self.processMark)
  }

  private static let processMark = " (in process "
}

/// One entry of a step: what it was, and what it became.
struct JournalItem: Sendable, Hashable {
  /// The key, the old one of an entry that got another.
  var key: EntryKey
  /// The key that the entry got, nil where it kept its own.
  var newKey: EntryKey?
  /// The value before, nil where there was none.
  var before: StoredValue?
  /// The value afterwards, nil where there is none.
  var after: StoredValue?
  /// Whether the store holds what the step made of it, as far as is known.
  var isDone = false
  /// How the value before was kept, as ``Entry/form`` says it.
  var beforeForm: String?
  /// How the value afterwards is kept.
  var afterForm: String?

  /// How the entry gets the value that the step gave it, or back the one before.
  func change(isUndo: Bool) -> EntryChange {
    let (from, to) = isUndo ? (after, before) : (before, after)
    return EntryChange(
      key, value: to, expecting: from.map { Fingerprint(of: $0) },
      form: isUndo ? beforeForm : afterForm)
  }

  /// How the entry gets the key that the step gave it, or back the one before; nil where the step
  /// did not rename it.
  func rename(isUndo: Bool) -> RenameQuery? {
    guard let newKey, let before else { return nil }
    let (from, to) = isUndo ? (newKey, key) : (key, newKey)
    return RenameQuery(from, to: to, expecting: Fingerprint(of: before))
  }
}
