import Harmony

extension ExposedSource {
  /// Returns the answer to a request.
  func answer(
    _ request: InspectionRequest, _ limits: InspectionLimits
  ) async throws -> InspectionAnswer {
    try checkRight(request)
    defer { if request.action.isChange { forgetKeys() } }
    var answer = InspectionAnswer()
    switch request.action {
    case .sources: throw InspectionError.misplacedList
    case .get: answer.value = try await source.get(try query(request)).getCancelling()
    case .getAll: answer.values = try await getAll(try selector(request), limits)
    case .put:
      answer.value = try await source.put(request.value, in: try query(request)).getCancelling()
    case .putAll:
      guard let values = request.values else { throw InspectionError.request(without: "values") }
      answer.values = try await source.putAll(values, in: try query(request)).getCancelling()
    case .delete: try await source.delete(try query(request)).getCancelling()
    case .keys:
      let wanted = try selection(request)
      let keys = try await keys(wanted, upTo: limits.entries)
      answer.keys = keys
      answer.isCut = isCut(wanted, after: keys.count, limits) ? true : nil
    case .count: answer.count = try await count(try selection(request))
    case .entries: try await list(try selection(request), request.preview, limits, &answer)
    case .entry:
      guard let entry = try await entry(try key(request)) else { throw CoreError.NotFound() }
      answer.entry = entry
    case .replace:
      try await replace(try key(request), with: request.value, expected: request.expected)
    case .statistics: answer.statistics = try requireCache().statistics()
    case .evict: answer.count = try requireCache().evict(request.query?.key) ? 1 : 0
    case .refresh: answer.value = try await requireCache().refresh(try key(request)).getCancelling()
    case .backing: answer.value = try await requireCache().backing(try key(request)).getCancelling()
    case .expire:
      answer.entry = try await expire(try key(request), request)
    case .exchange: answer.entry = try await exchange(try key(request), request)
    }
    return answer
  }

  private func checkRight(_ request: InspectionRequest) throws {
    guard facts.isWritable || !request.action.isChange else {
      throw InspectionError.readOnly(facts.name)
    }
  }

  private func selector(_ request: InspectionRequest) throws -> InspectionQuery {
    guard let query = request.query else { throw InspectionError.request(without: "query") }
    return query
  }

  private func query(_ request: InspectionRequest) throws -> any Query {
    try selector(request).query
  }

  private func key(_ request: InspectionRequest) throws -> String {
    guard let key = try selector(request).key else { throw InspectionError.request(without: "key") }
    return key
  }

  private func selection(_ request: InspectionRequest) throws -> KeySelection {
    guard let selection = try selector(request).selection else {
      throw InspectionError.request(without: "selection")
    }
    return selection
  }

  func requireCache() throws -> ExposedCache {
    guard let cache else { throw CoreError.NotImplemented.notCache(facts.name) }
    return cache
  }

  /// Returns all values, unless there are too many for one answer.
  private func getAll(
    _ selector: InspectionQuery, _ limits: InspectionLimits
  ) async throws -> [InspectedValue] {
    if let selection = selector.selection, let listing {
      let count = try await listing.countKeys(SelectionQuery(selection: selection)).getCancelling()
      guard count <= limits.entries else {
        throw InspectionError.tooLarge(limit: limits.messageSize)
      }
    }
    return try await source.getAll(selector.query).getCancelling()
  }

  /// Returns the keys of a selection, up to a maximum number.
  private func keys(_ selection: KeySelection, upTo most: Int) async throws -> [String] {
    var page = selection
    page.limit = min(selection.limit ?? most, most)
    return try await keys(page)
  }

  /// Whether there may be more selected entries than an answer lists.
  private func isCut(
    _ selection: KeySelection, after count: Int, _ limits: InspectionLimits
  ) -> Bool {
    count == limits.entries && selection.limit ?? .max > count
  }

  /// Lists entries with prefixes of their values, as many as fit into an answer.
  private func list(
    _ selection: KeySelection, _ preview: Int?, _ limits: InspectionLimits,
    _ answer: inout InspectionAnswer
  ) async throws {
    var entries: [InspectedEntry] = []
    // JSON may need six bytes for a character.
    var room = limits.messageSize / 8
    let keys = try await keys(selection, upTo: limits.entries)
    for key in keys {
      try Task.checkCancellation()
      var entry =
        try await entry(key) ?? InspectedEntry(key: key, value: nil, size: 0)
      entry.value = entry.value?.prefix(max(preview ?? 0, 0))
      room -= key.utf8.count + (entry.value?.size ?? 0) + 128
      if room < 0, !entries.isEmpty {
        answer.isCut = true
        break
      }
      entries.append(entry)
    }
    if isCut(selection, after: keys.count, limits) { answer.isCut = true }
    answer.entries = entries
  }
}

extension InspectionRequest.Action {
  /// Whether the action may change an entry.
  fileprivate var isChange: Bool {
    switch self {
    case .put, .putAll, .delete, .replace, .evict, .refresh, .expire, .exchange: true
    case .sources, .get, .getAll, .keys, .count, .entries, .entry, .statistics, .backing: false
    }
  }
}
