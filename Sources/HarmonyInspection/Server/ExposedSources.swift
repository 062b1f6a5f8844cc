package import Foundation
package import Harmony

/// The exposed sources by name.
///
/// All methods may be called from any thread.
package final class ExposedSources: Sendable {
  /// Keyed by bytes, because canonically equivalent names are distinct.
  private let sources = Locked<[[UInt8]: ExposedSource]>([:])

  package init() {}

  /// Exposes a source of `Codable` values as JSON, replacing any source of that name.
  package func expose<Source>(_ source: Source, as name: String, isWritable: Bool)
  where Source: GetDataSource & PutDataSource & DeleteDataSource, Source.T: Codable {
    add(ExposedSource(source, name, isWritable: isWritable, .json))
  }

  /// Exposes a source of strings, replacing any source of that name.
  package func expose<Source>(_ source: Source, as name: String, isWritable: Bool)
  where Source: GetDataSource & PutDataSource & DeleteDataSource, Source.T == String {
    add(ExposedSource(source, name, isWritable: isWritable, .text))
  }

  /// Exposes a source of data, replacing any source of that name.
  package func expose<Source>(_ source: Source, as name: String, isWritable: Bool)
  where Source: GetDataSource & PutDataSource & DeleteDataSource, Source.T == Data {
    add(ExposedSource(source, name, isWritable: isWritable, .data))
  }

  private func add(_ source: ExposedSource) {
    let old = sources.withLock {
      $0.updateValue(source, forKey: Array(source.facts.name.utf8))
    }
    withExtendedLifetime(old) {}
  }

  /// Stops exposing a source.
  package func conceal(_ name: String) {
    let old = sources.withLock { $0.removeValue(forKey: Array(name.utf8)) }
    withExtendedLifetime(old) {}
  }

  /// Stops exposing all sources.
  package func concealAll() {
    let old = sources.withLock { sources in
      defer { sources = [:] }
      return sources
    }
    withExtendedLifetime(old) {}
  }

  /// Returns the answer to a request.
  func answer(
    _ request: InspectionRequest, _ limits: InspectionLimits
  ) async throws -> InspectionAnswer {
    if request.action == .sources {
      var answer = InspectionAnswer()
      answer.sources = sources.withLock { $0.values.map(\.facts) }.sorted {
        $0.name.isOrderedBefore($1.name)
      }
      return answer
    }
    let name = request.source ?? ""
    guard let source = sources.withLock({ $0[Array(name.utf8)] }) else {
      throw InspectionError.unknownSource(name)
    }
    return try await source.answer(request, limits)
  }
}
