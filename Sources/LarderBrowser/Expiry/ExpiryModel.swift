package import Foundation
package import LarderModel
import LarderFormats
import LarderOperations

/// Entries whose new expiry is being typed.
package struct ExpiryModel: PromptWork {
  /// The store of the entries.
  package var store: StoreReference
  /// Their keys; of no meaning where a prefix says which are meant.
  package var keys: [EntryKey]
  /// What the keys of all entries that are meant begin with.
  package var prefix: String?
  /// What was seen under them, where it had been read.
  package var fingerprints: [EntryKey: Fingerprint]
  /// What they are called in a sentence.
  package var title: String
  /// The time, once it is known, so that the moment is shown that is meant.
  package var now: Date?
  /// Why that may be a date of what they are about, as a clause; nil where nobody doubts it.
  package var doubt: String?
  /// Whether the title is one of several entries.
  var isOfSeveral: Bool { prefix != nil || keys.count > 1 }
  /// Why what is typed cannot be written, as far as is known.
  package var problem: String?
  /// The token of the change, once it is under way.
  package var running: Int?

  package var label: String { "expires: " }
  var progress: String { "writing…" }

  func plan(for line: PromptModel) -> PromptModel.Notice {
    let wanted = ExpiryText(line.buffer.text).map {
      "Enter: \(title) \($0.spoken)\(moment(of: $0))"
    }
    let question = "When \(isOfSeveral ? "do" : "does") \(title) expire? \(ExpiryText.forms)"
    let doubt = doubt.map { ". Note that \($0)" } ?? ""
    return PromptModel.Notice(text: (wanted ?? question) + doubt, isDangerous: self.doubt != nil)
  }

  /// The moment of what is typed as a duration, as the rest of a sentence.
  private func moment(of text: ExpiryText) -> String {
    guard let now, let moment = text.date(from: now) else { return "" }
    switch text {
    case .at: return moment <= now ? ", which is past: it expires at once" : ""
    case .after(let duration) where duration > .zero:
      return ", at \(Timestamp.secondText(of: moment))"
    default: return ""
    }
  }

  package func submit(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.setExpiry()
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.say("nothing was written")
    return []
  }
}
