import LarderFormats
import LarderModel

extension ConfigurationReader {
  /// Reads the rules for finding expiry times.
  mutating func takeExpiry(_ node: ConfigurationNode) {
    let form = "{\"~/app.db#sessions\": {\"column\": \"valid\", \"unit\": \"s\"}}"
    guard let members = node.members else {
      return add("this has to be an object of paths, such as \(form)", at: node, "expiry")
    }
    for (pattern, node) in members {
      let name = "expiry.\(pattern)"
      let parts = pattern.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      guard let path = parts.first, path.hasPrefix("/") || path.hasPrefix("~/") else {
        add("a path has to begin with / or ~/", at: node, name)
        continue
      }
      guard let choice = choice(node, name) else { continue }
      configuration.expiryRules.append(
        ExpiryRule(
          paths: [String(path)], collection: parts.count > 1 ? String(parts[1]) : nil,
          choice: choice, place: "line \(node.line) of the settings"))
    }
  }

  private mutating func choice(_ node: ConfigurationNode, _ name: String) -> ExpiryChoice? {
    var choice = ExpiryChoice()
    if node.text == "none" {
      choice.isNone = true
      return choice
    }
    guard let members = node.members else {
      add("this has to be \"none\", or an object with column, unit, zone or ttl", at: node, name)
      return nil
    }
    var isWrong = members.isEmpty
    if isWrong {
      add("nothing is set here; set column, unit, zone or ttl", at: node, name)
    }
    for (part, node) in members {
      let place = "\(name).\(part)"
      guard let text = node.text, !text.isEmpty else {
        add("this has to be text", at: node, place)
        isWrong = true
        continue
      }
      switch part {
      case "column": choice.column = text
      case "unit":
        choice.setUnit(text)
        let units = ExpiryChoice.unitWords
        if !units.contains(text) {
          let advice = SpellingSuggestion.advice(
            for: text, in: units.filter { $0.count > 2 },
            otherwise: "there are \(units.joined(separator: ", "))")
          add("“\(text)” is not a unit; \(advice)", at: node, place)
          isWrong = true
        }
      case "zone":
        choice.zone = ExpiryZone(text)
        if choice.zone == nil {
          add("“\(text)” is not a known time zone; give \(ExpiryZone.forms)", at: node, place)
          isWrong = true
        }
      case "ttl":
        choice.timeToLive = Duration(words: text)
        if choice.timeToLive == nil {
          let hint = Duration.hint(for: text)
          add("“\(text)” is not a duration such as 30s, 10m, 2h or 7d\(hint)", at: node, place)
          isWrong = true
        }
      default:
        let advice = SpellingSuggestion.advice(
          for: part, in: ["column", "unit", "zone", "ttl"],
          otherwise: "the names are column, unit, zone and ttl")
        add("unknown name; \(advice)", at: node, place)
        isWrong = true
      }
    }
    return isWrong ? nil : choice
  }
}
