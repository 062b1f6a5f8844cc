package import LarderCore

extension StoreKind {
  /// A value as a store of the kind answers with it once it is written: a file does not say of what
  /// type its bytes were, and it has to be told of what is there whether this is what was written.
  package func asKept(_ value: StoredValue) -> StoredValue {
    self == FolderKind.kind ? FolderReader.asRead(value) : value
  }
}
