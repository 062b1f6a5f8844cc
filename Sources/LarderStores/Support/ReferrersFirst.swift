import LarderCore

/// Takes items one by one, each after those of them that refer to it.
struct ReferrersFirst<Item> {
  private var items: [EntryKey: Item] = [:]
  private var order: [EntryKey] = []

  init(_ items: [Item], _ key: (Item) -> EntryKey) {
    for item in items where self.items.updateValue(item, forKey: key(item)) == nil {
      order.append(key(item))
    }
  }

  /// Takes the items.
  ///
  /// Of each it is asked once or twice what refers to it: before those that do are taken, and after.
  ///
  /// - Parameters:
  ///   - isFree: Whether nothing refers to an item.
  ///   - referrers: The keys of what refers to an item and may be among the items.
  ///   - take: Takes an item to which nothing refers.
  /// - Returns: The items that something refers to still, in the order that they had.
  /// - Throws: What the closures throw.
  func take(
    isFree: (EntryKey) throws -> Bool, referrers: (EntryKey) throws -> [EntryKey],
    _ take: (Item) throws -> Void
  ) throws -> [Item] {
    var waiting = items
    var isOpen: Set<EntryKey> = []
    for first in order {
      var stack = [first]
      while let key = stack.last {
        guard let item = waiting[key] else {
          stack.removeLast()
          continue
        }
        if try isFree(key) {
          try take(item)
          waiting[key] = nil
        } else if isOpen.insert(key).inserted {
          stack += try referrers(key).filter { waiting[$0] != nil && !isOpen.contains($0) }
          continue
        }
        stack.removeLast()
      }
    }
    return order.compactMap { waiting[$0] }
  }
}
