import NIOPosix

/// Moves the current task from an event loop to a thread of Swift's executor. Call it before long work, which must not
/// block an event loop.
package func leaveEventLoop() async {
    // `Task.yield` enqueues the task on Swift's executor, which does not use event loops.
    if MultiThreadedEventLoopGroup.currentEventLoop != nil { await Task.yield() }
}
