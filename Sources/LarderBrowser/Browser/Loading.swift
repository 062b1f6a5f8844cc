package import LarderModel

/// A value that is loaded from a store, in its current state.
package enum Loading<Value: Sendable & Equatable>: Sendable, Equatable {
  /// Nothing was requested.
  case idle
  /// The value was requested.
  case running
  /// The value has been loaded.
  case loaded(Value)
  /// The value could not be loaded.
  case failed(StoreError)

  /// The error, or `nil` if loading has not failed.
  package var failure: StoreError? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// The value, or `nil` if it has not been loaded.
  package var value: Value? {
    if case .loaded(let value) = self { value } else { nil }
  }
}
