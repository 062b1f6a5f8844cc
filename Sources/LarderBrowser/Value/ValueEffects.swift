package import LarderModel
package import LarderFormats
import Harmony

extension EffectSlot {
  static let entry = EffectSlot("entry", isOfTab: true)
  static let inside = EffectSlot("inside", isOfTab: true)
  static let value = EffectSlot("value", isOfTab: true)
}

/// Where an entry is read from.
package enum ReadPath: Sendable, Equatable {
  /// The store, or the cache over it if the browser was told to look through one.
  case usual
  /// The store itself; where reads go through the cache, what was read takes its place there.
  case fresh
  /// What the cache holds, and nothing else.
  case cacheOnly
  /// The cache, which asks the store for what it does not have.
  case cache
  /// The store, for a user who has asked to see the value although it is a secret.
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

/// Reads what takes a while of a value: the structure that it holds.
package struct ReadInside: BrowserEffect {
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

/// Does something with the rows of a value that takes a while.
package struct WorkOnValue: BrowserEffect {
  package let model: ValueModel
  package let job: ValueJob
  package let ticket: Ticket?
  package var slot: EffectSlot? { .value }

  /// The value with its rows as they are then, and what a search has come to.
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
  /// Reads an entry as far as somebody may see it.
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
        throw StoreError.notFound("not cached; Enter reads it through the cache")
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
