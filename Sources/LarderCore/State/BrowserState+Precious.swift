import Foundation

extension BrowserState {
  /// Whether the store on screen is one that the person wants to be warned of.
  ///
  /// In patterns only `*` and `?` stand for other letters than themselves.
  package var isPrecious: Bool {
    guard !precious.isEmpty, let reference = keys?.store.reference,
      let summary = stores.item(reference.location)?.summary.value
    else { return false }
    let paths = [summary.location.path, summary.resolvedPath].compactMap { $0 }
    return precious.contains { pattern in
      let literal = pattern.replacing("\\", with: "\\\\").replacing("[", with: "\\[")
      return paths.contains { fnmatch(literal, $0, 0) == 0 }
    }
  }
}
