import LarderFormats
package import LarderModel

extension EffectSlot {
  static let secret = EffectSlot("secret")
  static let concealing = EffectSlot("concealing", isInBackground: true)
  static let forgetting = EffectSlot("forgetting", isInBackground: true)
}

/// Reads a secret for the clipboard.
package struct CopySecret: BrowserEffect {
  package let store: StoreReference
  package let key: EntryKey
  package let ticket: Ticket?
  package var slot: EffectSlot? { .secret }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(
      await runner.result {
        let entry = try await runner.read(key, in: store, through: .revealing)
        return ValueText.text(of: entry.value ?? .null)
      })
  }

  package func receive(_ reply: Answer<String>, in state: inout BrowserState) -> Effects {
    state.secretCopied(reply)
  }
}

/// Waits until a displayed secret has to be hidden.
package struct WaitToConceal: BrowserEffect {
  package let ticket: Ticket?
  package var slot: EffectSlot? { .concealing }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    guard (try? await runner.environment.sleep(.seconds(30))) != nil else { return }
    await reply(())
  }

  package func receive(_ reply: Void, in state: inout BrowserState) -> Effects { state.conceal() }
}

/// Waits until a copied secret has to be cleared from the clipboard.
package struct WaitToForgetCopy: BrowserEffect {
  package var slot: EffectSlot? { .forgetting }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    guard (try? await runner.environment.sleep(.seconds(45))) != nil else { return }
    await reply(())
  }

  package func receive(_ reply: Void, in state: inout BrowserState) -> Effects {
    state.forgetCopy()
  }
}
