import Harmony
import LarderDocuments
import LarderModel

// The sentences about the members of JSON, property lists and preferences. Each starts in lower
// case and has no final full stop.

// MARK: Keys

extension DocumentError {
  static let notPath = Self("the key is neither a name, an index nor a path")

  static func trailingSlash(_ path: [DocumentStep]) -> Self {
    Self(
      "it ends with a slash; the member with an empty name is "
        + EntryKey(path: path).notation(.typed))
  }

  static func leadingSlash(_ obstacle: String, _ key: EntryKey) -> Self {
    Self("\(obstacle); for a name that starts with a slash, type \(key.exactPath.notation(.typed))")
  }

  static func notDeleted(_ key: EntryKey, _ obstacle: String) -> Self {
    Self("\(key.spoken) cannot be deleted: \(obstacle)")
  }

  static func repeatedName(_ name: String, _ keys: String) -> Self {
    Self("\(name) occurs more than once; its keys are \(keys)", isRefusal: true)
  }
}

extension Messages {
  static let wholeFile = "the whole file"

  static func nothing(at name: String) -> String {
    "there is nothing at \(name); add its parents first, one level at a time"
  }

  static func noMembers(_ name: String, _ type: StoredType) -> String {
    "\(name) is of type \(type.rawValue), which has no members"
  }

  /// Returns the error for a name in an array; an empty path is that of the root.
  static func notIndex(in path: String) -> String {
    "\(path.isEmpty ? "the root" : path) is an array: use an index from 0, or - to append"
  }

  static func quotedName(_ name: String) -> String {
    "to use parentheses in a name, quote it: \(JSONText.quote(name))"
  }
}

// MARK: Reading

extension CoreError.NotFound {
  static func entry(_ key: EntryKey, in path: String) -> Self {
    Self("\(path) has no entry \(key.spoken)")
  }
}

extension StoreError {
  static func notShown(_ key: EntryKey, of path: String, _ error: DocumentError) -> Self {
    let sentence = "\(key.spoken) of \(path) cannot be shown: \(error.description)"
    return error.isRefusal ? .notSupported(sentence) : .failed(sentence)
  }

  static func unparsable(_ path: String, as format: String, _ error: DocumentError) -> Self {
    .corrupt("\(path) is not \(format): \(error.description)")
  }
}

// MARK: Writing

extension StoreError {
  static func overlapping(_ key: EntryKey, _ other: EntryKey) -> Self {
    .failed(
      "\(key.spoken) and \(other.spoken) overlap: one is inside the other, or they are the same; "
        + "nothing was written")
  }

  static func notRenamed(_ key: EntryKey, _ obstacle: String) -> Self {
    .failed("\(key.spoken) cannot be renamed: \(obstacle); nothing was written")
  }

  static func notMoved(_ key: EntryKey, to newKey: EntryKey) -> Self {
    .failed(
      "\(key.spoken) cannot be renamed to \(newKey.spoken): a rename changes only the last name of "
        + "a path; nothing was renamed")
  }

  static func unchanged(_ path: String, _ error: DocumentError) -> Self {
    .failed("\(path) cannot be changed: \(error.description); nothing was written")
  }

  /// Returns the error for a change that a document cannot store.
  static func notChanged(_ key: EntryKey?, of path: String, _ reason: String) -> Self {
    .notSupported(
      "\(path) cannot store \(key?.spoken ?? "this change"): \(reason); nothing was written")
  }

  static func notWritten(_ key: EntryKey, to path: String, _ error: DocumentError) -> Self {
    .notSupported("\(key.spoken) cannot be written to \(path): \(error.description)")
  }

  static func notWritten(_ path: String, _ reason: String) -> Self {
    .readOnly("\(path) cannot be written: \(reason); nothing was written")
  }

  static func wouldBeUnreadable(_ path: String, _ error: DocumentError) -> Self {
    .failed(
      "this change would make \(path) unreadable: \(error.description); nothing was written")
  }

  static func keepsChanging(_ path: String) -> Self {
    .busy("another program keeps writing to \(path); nothing was written. Try again")
  }
}
