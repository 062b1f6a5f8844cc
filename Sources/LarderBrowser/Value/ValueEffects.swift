package import LarderModel
package import LarderFormats
import Harmony

extension EffectSlot {
  static let entry = EffectSlot("entry", isOfTab: true)
  static let inside = EffectSlot("inside", isOfTab: true)
  static let value = EffectSlot("value", isOfTab: true)
}

/// The source that an entry is read from.
package enum ReadPath: Sendable, Equatable {
  /// The store, or its cache if larder was started to read through one.
  case usual
  /// The store itself, refreshing the cached entry if reads go through the cache.
  case fresh
  /// The content of the cache only.
  case cacheOnly
  /// The cache, which reads missing entries from the store.
  case cache
  /// The store, including the value of a secret, at the user's request.
  case revealing
}

/// Reads the selected entry.
package struct ReadEntry: BrowserEffect {
  package let store: StoreReference
  package let key: EntryKey
  package let path: ReadPath
  package let ticket: Ticket?
  package var slot: EffectSlot? { .entry }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(await runner.result { try await runner.read(key, in: store, through: path) })
  }

  package func receive(_ reply: Answer<Entry>, in state: inout BrowserState) -> Effects {
    state.entryRead(reply)
  }
}

/// Parses a value in the background.
package struct ParseValue: BrowserEffect {
  package let model: ValueModel
  package let ticket: Ticket?
  package var slot: EffectSlot? { .inside }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let read = await Background.runCancelling(isAlone: true) { isCancelled in
      var model = model
      return model.read(isCancelled: isCancelled) ? model : nil
    }
    guard let read = read ?? nil, !Task.isCancelled else { return }
    await reply(read)
  }

  package func receive(_ model: ValueModel, in state: inout BrowserState) -> Effects {
    state.insideRead(model)
  }
}

/// Decodes an image.
package struct DecodePicture: BrowserEffect {
  package let bytes: [UInt8]
  package let ticket: Ticket?
  package var slot: EffectSlot? { .inside }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let picture = await Background.runCancelling(isAlone: true) { isCancelled in
      PictureDecoder.decode(bytes, isCancelled: isCancelled)
    }
    guard let picture, !Task.isCancelled else { return }
    await reply(picture)
  }

  package func receive(_ picture: DecodedPicture, in state: inout BrowserState) -> Effects {
    state.value?.receive(picture)
    return []
  }
}

/// Runs a long operation on the rows of a value.
package struct RunValueJob: BrowserEffect {
  package let model: ValueModel
  package let job: ValueJob
  package let ticket: Ticket?
  package var slot: EffectSlot? { .value }

  /// The value with its new rows, and the result of a search.
  package struct Reply: Sendable {
    package var model: ValueModel
    package var finding: ValueFinding?

    package init(_ model: ValueModel, _ finding: ValueFinding? = nil) {
      self.model = model
      self.finding = finding
    }
  }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let done = await Background.runCancelling { isCancelled in
      var model = model
      let finding = model.perform(job, isCancelled: isCancelled)
      return Reply(model, finding)
    }
    guard let done, !Task.isCancelled else { return }
    await reply(done)
  }

  package func receive(_ reply: Reply, in state: inout BrowserState) -> Effects {
    state.valueWorked(reply.model, reply.finding)
  }
}

extension EffectRunner {
  /// Reads an entry, without the value of a secret unless `path` is `revealing`.
  func read(
    _ key: EntryKey, in reference: StoreReference, through path: ReadPath
  ) async throws -> Entry {
    let opened = try opened(reference)
    let query = EntryQuery(key, maximumSize: EntryQuery.usualMaximumSize, readsFiles: true)
    if opened.store.hidesValues {
      let entry = try await opened.store.source.get(query).getCancelling()
      return path == .revealing ? entry : entry.concealed
    }
    switch path {
    case .cacheOnly:
      guard let cached = opened.cache.inspect(query.key), let entry = cached.content.entry else {
        throw StoreError.notFound(Messages.notInCache)
      }
      return entry
    case .fresh where environment.readsThroughCache:
      return try await opened.cache.refresh(query).getCancelling()
    case .fresh, .revealing,
      .usual where !environment.readsThroughCache:
      return try await opened.store.source.get(query).getCancelling()
    case .usual, .cache: return try await opened.cache.get(query).getCancelling()
    }
  }
}
