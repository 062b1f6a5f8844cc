import LarderFiles
package import LarderCore

extension BookmarkKeeper {
  /// Keeps bookmarks in the folder for a person's state, in files that nobody else may read.
  ///
  /// The folder is made with the first bookmark.
  package static func inState(environment: [String: String]) -> BookmarkKeeper {
    BookmarkKeeper(StateFolder.source("bookmarks", environment: environment))
  }
}
