extension BrowserState {
  /// Takes the last change of the store on screen back, or makes it again.
  mutating func replay(isRedo: Bool) -> [BrowserEffect] {
    guard let store = keys?.store else { return [] }
    let token = newToken()
    replaying = Replay(token: token, isRedo: isRedo)
    return [.replay(store.reference, UndoQuery(isRedo: isRedo), token: token)]
  }

  mutating func replayed(
    token: Int, _ reference: StoreReference, _ result: Result<JournalStep, StoreError>
  ) -> [BrowserEffect] {
    guard let replay = replaying, replay.token == token else { return [] }
    replaying = nil
    let isShown = keys?.store.reference == reference
    switch result {
    case .success(let step):
      let back = replay.isRedo ? wayBack : "; \(bindings.call("redo")) does it again"
      let place = stores.item(reference.location)?.summary.value?.location.title() ?? ""
      say(
        "\(replay.isRedo ? "redone" : "undone")\(isShown ? "" : " in \(place)"): "
          + "\(text(of: step, in: reference))\(isShown ? back : "")")
      return listChanged(
        reference, around: replay.isRedo ? step.newKey ?? step.key : step.key, keepsMarks: true)
    case .failure(.notFound(let sentence)):
      say(sentence, .warning)
      return []
    case .failure(.conflict(let theirs)):
      let what =
        theirs.map { "\(text(of: $0.key, in: reference)) was changed" } ?? "the entry was deleted"
      say(
        "nothing was \(replay.isRedo ? "redone" : "undone"): \(what) by someone else since then "
          + "(larder log lists other steps)", .error)
      return isShown ? readSelected() : []
    case .failure(let error):
      say(error.message, .error)
      return []
    }
  }

  /// What a step did, in a few words.
  private func text(of step: JournalStep, in reference: StoreReference) -> String {
    let verb =
      switch step.action {
      case .write: "wrote"
      case .delete: "deleted"
      case .rename: "renamed"
      case .touch: "set the time of"
      case .refresh: "read anew"
      case .evict: "took out of the cache"
      }
    let others = step.count > 1 ? " and \(step.count - 1) more" : ""
    return "\(verb) \(text(of: step.key, in: reference))\(others)"
  }

  /// What a notice of a change ends with where the change can be taken back.
  ///
  /// By then somebody else may have changed the store, and that change would be the one to go.
  var wayBack: String {
    keys?.store.capabilities.contains(.undo) == true
      ? "; \(bindings.call("undo")) undoes the store's last change" : ""
  }
}

/// A step of the journal that is being taken back or made again.
package struct Replay: Sendable, Equatable {
  /// The token of the effect.
  package let token: Int
  /// Whether it is made again.
  package let isRedo: Bool
}
