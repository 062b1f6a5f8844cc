import LarderModel

extension KeysModel {
  /// Whether the selected key or branch has the sought key as a prefix.
  fileprivate func selectsBeginning(of wanted: EntryKey) -> Bool {
    guard let text = wanted.textBytes, !text.isEmpty, let key = selected?.key else { return false }
    return (key.textBytes ?? key.branchPrefix.map { Array($0.utf8) })?.starts(with: text) == true
  }

  /// Whether the selected key precedes the sought one, which means that no key follows it.
  fileprivate func isLastBefore(_ wanted: EntryKey) -> Bool {
    guard shownOrder.field == .key, let selected else { return false }
    return shownOrder.isDescending ? selected.key > wanted : selected.key < wanted
  }
}

extension BrowserState {
  /// Reloads the list around a key and selects it, or the next key if it does not exist.
  ///
  /// The selection stays on the same row of the screen. The page before the key is loaded first and
  /// then the page after that, whose first entry is selected, so the key need not exist.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - isFromStart: Whether to load everything that was in memory before the key, so that its
  ///     position is known again if the list began with the first key.
  /// - Returns: The effects.
  mutating func seekKeys(_ key: EntryKey, isFromStart: Bool = false) -> Effects {
    guard let model = keys else { return [] }
    // In a tree, a branch has its own row; in a list, its first key is meant.
    let key =
      model.shownTree?.query(model.page(.backward, after: nil)).row(of: key)
      ?? key.branchPrefix.map { .text($0) } ?? key
    keys?.isPaused = false
    keys?.wanted = nil
    keys?.resume = [:]
    keys?.seeking = model.cursor.index - model.cursor.top
    keys?.isRereading = false
    keys?.soughtKey = key
    keys?.soughtNumber = nil
    var page = model.page(.backward, after: key)
    if isFromStart, model.window.offset == 0 {
      // Allow for a few added entries.
      let count = model.cursor.index + KeysModel.pageSize
      page.limit = max(page.limit, min(count, EntryWindow.capacity - page.limit))
    }
    let effects = load(page, replacement: .around)
    if model.isSorted { keys?.load?.sought = key }
    return effects
  }

  /// Loads a sorted list around the former position of a key that does not exist any more, or from
  /// the start if that position is not known.
  mutating func soughtKeyIsGone(_ key: EntryKey) -> Effects {
    guard let model = keys else { return [] }
    if let wanted = model.wanted {
      if let effects = restoreList(missing: wanted) { return effects }
      keys?.wanted = nil
      say(Messages.noLaterKey(text(of: wanted)), .warning)
    }
    if let row = model.window.row(of: key) {
      let rank = model.shownOrder.rank(of: model.window.entries[row])
      if rank != .unknown {
        var query = model.page(.backward, after: key)
        query.afterRank = rank
        return load(query, replacement: .around)
      }
    }
    return reloadKeys()
  }

  /// Reloads the list around a key, or from the start without one.
  mutating func seekOrReload(_ key: EntryKey?, isFromStart: Bool = false) -> Effects {
    guard let key else { return reloadKeys() }
    return seekKeys(key, isFromStart: isFromStart)
  }

  /// Reloads the list around a key, and the key counts of all branches.
  mutating func seekAgain(_ key: EntryKey?) -> Effects {
    keys?.tree?.forgetCounts()
    return seekOrReload(key)
  }

  /// Reloads the list around the selected or sought key.
  mutating func readListAgain() -> Effects {
    guard let model = keys else { return [] }
    if let load = model.load, load.replacement != nil, model.seeking == nil {
      return reloadKeys(atEnd: load.direction == .backward)
    }
    let effects = seekOrReload(
      model.seeking == nil ? model.selected?.key : model.soughtKey, isFromStart: true)
    if let row = model.seeking { keys?.seeking = row }
    keys?.wanted = model.wanted
    return effects
  }

  /// Reloads the list and the value, which stay on screen until the new content is loaded.
  ///
  /// If the selected key was deleted, the next one is selected.
  mutating func readAgain() -> Effects {
    keys?.forgetRows()
    keys?.tree?.forgetCounts()
    let effects = readListAgain()
    guard keys?.seeking != nil else { return effects }
    keys?.isRereading = true
    return effects + reloadSelected()
  }

  /// Handles a page while a key is sought.
  ///
  /// Whether the key exists is known only once a page that follows it has arrived.
  mutating func soughtPageArrived(_ reply: PageReply, isAfterKey: Bool) -> Effects {
    guard let screenRow = keys?.seeking, let count = keys?.window.entries.count else { return [] }
    guard isAfterKey, !reply.entries.isEmpty || reply.isLast else {
      return reply.isLast ? loadNeeded() : []
    }
    keys?.seeking = nil
    let row = max(0, count - max(1, reply.entries.count))
    tab.keys?.cursor.place(row, atScreenRow: screenRow, count: count, height: viewport.keys)
    if let number = keys?.soughtNumber, keys?.selected?.key == keys?.soughtKey {
      keys?.window.setNumber(number, ofRow: row)
    }
    keys?.soughtNumber = nil
    if let wanted = keys?.wanted, let model = keys, model.selected?.key != wanted {
      if model.selectsBeginning(of: wanted) {
        say(Messages.firstWithPrefix(text(of: wanted)))
      } else if let effects = restoreList(missing: wanted) {
        return effects
      } else {
        say(
          Messages.nearestKey(text(of: wanted), isLast: model.isLastBefore(wanted)), .warning)
      }
    }
    keys?.wanted = nil
    departure = nil
    let isRereading = keys?.isRereading == true
    keys?.isRereading = false
    // The value of a key that is still selected was requested together with the list.
    let isRead = isRereading && value != nil && value?.key == keys?.selected?.key
    return (isRead ? [] : readSelected(through: isRereading ? reloadPath : nil))
      + (reply.isLast ? loadNeeded() : [])
  }

  /// Stops seeking a key and keeps the current selection.
  mutating func stopSeeking() -> Effects {
    guard keys?.seeking != nil else { return [] }
    keys?.seeking = nil
    return readSelected()
  }
}
