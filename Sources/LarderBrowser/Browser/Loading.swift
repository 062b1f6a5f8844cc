package import LarderModel

/// Something that comes from a store, in one of the states it can be in.
package enum Loading<Value: Sendable & Equatable>: Sendable, Equatable {
  /// Nothing was asked for.
  case idle
  /// Asked for, not here yet.
  case running
  /// Here.
  case loaded(Value)
  /// It could not be had.
  case failed(StoreError)

  /// Why it could not be had.
  package var failure: StoreError? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// The thing, once it is here.
  package var value: Value? {
    if case .loaded(let value) = self { value } else { nil }
  }
}
