public import Foundation

/// A step as the journal keeps it.
public struct JournalRecord: Sendable, Hashable {
  /// What the step does, for messages.
  public package(set) var step: JournalStep
  /// When it was made.
  public let time: Date
  /// The store, as a location that can be opened again.
  public let location: StoreLocation
  /// What is known about it.
  public let state: State
  /// Whether the key of its first entry can be read; else the step has ``EntryKey/null`` in its
  /// place, and can be neither taken back nor done again.
  public var isReadable = true
  /// Whether a part of it only was taken back, or done again: then either can be gone on with.
  public var isPartlyUndone = false

  package init(
    step: JournalStep, time: Date, location: StoreLocation, state: State, isReadable: Bool = true,
    isPartlyUndone: Bool = false
  ) {
    self.step = step
    self.time = time
    self.location = location
    self.state = state
    self.isReadable = isReadable
    self.isPartlyUndone = isPartlyUndone
  }

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

  /// Whether there is nothing left of it to take back, or to do again.
  ///
  /// - Parameter isRedo: Which of them.
  /// - Returns: Whether there is nothing, as far as is known.
  public func isReplayed(isRedo: Bool) -> Bool {
    !isPartlyUndone && step.isUndone != isRedo
  }

  /// Whether another process can open the store.
  public var canBeReached: Bool { !location.isOfOneProcess }
}

extension StoreLocation {
  /// The location of a store that lives as long as this process, as the journal names it.
  package var ofThisProcess: StoreLocation {
    StoreLocation(
      path: "\(path)\(Self.processMark)\(ProcessInfo.processInfo.processIdentifier))",
      collection: collection)
  }

  fileprivate var isOfOneProcess: Bool {
    // The path of a file may hold the same words.
    !path.hasPrefix("/") && path.hasSuffix(")") && path.contains(Self.processMark)
  }

  private static let processMark = " (in process "
}
