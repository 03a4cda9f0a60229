import Synchronization

/// A list to which any thread can append.
final class Recorder<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    var all: [Element] { self.elements.withLock { $0 } }

    func append(_ element: Element) { self.elements.withLock { $0.append(element) } }
}
