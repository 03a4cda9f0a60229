import NIOCore
import Synchronization

/// A value for each event loop, which is used on this event loop only.
final class PerEventLoop<Value>: Sendable {
    private let make: @Sendable (any EventLoop) -> Value
    private let values = Mutex<[ObjectIdentifier: NIOLoopBound<Value>]>([:])

    /// - Parameter make: Creates the value of an event loop, on the event loop.
    init(_ make: @escaping @Sendable (any EventLoop) -> Value) { self.make = make }

    /// Returns the value of an event loop. The caller must run on the event loop.
    subscript(eventLoop: any EventLoop) -> Value {
        self.values.withLock { values in
            let identifier = ObjectIdentifier(eventLoop)
            if let value = values[identifier] { return value }
            let value = NIOLoopBound(self.make(eventLoop), eventLoop: eventLoop)
            values[identifier] = value
            return value
        }.value
    }
}
