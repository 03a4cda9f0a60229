import Foundation

extension ResponseBody {
    /// Returns the same body. Reading it throws an error after the caller has changed.
    func readable(by caller: Caller?, of current: CurrentCaller?) -> ResponseBody {
        guard let caller, let current else { return self }
        return ResponseBody { () throws(TransportError) in
            // All iterators of a body share one read position.
            var iterator = makeAsyncIterator()
            let part = try await iterator.next()
            guard current.current == caller else { throw TransportError(.callerChanged) }
            return part
        }
    }
}
