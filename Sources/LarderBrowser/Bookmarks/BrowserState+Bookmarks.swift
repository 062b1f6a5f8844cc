import LarderModel

extension BrowserState {
  /// Sets or removes the bookmark of the selected key.
  mutating func toggleBookmark() -> Effects {
    guard let model = keys, let key = model.selected?.key,
      let place = place(of: model.store.reference)
    else { return [] }
    let isKept = !model.bookmarks.contains(key)
    if isKept { keys?.bookmarks.insert(key) } else { keys?.bookmarks.remove(key) }
    tabs.changeLists(of: model.store.reference) { [marked = keys?.bookmarks ?? []] in
      $0.bookmarks = marked
    }
    say(
      isKept
        ? Messages.bookmarked(text(of: key), list: settings.bindings.call("bookmarks"))
        : Messages.bookmarkRemoved)
    return [
      SetItem(
        item: Bookmark(place: place, key: key), isKept: isKept, token: newToken())
    ]
  }

  /// Opens the prompt for choosing a bookmark of the store, or goes to the bookmark with the given
  /// name.
  mutating func askForBookmark(_ typed: String) -> Effects {
    guard let model = keys else { return [] }
    guard !model.bookmarks.isEmpty else {
      say(Messages.noBookmarks(bookmark: settings.bindings.call("bookmark")), .warning)
      return []
    }
    let names = model.bookmarks.sorted().map { text(of: $0) }
    overlay = .prompt(PromptModel(BookmarkPrompt(names: names), text: typed))
    return typed.isEmpty ? [] : submit()
  }

  /// Goes to the chosen bookmark.
  mutating func goToBookmark(_ prompt: PromptModel) -> Effects {
    let typed = prompt.buffer.text
    guard let name = prompt.chosenName ?? prompt.suggestions.first?.name,
      let key = keys?.bookmarks.first(where: { text(of: $0).hasBytes(of: typed) })
        ?? keys?.bookmarks.first(where: { text(of: $0).hasBytes(of: name) })
    else {
      say(Messages.noBookmark(list: settings.bindings.call("bookmarks")), .warning)
      return []
    }
    return goToAnyKey(key)
  }
}
