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
  /// The store requires a password, or rejected the one that it got.
  case passwordRequired(String)
  /// The entry was changed since it was read, or exists although it should not; `current` is nil if
  /// it was deleted.
  case conflict(current: Entry?)
  /// Something else that a change depends on has changed, as a sentence.
  case changedSince(String)
  /// All changes were made, but may not survive a power failure, as a sentence.
  case notDurable(String)
  /// It is not known whether the changes were made, because no answer arrived, as a sentence.
  case unknownOutcome(String)
  /// The operation was canceled.
  case cancelled
  /// The journal, which records changes before they are made, cannot be read or written.
  ///
  /// Neither the store nor its entries are at fault.
  case journal(String)
  /// Any other error, as a sentence.
  case failed(String)
}

extension StoreError {
  /// The kind of error, for programs; it stays when the message is worded differently.
  public var code: String {
    switch self {
    case .notFound: "notFound"
    case .notSupported: "notSupported"
    case .readOnly: "readOnly"
    case .busy: "busy"
    case .corrupt: "corrupt"
    case .cannotOpen, .passwordRequired: "cannotOpen"
    case .conflict: "conflict"
    case .changedSince: "changedSince"
    case .notDurable: "notDurable"
    case .unknownOutcome: "unknownOutcome"
    case .cancelled: "cancelled"
    case .journal: "journal"
    case .failed: "failed"
    }
  }

  /// Converts an error of a data source to the error to show to the user.
  public init(_ error: any Error) {
    switch error {
    case let error as StoreError: self = error
    case is CancellationError: self = .cancelled
    case is CoreError.NotFound: self = .noEntry
    case is CoreError.QueryNotSupported: self = .unsupported
    default: self = .failed(String(describing: error))
    }
  }
}
