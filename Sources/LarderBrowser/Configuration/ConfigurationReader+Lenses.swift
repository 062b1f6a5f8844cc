import LarderModel

extension ConfigurationReader {
  private static let lensMembers = ["table", "key", "columns", "value", "title", "expires", "unit"]

  /// Reads the user's descriptions of tables.
  mutating func takeLenses(_ node: ConfigurationNode) {
    guard let members = node.members else {
      return add(
        "this has to be an object of names, such as "
          + "{\"thumbs\": {\"table\": \"t\", \"key\": \"url\", \"value\": \"body\"}}",
        at: node, "lenses")
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
      add("this has to be an object with table and key", at: node, place)
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
          otherwise: "the names are \(Self.lensMembers.joined(separator: ", "))")
        add("unknown name; \(advice)", at: node, "\(place).\(part)")
      } else if let list, !list.isEmpty, !list.contains(""), isList || node.text != nil {
        lists[part] = list
        texts[part] = node.text
      } else {
        add(
          "this has to be \(isList ? "a column or a list of columns" : "text")", at: node,
          "\(place).\(part)")
      }
    }
    let unit = texts["unit"].flatMap(ExpiryUnit.init(rawValue:))
    if let text = texts["unit"], unit == nil {
      let units = ExpiryUnit.allCases.map(\.rawValue).joined(separator: ", ")
      add("“\(text)” is not a unit; the units are \(units)", at: node, "\(place).unit")
    }
    if texts["unit"] != nil, texts["expires"] == nil {
      add("a unit needs a column that expires", at: node, "\(place).unit")
    }
    if let column = texts["expires"], lists["key"]?.contains(column) == true {
      add("a column of the key cannot be the expiry", at: node, "\(place).expires")
    }
    guard let table = texts["table"], let key = lists["key"] else {
      add("the table or the key is missing; both are needed", at: node, place)
      return nil
    }
    var rule = LensRule(
      name: name, table: table, key: key, place: "line \(node.line) of the settings")
    rule.columns = lists["columns"] ?? []
    rule.value = texts["value"]
    rule.title = texts["title"]
    rule.expires = texts["expires"]
    rule.unit = unit
    return rule
  }
}
