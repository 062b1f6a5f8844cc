import Harmony

extension LawBook {
  /// Checks single values.
  mutating func checkValues() async throws {
    let source = try fixture.make()
    await expect("get of an absent key is NotFound", source.get("a"), .notFound)
    await expect("an empty source answers no values", source.getAll(AllObjectsQuery()), .value([]))
    await expect("put answers the value", source.put(first, forId: "a"), .value(first))
    await expect("get after put answers the value", source.get("a"), .value(first))
    await expect("put replaces the value", source.put(second, forId: "a"), .value(second))
    await expect("get answers the newest value", source.get("a"), .value(second))
    await expect("another key is another entry", source.get("A"), .notFound)
    await expectDone("delete succeeds", source.delete("a"))
    await expect("get after delete is NotFound", source.get("a"), .notFound)
    await expectDone("delete of an absent key succeeds", source.delete("a"))
    for key in ["", ".", "a.b", "ü/é", "a b", "%2F", "..", "allObject", "\u{1F980}"] {
      await expect("any text is a key: \(key)", source.put(third, forId: key), .value(third))
      await expect("any text is found again: \(key)", source.get(key), .value(third))
      await expectDone("any text is deleted: \(key)", source.delete(key))
    }
    await expect("a number is its text", source.put(first, forId: 7), .value(first))
    await expect("a text is its number", source.get("7"), .value(first))
  }

  /// Checks several keys in one call.
  mutating func checkMany() async throws {
    let source = try fixture.make()
    let ids = IdsQuery(["b", "a"])
    await expect("put of many", source.putAll([second, first], in: ids), .value([second, first]))
    await expect("many are single values", source.get("b"), .value(second))
    await expect(
      "ids keep their order and duplicates", source.getAll(IdsQuery(["a", "b", "a"])),
      .value([first, second, first]))
    await expect("no ids, no values", source.getAll(IdsQuery([String]())), .value([]))
    await expect("a missing id is NotFound", source.getAll(IdsQuery(["a", "x"])), .notFound)
    await expect(
      "many need as many values", source.putAll([first], in: ids), .illegalArgument)
    await source.putThird(third, "k")
    let all = await Outcome(source.getAll(AllObjectsQuery()))
    if !isPermutation(all, of: [first, second, third]) {
      await expect(
        "everything is answered", source.getAll(AllObjectsQuery()),
        .value([first, second, third]))
    }
    await expectDone("delete of many", source.delete(IdsQuery(["a", "k", "x"])))
    await expect("deleted with many", source.get("a"), .notFound)
    await expect("not deleted with many", source.get("b"), .value(second))
    await expectDone("delete of everything", source.delete(AllObjectsQuery()))
    await expect("everything is gone", source.getAll(AllObjectsQuery()), .value([]))
    await expect("each is gone", source.get("b"), .notFound)
  }

  private func isPermutation(_ outcome: Outcome<[T]>, of expected: [T]) -> Bool {
    guard !fixture.isOrdered, case .value(var values) = outcome else { return false }
    for value in expected {
      guard let index = values.firstIndex(of: value) else { return false }
      values.remove(at: index)
    }
    return values.isEmpty
  }
}

extension AnyDataSource {
  /// Writes a value and waits for the end of the write.
  fileprivate func putThird(_ value: T, _ key: String) async {
    _ = try? await put(value, forId: key).get()
  }
}
