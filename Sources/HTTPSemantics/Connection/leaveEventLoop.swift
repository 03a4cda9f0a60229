import NIOPosix

/// Continues on a thread of Swift's executor if the caller runs on an event loop, which must not be blocked by long work.
package func leaveEventLoop() async {
    // `Task.yield` enqueues the task on Swift's executor, which an event loop does not belong to.
    if MultiThreadedEventLoopGroup.currentEventLoop != nil { await Task.yield() }
}
