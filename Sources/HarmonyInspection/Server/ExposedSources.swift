package import Foundation
package import Harmony

/// The sources that are shown, by their names.
///
/// Everything here can be called from any thread.
package final class ExposedSources: Sendable {
  /// By the bytes of their names, of which two may be the same characters.
  private let sources = Locked<[[UInt8]: ExposedSource]>([:])

  package init() {}

  /// Shows a source of values of any type, as JSON, in place of what had the name before.
  package func expose<Source>(_ source: Source, as name: String, isWritable: Bool)
  where Source: GetDataSource & PutDataSource & DeleteDataSource, Source.T: Codable {
    add(ExposedSource(source, name, isWritable: isWritable, .json))
  }

  /// Shows a source of texts, in place of what had the name before.
  package func expose<Source>(_ source: Source, as name: String, isWritable: Bool)
  where Source: GetDataSource & PutDataSource & DeleteDataSource, Source.T == String {
    add(ExposedSource(source, name, isWritable: isWritable, .text))
  }

  /// Shows a source of data, in place of what had the name before.
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

  /// Shows a source no longer.
  package func conceal(_ name: String) {
    let old = sources.withLock { $0.removeValue(forKey: Array(name.utf8)) }
    withExtendedLifetime(old) {}
  }

  /// Shows none any more.
  package func concealAll() {
    let old = sources.withLock { sources in
      defer { sources = [:] }
      return sources
    }
    withExtendedLifetime(old) {}
  }

  /// What a request is answered with.
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
