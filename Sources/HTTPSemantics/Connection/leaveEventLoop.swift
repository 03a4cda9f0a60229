import NIOPosix

/// Continues on a thread of Swift's executor if the caller runs on an event loop, which long work must not block.
package func leaveEventLoop() async {
    // `Task.yield` enqueues the task on Swift's executor, which does not use event loops.
    if MultiThreadedEventLoopGroup.currentEventLoop != nil { await Task.yield() }
}
