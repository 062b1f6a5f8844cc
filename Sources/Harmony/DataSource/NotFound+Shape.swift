extension CoreError.NotFound {
  /// The error for a value that was requested where a list is stored.
  @usableFromInline
  package static var listForValue: Self {
    Self("Not Found: there is a list, which getAll reads")
  }

  /// The error for a list that was requested where a value is stored.
  @usableFromInline
  package static var valueForList: Self {
    Self("Not Found: there is a single value, which get reads")
  }
}
