package import LarderModel
package import Foundation
package import Harmony

extension EffectRunner {
  /// What the runner needs of the world.
  package struct Environment: Sendable {
    /// Recognises and opens a location, as it was typed.
    package var open: @Sendable (String) async throws -> OpenStore
    /// The clock of the timed caches.
    package var clock: any CacheClock
    /// Waits.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// How long a value that was read is fresh.
    package var timeToLive: Duration
    /// Whether values are read through the cache also while it is not looked at.
    package var readsThroughCache: Bool
    /// Keeps what is typed; nil where nothing may be left behind.
    package var drafts: DraftKeeper?
    /// Keeps bookmarks; nil where nothing may be left behind.
    package var bookmarks: BookmarkKeeper?
    /// Writes the files that a user asks for; nil where there are none.
    package var files: FileWriter?
    /// The user's own editor, which has the terminal while it works.
    package var editor: OutsideEditor

    /// Finds the files and folders whose paths begin with a text, the first ones in order.
    package var paths: @Sendable (String) async -> [String] = { _ in [] }
    /// The time of day.
    package var date: @Sendable () -> Date = { Date() }

    package init(
      open: @escaping @Sendable (String) async throws -> OpenStore,
      clock: any CacheClock = MonotonicClock(),
      sleep: @escaping @Sendable (Duration) async throws -> Void,
      timeToLive: Duration = .seconds(300), readsThroughCache: Bool = false,
      drafts: DraftKeeper? = nil, bookmarks: BookmarkKeeper? = nil, files: FileWriter? = nil,
      editor: OutsideEditor = .none
    ) {
      self.drafts = drafts
      self.bookmarks = bookmarks
      self.files = files
      self.editor = editor
      self.open = open
      self.clock = clock
      self.sleep = sleep
      self.timeToLive = timeToLive
      self.readsThroughCache = readsThroughCache
    }
  }
}
