import LarderModel

extension KeysModel {
  /// Whether the selected key, or branch, begins with one that was looked for.
  fileprivate func selectsBeginning(of wanted: EntryKey) -> Bool {
    guard let text = wanted.textBytes, !text.isEmpty, let key = selected?.key else { return false }
    return (key.textBytes ?? key.branchPrefix.map { Array($0.utf8) })?.starts(with: text) == true
  }

  /// Whether the selected key comes before one that was looked for, as none comes after it.
  fileprivate func isLastBefore(_ wanted: EntryKey) -> Bool {
    guard shownOrder.field == .key, let selected else { return false }
    return shownOrder.isDescending ? selected.key > wanted : selected.key < wanted
  }
}

extension BrowserState {
  /// Reads the list again around a key, and selects it, or the key after it where it is not there.
  ///
  /// The selection stays on the row of the screen that it is on. Nothing is assumed about the key:
  /// what comes before it is read first, then what follows, of which the first is selected.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - isFromStart: Whether all that was loaded before it is to be read, so that its number in a
  ///     list that began with the first key is known again.
  /// - Returns: The effects.
  mutating func seekKeys(_ key: EntryKey, isFromStart: Bool = false) -> Effects {
    guard let model = keys else { return [] }
    // A tree has a row for it, and a list none for a branch: there its first key is meant.
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
      // A few may have been added.
      let count = model.cursor.index + KeysModel.pageSize
      page.limit = max(page.limit, min(count, EntryWindow.capacity - page.limit))
    }
    let effects = load(page, replacement: .around)
    if model.isSorted { keys?.load?.sought = key }
    return effects
  }

  /// Goes on where the key is gone that a list in another order was to be read around: from where it
  /// was, as far as that is known.
  mutating func soughtKeyIsGone(_ key: EntryKey) -> Effects {
    guard let model = keys else { return [] }
    if let wanted = model.wanted {
      if let effects = restoreList(missing: wanted) { return effects }
      keys?.wanted = nil
      say("there is no \(text(of: wanted)), and nothing is after it in this order", .warning)
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

  /// Reads the list again around a key, or from its start where there is none to keep in view.
  mutating func seekOrReload(_ key: EntryKey?, isFromStart: Bool = false) -> Effects {
    guard let key else { return reloadKeys() }
    return seekKeys(key, isFromStart: isFromStart)
  }

  /// Reads the list again around a key, with the numbers of the keys in all branches.
  mutating func seekAgain(_ key: EntryKey?) -> Effects {
    keys?.tree?.forgetCounts()
    return seekOrReload(key)
  }

  /// Reads the list again, around the key that is selected or sought.
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

  /// Reads the list and the value again; what is there of them stays on screen until they are read.
  ///
  /// Where the selected key is gone, the one after it is selected.
  mutating func readAgain() -> Effects {
    keys?.forgetRows()
    keys?.tree?.forgetCounts()
    let effects = readListAgain()
    guard keys?.seeking != nil else { return effects }
    keys?.isRereading = true
    return effects + readSelectedAnew()
  }

  /// Takes in a page while a key is sought; whether it is found is known once a page that follows
  /// it has come.
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
        say("there is no \(text(of: wanted)); the first key that begins with it is selected")
      } else if let effects = restoreList(missing: wanted) {
        return effects
      } else {
        let place = model.isLastBefore(wanted) ? "the last key, before it," : "the key after it"
        say("there is no \(text(of: wanted)); \(place) is selected", .warning)
      }
    }
    keys?.wanted = nil
    departure = nil
    let isRereading = keys?.isRereading == true
    keys?.isRereading = false
    // The value of the key that is still selected was asked for together with the list.
    let isRead = isRereading && value != nil && value?.key == keys?.selected?.key
    return (isRead ? [] : readSelected(through: isRereading ? pathAnew : nil))
      + (reply.isLast ? loadNeeded() : [])
  }

  /// Leaves the selection where it is, although a key is still being sought.
  mutating func stopSeeking() -> Effects {
    guard keys?.seeking != nil else { return [] }
    keys?.seeking = nil
    return readSelected()
  }
}
