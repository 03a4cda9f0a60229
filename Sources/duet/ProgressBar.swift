import Foundation
import Synchronization

/// A progress bar on standard error. It is shown only if standard error is a terminal.
final class ProgressBar: Sendable {
    private static let width = 40

    private let isShown: Bool
    private let write: @Sendable (String) -> Void
    /// The last line that was drawn. An equal line is not drawn again.
    private let drawn = Mutex("")

    init() {
        isShown = isatty(STDERR_FILENO) == 1
        write = { text in FileHandle.standardError.write(Data(text.utf8)) }
    }

    /// - Parameters:
    ///   - isShown: True to draw the bar.
    ///   - write: Writes text to the terminal.
    init(isShown: Bool, write: @escaping @Sendable (String) -> Void) {
        self.isShown = isShown
        self.write = write
    }

    /// Draws the bar if it has changed. This method is thread-safe.
    /// - Parameters:
    ///   - label: A short description of the current work.
    ///   - done: The completed part of `total`.
    func show(_ label: String, done: Int, of total: Int) {
        let share = total > 0 ? min(1, max(0, Double(done) / Double(total))) : 1
        let filled = Int(share * Double(Self.width))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        draw("\(label) [\(bar)] \(Int(share * 100)) %")
    }

    /// Shows a line without a bar, for work of unknown length.
    func show(_ label: String) {
        draw("\(label) …")
    }

    /// Removes the bar, so that subsequent output starts on an empty line.
    func clear() {
        draw("")
    }

    private func draw(_ line: String) {
        guard isShown else { return }
        drawn.withLock { drawn in
            guard drawn != line else { return }
            drawn = line
            // The carriage return moves to the start of the line. The escape sequence erases the rest of the previous
            // text.
            write("\r\(line)\u{1B}[K")
        }
    }
}
