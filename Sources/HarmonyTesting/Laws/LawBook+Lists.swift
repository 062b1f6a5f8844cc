import Harmony

extension LawBook {
  /// Checks lists under single keys.
  mutating func checkLists() async throws {
    let source = try fixture.make()
    let list = [second, first, second]
    await expect("an absent list is NotFound", source.getAll("l"), .notFound)
    await expect("putAll answers the list", source.putAll(list, forId: "l"), .value(list))
    await expect("getAll answers the list", source.getAll("l"), .value(list))
    await expect("a list is not a value", source.get("l"), .notFound)
    await expect("an empty list is a list", source.putAll([], forId: "e"), .value([]))
    await expect("an empty list is found", source.getAll("e"), .value([]))
    if fixture.isOrdered {
      await expect("a value beside lists", source.put(third, forId: "f"), .value(third))
      await expect(
        "lists are part of everything", source.getAll(AllObjectsQuery()), .value([third] + list))
    }
    await expect("a value replaces a list", source.put(first, forId: "l"), .value(first))
    await expect("the list is gone", source.getAll("l"), .notFound)
    await expect("a list replaces a value", source.putAll(list, forId: "l"), .value(list))
    await expect("the value is gone", source.get("l"), .notFound)
    await expectDone("delete of a list", source.delete("l"))
    await expect("the list is deleted", source.getAll("l"), .notFound)
    await expectDone("delete of everything", source.delete(AllObjectsQuery()))
    await expect("the empty list is deleted", source.getAll("e"), .notFound)
  }
}
