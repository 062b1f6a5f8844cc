import Harmony

/// What can go wrong at a store, as far as people and the browser treat it differently.
public enum StoreError: Error, Sendable, Hashable {
  /// No entry has the key.
  case notFound(String)
  /// The store cannot do this.
  case notSupported(String)
  /// The store was opened read-only, or nothing in it can be changed.
  case readOnly(String)
  /// Another process holds the store.
  case busy(String)
  /// The store's bytes are not what its kind demands.
  case corrupt(String)
  /// The store, or the location, cannot be opened.
  case cannotOpen(String)
  /// The entry is not what was read, or exists although it should not; `current` is nil if deleted.
  case conflict(current: Entry?)
  /// Something beside the entry that a change depends on is not what it was, as a sentence.
  case changedSince(String)
  /// All was changed, but may not survive a loss of power, as a sentence.
  case notDurable(String)
  /// The work was cancelled.
  case cancelled
  /// The journal, in which changes are recorded first, cannot be read or cannot take a change: the
  /// store is not at fault, and no entry of it.
  case journal(String)
  /// Anything else, as a sentence.
  case failed(String)
}

extension StoreError {
  /// What happened and what to do, as one sentence without a final full stop.
  public var message: String {
    switch self {
    case .notFound(let text), .notSupported(let text), .readOnly(let text), .busy(let text),
      .corrupt(let text), .cannotOpen(let text), .journal(let text), .changedSince(let text),
      .notDurable(let text), .failed(let text):
      text
    case .conflict(nil):
      "the entry was deleted by someone else since it was read; nothing was written"
    case .conflict:
      "the entry was changed by someone else since it was read; nothing was written"
    case .cancelled: "cancelled"
    }
  }

  /// The kind of error, for programs; it stays when the message is worded differently.
  public var code: String {
    switch self {
    case .notFound: "notFound"
    case .notSupported: "notSupported"
    case .readOnly: "readOnly"
    case .busy: "busy"
    case .corrupt: "corrupt"
    case .cannotOpen: "cannotOpen"
    case .conflict: "conflict"
    case .changedSince: "changedSince"
    case .notDurable: "notDurable"
    case .cancelled: "cancelled"
    case .journal: "journal"
    case .failed: "failed"
    }
  }

  /// That an entry, which cannot be read, is not deleted where deletions can be taken back.
  package static func cannotBringBack(_ entry: Entry) -> StoreError {
    let key = entry.key
    if key.isOfFolder { return closedFolder(key, "deleted") }
    if let type = entry.specialType, type != "link" {
      return specialFile(key, type)
    }
    return .notSupported(
      "\(key.spoken) cannot be read, and so not be brought back; nothing was deleted. "
        + "--no-journal deletes, but that cannot be undone")
  }

  /// That a file is none that larder deletes, with a journal or without.
  package static func specialFile(_ key: EntryKey, _ type: String) -> StoreError {
    .notSupported(
      "\(key.spoken) is a special file (\(type)), which larder does not touch; nothing was deleted. "
        + "Delete the others by their keys or by a longer prefix")
  }

  /// That nobody can tell what is in a folder, so that nothing is done to all that is.
  package static func closedFolder(_ key: EntryKey, _ done: String) -> StoreError {
    .readOnly("the permissions of \(key.spoken) do not allow reading it; nothing was \(done)")
  }

  /// The error that a data source's error means to a user.
  public init(_ error: any Error) {
    switch error {
    case let error as StoreError: self = error
    case is CancellationError: self = .cancelled
    case is CoreError.NotFound: self = .notFound("no such entry")
    case is CoreError.QueryNotSupported:
      self = .notSupported("this store cannot do that")
    default: self = .failed(String(describing: error))
    }
  }
}

extension StoreError {
  /// That a change is larger than the journal keeps.
  ///
  /// - Parameter limit: The maximum number of bytes that it keeps of one change.
  /// - Returns: The error, with what to do.
  package static func tooLargeForJournal(limit: Int) -> StoreError {
    .journal(
      "this changes more than the \(limit >> 20) MiB that the journal keeps; nothing was changed. "
        + "--no-journal changes it, but that cannot be undone")
  }
}
