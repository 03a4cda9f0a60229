#if THREAD_SANITIZER
    import Foundation

    /// Takes the place of `Synchronization.Mutex` where the thread sanitizer runs.
    ///
    /// On Linux, `Mutex` waits by atomic operations in a library of the system that the sanitizer does not see. So it reports a race
    /// for each lock that two threads want at the same time. It sees those of `NSLock`.
    final class Mutex<Value>: @unchecked Sendable {
        private let lock = NSLock()
        /// Only used under the lock.
        private var value: Value

        init(_ value: sending Value) {
            self.value = value
        }

        func withLock<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            lock.lock()
            defer { lock.unlock() }
            return try body(&value)
        }
    }
#endif
