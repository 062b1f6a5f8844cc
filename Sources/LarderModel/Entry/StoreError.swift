import Harmony

/// An error from a store, by the categories that users and the browser distinguish.
public enum StoreError: Error, Sendable, Hashable {
  /// There is no entry with the key.
  case notFound(String)
  /// The store does not support the operation.
  case notSupported(String)
  /// The store was opened read-only, or cannot be changed.
  case readOnly(String)
  /// Another process has locked the store.
  case busy(String)
  /// The store's bytes are invalid for its kind.
  case corrupt(String)
  /// The store or the location cannot be opened.
  case cannotOpen(String)
  /// The entry was changed since it was read, or exists although it should not; `current` is nil if
  /// it was deleted.
  case conflict(current: Entry?)
  /// Something else that a change depends on has changed, as a sentence.
  case changedSince(String)
  /// All changes were made, but may not survive a power failure, as a sentence.
  case notDurable(String)
  /// The operation was cancelled.
  case cancelled
  /// The journal, which records changes before they are made, cannot be read or written.
  ///
  /// Neither the store nor its entries are at fault.
  case journal(String)
  /// Any other error, as a sentence.
  case failed(String)
}

extension StoreError {
  /// The description of the error and its remedy, as one sentence without a final full stop.
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

  /// Returns the error for an entry that cannot be read, and so cannot be deleted with an undo.
  package static func cannotRestore(_ entry: Entry) -> StoreError {
    let key = entry.key
    if key.isOfFolder { return closedFolder(key, "deleted") }
    if let type = entry.specialType, type != "link" {
      return specialFile(key, type)
    }
    return .notSupported(
      "\(key.spoken) cannot be read, so undo could not restore it; nothing was deleted. "
        + "--no-journal deletes it without undo")
  }

  /// Returns the error for deleting a special file, which larder never does, even without a
  /// journal.
  package static func specialFile(_ key: EntryKey, _ type: String) -> StoreError {
    .notSupported(
      "\(key.spoken) is a special file (\(type)), which larder does not touch; nothing was deleted. "
        + "Delete the others by their keys or by a longer prefix")
  }

  /// Returns the error for a folder whose content cannot be listed, so that it is left alone.
  package static func closedFolder(_ key: EntryKey, _ done: String) -> StoreError {
    .readOnly("the permissions of \(key.spoken) do not allow reading it; nothing was \(done)")
  }

  /// Converts an error of a data source to the error to show to the user.
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
  /// Returns the error for a change that exceeds the journal's limit.
  ///
  /// - Parameter limit: The maximum number of bytes that the journal stores for one change.
  /// - Returns: The error, including a remedy.
  package static func tooLargeForJournal(limit: Int) -> StoreError {
    .journal(
      "this changes more than the \(limit >> 20) MiB that the journal keeps; nothing was changed. "
        + "--no-journal changes it, but that cannot be undone")
  }
}
