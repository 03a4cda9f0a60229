import Dispatch
import Foundation

/// Runs work with a stack of the size that secondary threads have on macOS.
package enum SmallStack {
    /// Runs work on a new thread, waits for it, and returns its result.
    package static func run<Result: Sendable>(
        kilobytes: Int = 512, _ work: @escaping @Sendable () -> Result
    ) -> Result? {
        let done = DispatchSemaphore(value: 0)
        let box = Box<Result>()
        let thread = Thread {
            box.result = work()
            done.signal()
        }
        thread.stackSize = kilobytes << 10
        thread.start()
        done.wait()
        return box.result
    }

    private final class Box<Result>: @unchecked Sendable { var result: Result? }
}
