extension CoreError.NotFound {
  /// A list has the place of the value that was asked for.
  @usableFromInline
  package static var listForValue: Self {
    Self("Not Found: there is a list, which getAll reads")
  }

  /// A value has the place of the list that was asked for.
  @usableFromInline
  package static var valueForList: Self {
    Self("Not Found: there is a single value, which get reads")
  }
}
