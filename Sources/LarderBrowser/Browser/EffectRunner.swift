import LarderModel
import LarderOperations
import Foundation
import Harmony

/// Runs effects, and gives them the stores that are open and what they need of the world.
///
/// Knows stores and clocks, but no terminal. Every method may be called from any task; an effect
/// ends early when its task is cancelled, and the work at the store with it.
package struct EffectRunner: Sendable {
  /// Takes the actions that an effect answers with, in order.
  package typealias Send = @Sendable (BrowserAction) async -> Void

  let environment: Environment
  let registry = StoreRegistry()

  package init(_ environment: Environment) {
    self.environment = environment
  }

  /// Runs an effect to its end, and passes on what its store has to say of the change.
  package func run(_ effect: some BrowserEffect, send: @escaping Send) async {
    await effect.run(by: self, reply: Replies(effect: effect, send: send))
    if let reference = effect.writtenStore { await tellRemarks(of: reference, send: send) }
  }

  /// Passes on what a store has to say of the change that it has just made.
  func tellRemarks(of reference: StoreReference, send: Send) async {
    let sentences = registry.store(reference)?.store.remarks?.take() ?? []
    guard !sentences.isEmpty else { return }
    await send(.remarked(sentences.joined(separator: "; ")))
  }

  func result<Value>(
    _ work: () async throws -> Value
  ) async -> Result<Value, StoreError> {
    do {
      return .success(try await work())
    } catch {
      return .failure(StoreError(error))
    }
  }

  func operation<Value>(
    _ work: () async throws -> Value
  ) async -> Result<Value, OperationFailure> {
    do {
      return .success(try await work())
    } catch {
      return .failure(OperationFailure(error))
    }
  }
}

extension Result {
  /// The error of a failure.
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
