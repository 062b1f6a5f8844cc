import LarderModel
import LarderFiles

/// Path patterns for protected stores.
package enum ProtectedPaths {
  /// Returns the forms of a pattern to compare paths with: the original, and one with links
  /// resolved in the part before its first `*` or `?`.
  package static func forms(_ pattern: String) -> [String] {
    let pattern = HomePath.expanded(pattern)
    let fixed = pattern.prefix { $0 != "*" && $0 != "?" }
    let isWhole = fixed.endIndex == pattern.endIndex
    guard let end = isWhole ? fixed.endIndex : fixed.lastIndex(of: "/"),
      let resolved = ResolvedPath.of(isWhole ? pattern : String(pattern[...end]))
    else { return [pattern] }
    let rest = isWhole ? "" : pattern[pattern.index(after: end)...]
    let head = isWhole || resolved.hasSuffix("/") ? resolved : resolved + "/"
    let form = head + rest
    return form.hasBytes(of: pattern) ? [pattern] : [pattern, form]
  }
}
