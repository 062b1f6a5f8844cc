import LarderModel

extension ConfigurationReader {
  private static let lensMembers = ["table", "key", "columns", "value", "title", "expires", "unit"]

  /// Reads the user's descriptions of tables.
  mutating func takeLenses(_ node: ConfigurationNode) {
    guard let members = node.members else {
      return add(Messages.mustBeLenses, at: node, "lenses")
    }
    for (name, node) in members {
      let count = problems.count
      if let rule = lens(name, node), problems.count == count {
        configuration.lenses.append(rule)
      }
    }
  }

  private mutating func lens(_ name: String, _ node: ConfigurationNode) -> LensRule? {
    let place = "lenses.\(name)"
    guard let members = node.members else {
      add(Messages.mustBeLens, at: node, place)
      return nil
    }
    var texts: [String: String] = [:]
    var lists: [String: [String]] = [:]
    for (part, node) in members {
      let isList = part == "key" || part == "columns"
      let list = node.text.map { [$0] } ?? node.elements?.map { $0.text ?? "" }
      if !Self.lensMembers.contains(part) {
        let advice = SpellingSuggestion.advice(
          for: part, in: Self.lensMembers,
          otherwise: Messages.names(Self.lensMembers))
        add(Messages.unknown("name", advice), at: node, "\(place).\(part)")
      } else if let list, !list.isEmpty, !list.contains(""), isList || node.text != nil {
        lists[part] = list
        texts[part] = node.text
      } else {
        add(
          isList ? Messages.mustBeColumns : Messages.mustBeText, at: node, "\(place).\(part)")
      }
    }
    let unit = texts["unit"].flatMap(ExpiryUnit.init(rawValue:))
    if let text = texts["unit"], unit == nil {
      let units = Messages.units(ExpiryUnit.allCases.map(\.rawValue))
      add(Messages.noUnit(text, units), at: node, "\(place).unit")
    }
    if texts["unit"] != nil, texts["expires"] == nil {
      add(Messages.lonelyUnit, at: node, "\(place).unit")
    }
    if let column = texts["expires"], lists["key"]?.contains(column) == true {
      add(Messages.keyAsExpiry, at: node, "\(place).expires")
    }
    guard let table = texts["table"], let key = lists["key"] else {
      add(Messages.incompleteLens, at: node, place)
      return nil
    }
    var rule = LensRule(
      name: name, table: table, key: key, place: Messages.place(line: node.line))
    rule.columns = lists["columns"] ?? []
    rule.value = texts["value"]
    rule.title = texts["title"]
    rule.expires = texts["expires"]
    rule.unit = unit
    return rule
  }
}
