package import LarderModel

// The sentences about opening stores. Each starts in lower case and has no final full stop.

/// Clauses that become part of a sentence.
package enum OpeningMessages {
  /// The reason why a store is read-only if the user wants it.
  package static let openedReadOnly = "it was opened read-only"

  /// Returns the evidence for the kind of a location with a URL scheme.
  package static func scheme(_ name: String) -> String { "the location starts with \(name):" }
}

// MARK: Collections

extension StoreError {
  package static func noCollection(_ name: String, in path: String) -> Self {
    .cannotOpen("\(path) has no collection “\(name)”; open it without #NAME")
  }

  /// Returns the error for a missing collection, with the names of those that exist.
  package static func missing(_ noun: String, _ name: String, in path: String, of names: [String])
    -> Self
  {
    .cannotOpen(
      "\(path) has no \(noun) “\(name)”; it has \(names.listed())"
        + SpellingSuggestion.question(for: name, in: names))
  }

  package static func several(_ noun: String, in path: String, _ names: [String]) -> Self {
    .cannotOpen("\(path) has several \(noun); add #NAME for one of \(names.listed())")
  }

  package static func without(_ noun: String, in path: String) -> Self {
    .cannotOpen("\(path) has no \(noun)")
  }
}

// MARK: Opening

extension StoreError {
  package static func notOpened(_ path: String, _ reason: String) -> Self {
    .cannotOpen("\(path) cannot be opened: \(reason)")
  }

  package static func unreadable(_ path: String) -> Self { .cannotOpen("\(path) cannot be read") }

  package static func socket(_ path: String) -> Self {
    .cannotOpen(
      "\(path) is a socket; if a program exposes its sources there, open unix:\(path)")
  }

  package static func specialFile(_ path: String) -> Self {
    .cannotOpen("\(path) is neither a file nor a folder, so larder does not read it")
  }

  package static func empty(_ path: String) -> Self {
    .cannotOpen("\(path) is empty (0 bytes)")
  }

  package static func openedReadOnly(_ place: String) -> Self {
    .readOnly("\(place) was opened read-only; nothing was written")
  }
}

// MARK: Samples

extension StoreError {
  static func noSample(_ path: String, _ error: StoreError) -> Self {
    .failed("the sample \(path) cannot be created: \(error.message)")
  }
}
