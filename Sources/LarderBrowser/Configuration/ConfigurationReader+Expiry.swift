import LarderFormats
import LarderModel

extension ConfigurationReader {
  /// Reads the rules for finding expiry times.
  mutating func takeExpiry(_ node: ConfigurationNode) {
    guard let members = node.members else {
      return add(Messages.mustBeRules, at: node, "expiry")
    }
    for (pattern, node) in members {
      let name = "expiry.\(pattern)"
      let parts = pattern.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      guard let path = parts.first, path.hasPrefix("/") || path.hasPrefix("~/") else {
        add(Messages.mustBePath, at: node, name)
        continue
      }
      guard let choice = choice(node, name) else { continue }
      configuration.expiryRules.append(
        ExpiryRule(
          paths: [String(path)], collection: parts.count > 1 ? String(parts[1]) : nil,
          choice: choice, place: Messages.place(line: node.line)))
    }
  }

  private mutating func choice(_ node: ConfigurationNode, _ name: String) -> ExpiryChoice? {
    var choice = ExpiryChoice()
    if node.text == "none" {
      choice.isNone = true
      return choice
    }
    guard let members = node.members else {
      add(Messages.mustBeRule, at: node, name)
      return nil
    }
    var isWrong = members.isEmpty
    if isWrong {
      add(Messages.emptyRule, at: node, name)
    }
    for (part, node) in members {
      let place = "\(name).\(part)"
      guard let text = node.text, !text.isEmpty else {
        add(Messages.mustBeText, at: node, place)
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
            otherwise: Messages.units(units))
          add(Messages.noUnit(text, advice), at: node, place)
          isWrong = true
        }
      case "zone":
        choice.zone = ExpiryZone(text)
        if choice.zone == nil {
          add(Messages.noZone(text), at: node, place)
          isWrong = true
        }
      case "ttl":
        choice.timeToLive = Duration(words: text)
        if choice.timeToLive == nil {
          add(Messages.noDuration(text, Duration.hint(for: text)), at: node, place)
          isWrong = true
        }
      default:
        let advice = SpellingSuggestion.advice(
          for: part, in: ["column", "unit", "zone", "ttl"],
          otherwise: Messages.ruleNames)
        add(Messages.unknown("name", advice), at: node, place)
        isWrong = true
      }
    }
    return isWrong ? nil : choice
  }
}
