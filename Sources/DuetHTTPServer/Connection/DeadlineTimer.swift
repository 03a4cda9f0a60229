import NIOCore

/// The timer of a connection. It fires at the earliest deadline that was scheduled, or earlier.
///
/// Each request postpones a deadline, but does not reschedule the timer. The timer fires at the earlier time, and its
/// action then schedules the next deadline.
struct DeadlineTimer {
    private var scheduled: (deadline: NIODeadline, task: Scheduled<Void>)?

    /// Schedules the timer, unless it already fires at or before the deadline.
    /// - Parameter action: The action of the timer. It must first call ``fired()``.
    mutating func schedule(_ deadline: NIODeadline, on eventLoop: any EventLoop, action: @escaping () -> Void) {
        if let scheduled {
            if scheduled.deadline <= deadline { return }
            scheduled.task.cancel()
        }
        self.scheduled = (deadline, eventLoop.assumeIsolated().scheduleTask(deadline: deadline, action))
    }

    /// Handles the expiration of the timer.
    mutating func fired() { self.scheduled = nil }

    mutating func cancel() {
        self.scheduled?.task.cancel()
        self.scheduled = nil
    }
}
