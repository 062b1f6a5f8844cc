import LarderFormats
import LarderModel
import Foundation

extension BrowserState {
  /// Whether the store on screen is protected.
  ///
  /// Patterns have only the wildcards `*` and `?`.
  package var isProtected: Bool { keys.map { isProtected($0.store.reference) } ?? false }

  /// Returns whether a store in an open location is protected.
  func isProtected(_ reference: StoreReference) -> Bool {
    guard !settings.protected.isEmpty, let summary = stores.item(reference.location)?.summary.value
    else {
      return false
    }
    let whole = [summary.location.path, summary.resolvedPath]
    // In a directory with several stores, each has its own path.
    var paths =
      whole + whole.map { path in reference.collection.flatMap { path?.appending("/" + $0) } }
    if let store = shownStore(reference) {
      paths.append(store.location.path)
      if store.location.path.utf8.starts(with: summary.location.path.utf8) {
        let inside = store.location.path.utf8.dropFirst(summary.location.path.utf8.count)
        paths.append(summary.resolvedPath.map { $0 + String(lossy: inside) })
      }
    }
    return settings.protected.contains { pattern in
      let literal = pattern.replacing("\\", with: "\\\\").replacing("[", with: "\\[")
      return paths.contains { path in path.map { fnmatch(literal, $0, 0) == 0 } ?? false }
    }
  }
}
