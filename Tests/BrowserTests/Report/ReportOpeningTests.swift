import DuetJSON
import Testing

extension ReportTests {
    /// Tests of the parts of a report that are visible before any part is expanded.
    @Suite("Opening of the report")
    struct Opening {
        @Test(
            "The report begins with an overview and one sentence for each task. All other parts are collapsed",
            arguments: ReportFile.allCases)
        func order(report: ReportFile) async throws {
            try await withReport(report) { page in
                let parts = try await page.evaluate(
                    "[...document.querySelector('main').children].map((one) => `${one.tagName}${one.open ? ' open' : ''}`)"
                )
                let folded = Array(repeating: JSONValue.string("DETAILS"), count: report.sections.count + 2)
                let tasks = report.sections.dropLast()
                // The tasks that write have a list of their own.
                let (reads, writes) = (tasks.filter { $0 != "write" }, tasks.filter { $0 == "write" })
                let lists = writes.isEmpty ? ["H2", "UL"] : ["H2", "UL", "H2", "UL"]
                #expect(parts == .array(["H1", "P", "TABLE"] + lists.map { .string($0) } + folded))
                #expect(try await page.texts(".picture tbody th a") == Array(tasks))
                #expect(try await page.texts(".picture thead th") == ["Task"] + report.measures)
                #expect(try await page.texts(".conclusions b") == reads + writes)
                let headlines = try await page.texts(".conclusions strong")
                #expect(headlines.count == tasks.count)
                for headline in headlines { #expect(headline.contains("cheaper"), "\(headline)") }
            }
        }

        @Test(
            "Each cell of the overview has a value for each style, and styles differ in pattern and not only in color"
        )
        func cells() async throws {
            try await withReport(.counted) { page in
                let wrong = try await page.evaluate(
                    """
                    [...document.querySelectorAll('.picture td')].filter((cell) => {
                      const lines = [...cell.querySelectorAll('.line')];
                      const fills = lines.map((line) => line.querySelector('rect')).map((one) => {
                        const { fill } = getComputedStyle(one);
                        return fill.startsWith('url') ? 'hatched' : fill === getComputedStyle(document.body).backgroundColor ? 'empty' : 'full';
                      });
                      const labels = lines.map((line) => line.querySelector('span').innerText);
                      const names = { 'simple REST': 'empty', REST: 'full', GraphQL: 'hatched' };
                      return lines.length < 2 || !labels.every((label, index) => names[label] === fills[index])
                        || !lines.every((line) => /^[0-9,]+/.test(line.querySelector('.figure').innerText));
                    }).map((one) => one.outerHTML)
                    """)
                #expect(wrong == [])
                // The cell also states in words which style is better. In this task, both styles send one request, and
                // REST receives fewer bytes.
                let names = try await page.texts(".picture tbody tr:first-child td")
                #expect(!names[0].contains("fewer") && names[1].contains("% fewer)"), "\(names)")
                #expect(
                    try await page.evaluate("document.querySelectorAll('.picture tbody tr:first-child strong').length")
                        == 1
                )
            }
        }

        @Test(
            "On a phone, each task is a block that fits the screen, and is still a table row in the accessibility tree",
            arguments: [360, 320])
        func phone(width: Int) async throws {
            try await withReport(.timed, phoneWidth: width) { page in
                #expect(try await page.evaluate("document.documentElement.scrollWidth").integer == width)
                #expect(try await page.cut(".picture caption, .picture tbody *, .conclusions *") == [])
                // The header row of the table is not visible, so each cell has the title of its column.
                #expect(try await page.texts(".picture td .measure") == ReportFile.timed.measures)
                let below = try await page.evaluate(
                    """
                    document.querySelector('.picture td').getBoundingClientRect().top
                      >= document.querySelector('.picture tbody th').getBoundingClientRect().bottom
                    """)
                #expect(below == true)
                let nodes = try await page.send("Accessibility.getFullAXTree")["nodes"]?.items ?? []
                let roles = nodes.filter { $0["ignored"] != true }.compactMap { $0["role"]?["value"]?.string }
                let counts = ["table", "row", "columnheader", "rowheader", "cell"].map { role in
                    roles.count { $0 == role }
                }
                #expect(counts == [1, 2, 5, 1, 4])
            }
        }

        @Test("A link in the overview and a fragment in the URL expand a task")
        func links() async throws {
            try await withReport(.counted) { page in
                let unfolded =
                    "[...document.querySelectorAll('main > details[open] > summary')].map((one) => one.innerText)"
                #expect(try await page.evaluate(unfolded) == [])
                try await page.click(".picture a[href='#report']")
                try await page.wait(until: "document.querySelector('details[open] #report')")
                #expect(try await page.evaluate(unfolded) == ["report"])
                let place = "document.querySelector('#report').getBoundingClientRect().top"
                let top = try await page.evaluate("\(place) >= 0 && \(place) < innerHeight")
                #expect(top == true)
            }
            try await withBrowserPage(sourceLocation: #_sourceLocation) { page in
                try await page.open(ReportFile.counted.path + "#journey")
                try await page.wait(until: "document.querySelector('details[open] #journey')")
            }
        }

        @Test(
            "A printed report has the overview and the data of the machine, omits collapsed parts, and is not cut off"
        )
        func paper() async throws {
            try await withReport(.counted) { page in
                // The area of an A4 page within the default margins of a browser, in CSS pixels.
                try await page.resize(width: 718, height: 1000)
                try await page.setDark()
                try await page.send("Emulation.setEmulatedMedia", ["media": "print"])
                let visible = try await page.evaluate(
                    """
                    [...document.querySelectorAll('main > details')]
                      .filter((one) => one.checkVisibility()).map((one) => one.querySelector('h2').innerText)
                    """)
                #expect(visible == ["Machine and database"])
                #expect(try await page.evaluate("document.querySelector('dl').checkVisibility()") == true)
                #expect(
                    try await page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)")
                #expect(
                    try await page.evaluate("getComputedStyle(document.querySelector('.picture thead')).position")
                        == "static")
                let isCut = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
                #expect(try await page.evaluate(isCut) == false)
                #expect(try await page.cut(".picture *, .conclusions *, dl *") == [])
                let breaks = try await page.evaluate(
                    """
                    [...document.querySelectorAll('.picture tr, .conclusions li')]
                      .every((one) => getComputedStyle(one).breakInside === 'avoid')
                    """)
                #expect(breaks == true)
            }
        }
    }
}
