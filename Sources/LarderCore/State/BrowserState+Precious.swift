import Foundation

extension BrowserState {
  /// Whether the store on screen is one that the person wants to be warned of.
  ///
  /// In patterns only `*` and `?` stand for other letters than themselves.
  package var isPrecious: Bool {
    guard !precious.isEmpty, let store = keys?.store,
      let summary = stores.item(store.reference.location)?.summary.value
    else { return false }
    var paths = [summary.location.path, summary.resolvedPath, store.location.path]
    // A store inside a directory of several has a path of its own.
    if store.location.path.utf8.starts(with: summary.location.path.utf8) {
      let inside = store.location.path.utf8.dropFirst(summary.location.path.utf8.count)
      paths.append(summary.resolvedPath.map { $0 + String(lossy: inside) })
    }
    return precious.contains { pattern in
      let literal = pattern.replacing("\\", with: "\\\\").replacing("[", with: "\\[")
      return paths.contains { path in path.map { fnmatch(literal, $0, 0) == 0 } ?? false }
    }
  }
}
