import LarderModel

extension TableLens {
  /// Creates a lens that the user describes in the settings.
  init(_ rule: LensRule) {
    self.init(
      program: "\(rule.name) (\(rule.place))", table: rule.table, columns: rule.required,
      key: rule.key)
    value = rule.value
    title = rule.title
    expiry = rule.expires.map { Expiry(column: $0, unit: rule.unit) }
  }
}

extension LensRule {
  /// Returns the reason why the lens is not the one of a layout of its table, as a clause.
  func obstacle(in layout: TableLayout) -> String? {
    guard layout.choice == .recognized else { return nil }
    if let lens = layout.lens {
      return lens.program == TableLens(self).program
        ? nil : Messages.otherLens(lens.program)
    }
    let names = layout.keyColumns.map(\.name) + layout.values.map(\.storedName)
    let missing = required.subtracting(names).sorted()
    return missing.isEmpty
      ? Messages.notUnique(key)
      : Messages.noColumns(missing)
  }
}
