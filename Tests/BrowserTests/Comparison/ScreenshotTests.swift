import Testing

extension ComparisonPageTests {
    /// Screenshots of the page for visual review, in the folder of the environment variable `DUET_SCREENSHOTS`. If the
    /// variable is not set, the tests discard the screenshots.
    @Suite("Screenshots")
    struct Screenshots {
        @Test(
            "On each screen, screenshots show a task with its SQL, and the list of people",
            arguments: BrowserPage.Screen.all)
        func pictures(screen: BrowserPage.Screen) async throws {
            try await withComparison(["task": "badge"], phoneWidth: screen.phoneWidth) { page in
                if screen.isDark { try await page.setDark() }
                try await page.click("#tab-screen")
                for side in ["rest", "graphql"] {
                    try await page.wait(until: "document.querySelectorAll('#\(side)-screen li').length >= 30")
                }
                // The list is captured before the task, because the task increases the height of the screen and of the
                // lists.
                try await page.keep("people", screen)
                try await page.click("#tab-task")
                try await page.click("#run")
                try await page.waitForBoth()
                for side in ["rest", "graphql"] {
                    try await page.click("#\(side)-exchanges .statements summary")
                    try await page.wait(until: "document.querySelector('#\(side)-exchanges .sql')")
                }
                try await page.keep("task", screen)
            }
        }
    }
}
