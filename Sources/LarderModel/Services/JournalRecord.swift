public import Foundation

/// A change as recorded in the journal.
public struct JournalRecord: Sendable, Hashable {
  /// The description of the change, for messages.
  public package(set) var step: ChangeSummary
  /// The time of the change.
  public let time: Date
  /// The location of the store, from which it can be opened again.
  public let location: StoreLocation
  /// The state of the change.
  public let state: State
  /// Whether the key of the first entry can be decoded.
  ///
  /// Otherwise the key is ``EntryKey/null``, and the change can be neither undone nor redone.
  public var isReadable = true
  /// Whether the change was only partly undone or redone, so that either can be continued.
  public var isPartlyUndone = false

  package init(
    step: ChangeSummary, time: Date, location: StoreLocation, state: State, isReadable: Bool = true,
    isPartlyUndone: Bool = false
  ) {
    self.step = step
    self.time = time
    self.location = location
    self.state = state
    self.isReadable = isReadable
    self.isPartlyUndone = isPartlyUndone
  }

  /// The state of a recorded change.
  public enum State: Sendable, Hashable {
    /// The change was completely made or undone.
    case settled
    /// A process is about to make or undo the change.
    case running
    /// The process was killed while making or undoing the change.
    ///
    /// The outcome is determined when the store is next changed, or when the change is undone.
    case interrupted
  }

  /// Whether nothing of the change is left to undo or redo.
  ///
  /// - Parameter isRedo: Whether to check for redo rather than undo.
  /// - Returns: Whether nothing is left, as far as is known.
  public func isReplayed(isRedo: Bool) -> Bool {
    !isPartlyUndone && step.isUndone != isRedo
  }

  /// Whether another process can open the store.
  public var canBeReached: Bool { !location.isOfOneProcess }
}

extension StoreLocation {
  /// The location by which the journal identifies a store that exists only in this process.
  package var ofThisProcess: StoreLocation {
    StoreLocation(
      path: "\(path)\(Self.processMark)\(ProcessInfo.processInfo.processIdentifier))",
      collection: collection)
  }

  fileprivate var isOfOneProcess: Bool {
    // A file path can contain the same words.
    !path.hasPrefix("/") && path.hasSuffix(")") && path.contains(Self.processMark)
  }

  private static let processMark = " (in process "
}
