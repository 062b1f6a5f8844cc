package import LarderModel
package import Foundation
package import Harmony

extension EffectRunner {
  /// The external dependencies of the runner.
  package struct Environment: Sendable {
    /// Detects the type of a location, as typed by the user, and opens it.
    package var open: @Sendable (String) async throws -> OpenStore
    /// Opens a location with the password that the user has entered for it.
    package var openWithPassword:
      @Sendable (_ location: String, _ password: String) async throws -> OpenStore
    /// The clock of the caches.
    package var clock: any CacheClock
    /// Suspends the current task for a duration.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// The TTL of cached values.
    package var timeToLive: Duration
    /// Whether values are read through the cache even while it is not shown.
    package var readsThroughCache: Bool
    /// The storage for drafts, or `nil` to leave no traces.
    package var drafts: DraftStorage?
    /// The storage for bookmarks, or `nil` to leave no traces.
    package var bookmarks: BookmarkStorage?
    /// The storage for named filters, or `nil` to leave no traces.
    package var filters: FilterStorage?
    /// The storage for the arrangements of tables, or `nil` to leave no traces.
    package var grids: GridStorage?
    /// The writer for exported files, or `nil` if there is none.
    package var files: FileWriter?
    /// The user's own editor, which has the terminal while it runs.
    package var editor: ExternalEditorService

    /// Returns the first files and folders, in order, whose paths have a prefix.
    package var paths: @Sendable (String) async -> [String] = { _ in [] }
    /// Returns the current date.
    package var date: @Sendable () -> Date = { Date() }

    package init(
      open: @escaping @Sendable (String) async throws -> OpenStore,
      clock: any CacheClock = MonotonicClock(),
      sleep: @escaping @Sendable (Duration) async throws -> Void,
      timeToLive: Duration = .seconds(300), readsThroughCache: Bool = false,
      drafts: DraftStorage? = nil, bookmarks: BookmarkStorage? = nil, files: FileWriter? = nil,
      editor: ExternalEditorService = .none
    ) {
      self.drafts = drafts
      self.bookmarks = bookmarks
      self.files = files
      self.editor = editor
      self.open = open
      openWithPassword = { location, _ in try await open(location) }
      self.clock = clock
      self.sleep = sleep
      self.timeToLive = timeToLive
      self.readsThroughCache = readsThroughCache
    }
  }
}
