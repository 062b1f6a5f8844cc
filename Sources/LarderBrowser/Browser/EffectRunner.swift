import LarderModel
import LarderOperations
import Foundation
import Harmony

/// Runs effects and provides them with the open stores and external dependencies.
///
/// The runner does not use the terminal. All methods can be called from any task. When the task of
/// an effect is canceled, the effect ends early and so does its work in the store.
package struct EffectRunner: Sendable {
  /// A function that receives the actions of an effect, in order.
  package typealias Send = @Sendable (BrowserAction) async -> Void

  let environment: Environment
  let registry = StoreRegistry()

  package init(_ environment: Environment) {
    self.environment = environment
  }

  /// Runs an effect and then sends any warnings of the changed store.
  package func run(_ effect: some BrowserEffect, send: @escaping Send) async {
    await effect.run(by: self, reply: Replies(effect: effect, send: send))
    if let reference = effect.writtenStore { await reportWarnings(of: reference, send: send) }
  }

  /// Sends the warnings of a store about its last change.
  func reportWarnings(of reference: StoreReference, send: Send) async {
    let sentences = registry.store(reference)?.store.warnings?.take() ?? []
    guard !sentences.isEmpty else { return }
    await send(.warned(sentences.joined(separator: "; ")))
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
  /// The error, or `nil` for a success.
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
