import Foundation
import Synchronization

/// A bar on standard error that grows with a long job; nothing at all when standard error is not a terminal.
final class ProgressBar: Sendable {
    private static let width = 40

    private let isShown: Bool
    private let write: @Sendable (String) -> Void
    /// What was drawn last, so that the same is not drawn twice.
    private let drawn = Mutex("")

    init() {
        isShown = isatty(STDERR_FILENO) == 1
        write = { text in FileHandle.standardError.write(Data(text.utf8)) }
    }

    /// - Parameters:
    ///   - isShown: whether there is anyone to look at it.
    ///   - write: puts text where the bar is.
    init(isShown: Bool, write: @escaping @Sendable (String) -> Void) {
        self.isShown = isShown
        self.write = write
    }

    /// Draws the bar anew if it has changed. Any thread may call this.
    /// - Parameters:
    ///   - label: what is being done, in a few words.
    ///   - done: how much of `total` is done.
    func show(_ label: String, done: Int, of total: Int) {
        let share = total > 0 ? min(1, max(0, Double(done) / Double(total))) : 1
        let filled = Int(share * Double(Self.width))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        draw("\(label) [\(bar)] \(Int(share * 100)) %")
    }

    /// Shows a line without a bar, for work whose length is not known.
    func show(_ label: String) {
        draw("\(label) …")
    }

    /// Removes the bar, so that other output begins on a clean line.
    func clear() {
        draw("")
    }

    private func draw(_ line: String) {
        guard isShown else { return }
        drawn.withLock { drawn in
            guard drawn != line else { return }
            drawn = line
            // Back to the line's beginning, the text, and the rest of the line erased.
            write("\r\(line)\u{1B}[K")
        }
    }
}
