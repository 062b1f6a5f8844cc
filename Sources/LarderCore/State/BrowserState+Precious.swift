import Foundation

extension BrowserState {
  /// Whether the store on screen is one that the person wants to be warned of.
  package var isPrecious: Bool {
    guard !precious.isEmpty, let reference = keys?.store.reference,
      let summary = stores.item(reference.location)?.summary.value
    else { return false }
    let paths = [summary.location.path, summary.resolvedPath].compactMap { $0 }
    return precious.contains { pattern in paths.contains { fnmatch(pattern, $0, 0) == 0 } }
  }
}
