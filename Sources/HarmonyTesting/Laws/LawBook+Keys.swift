import Harmony

extension LawBook {
  /// Checks listing, counting and selecting by keys.
  mutating func checkKeys() async throws {
    let source = try fixture.make()
    await expect("no keys at first", source.getKeys(AllObjectsQuery()), .value([]))
    // In the order of UTF-8, uppercase letters come before lowercase ones, and `a.b` before `ab`.
    let keys = ["A", "a", "a.b", "a.c", "ab", "b", "\u{E9}", "\u{10FFFF}"]
    for (index, key) in keys.enumerated().reversed() {
      let value = fixture.samples[index % fixture.samples.count]
      await expect("put of \(key)", source.put(value, forId: key), .value(value))
    }
    await expect("all keys in order", source.getKeys(AllObjectsQuery()), .value(keys))
    await expect("the number of keys", source.countKeys(AllObjectsQuery()), .value(keys.count))
    for (name, query) in selections {
      let expected = Self.selected(query.selection, of: keys)
      await expect("keys of \(name)", source.getKeys(query), .value(expected))
      await expect("number of \(name)", source.countKeys(query), .value(expected.count))
      let values = expected.compactMap { keys.firstIndex(of: $0) }
        .map { fixture.samples[$0 % fixture.samples.count] }
      await expect("values of \(name)", source.getAll(query), .value(values))
    }
    await expect("keys of one key", source.getKeys(IdQuery("a")), .notSupported)
    await expectDone("delete of a prefix", source.delete(KeyPrefixQuery("a.")))
    await expect(
      "keys beside a deleted prefix", source.getKeys(KeyPrefixQuery("a")), .value(["a", "ab"]))
    await expect("a key of a deleted prefix", source.get("a.b"), .notFound)
    await checkSpellings(source)
  }

  /// Checks that canonically equivalent keys are different.
  private mutating func checkSpellings(_ source: AnyDataSource<T>) async {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    await expectDone("delete of a key", source.delete(composed))
    await expect("put under one spelling", source.put(first, forId: decomposed), .value(first))
    await expect("get under the other spelling", source.get(composed), .notFound)
    await expect("put under the other", source.put(second, forId: composed), .value(second))
    await expect("get under the first", source.get(decomposed), .value(first))
    await expectDone("delete of both", source.delete(IdsQuery([composed, decomposed])))
    await expect("get under one spelling after that", source.get(composed), .notFound)
    await expect("get under the other after that", source.get(decomposed), .notFound)
  }

  private var selections: [(String, any KeySelectionQuery)] {
    [
      ("a prefix with its dot", KeyPrefixQuery("a.")),
      ("a prefix", KeyPrefixQuery("a")),
      ("the empty prefix", KeyPrefixQuery("")),
      ("the last prefix", KeyPrefixQuery("\u{10FFFF}")),
      ("a range", KeyRangeQuery(from: "a", upTo: "ab")),
      ("a range without keys", KeyRangeQuery(from: "b", upTo: "a")),
      ("a range up to a key", KeyRangeQuery(upTo: "a.b")),
      ("the first page", KeyPageQuery(limit: 3)),
      ("the next page", KeyPageQuery(after: "a.b", limit: 3)),
      ("a page after no key", KeyPageQuery(after: "a.bb", limit: 2)),
      ("a page of a range", KeyPageQuery(KeyRange(prefix: "a"), after: "a.c", limit: 9)),
      ("the last page", KeyPageQuery(limit: 2, isDescending: true)),
      ("the page before", KeyPageQuery(after: "b", limit: 2, isDescending: true)),
      ("an empty page", KeyPageQuery(limit: 0)),
      ("less than an empty page", KeyPageQuery(limit: -1)),
    ]
  }

  private static func selected(_ selection: KeySelection, of keys: [String]) -> [String] {
    let part = keys.filter { key in
      let scalars = { (text: String) in text.unicodeScalars.map(\.value) }
      let isBefore = { (left: String, right: String) in
        scalars(left).lexicographicallyPrecedes(scalars(right))
      }
      let range = selection.range
      if let bound = range.lowerBound, isBefore(key, bound) { return false }
      if let bound = range.upperBound, !isBefore(key, bound) { return false }
      guard let after = selection.after else { return true }
      return selection.isDescending ? isBefore(key, after) : isBefore(after, key)
    }
    let ordered = selection.isDescending ? part.reversed() : part
    return Array(ordered.prefix(max(selection.limit ?? ordered.count, 0)))
  }
}
