import DuetJSON
import Testing

extension ReportTests {
    @Suite("Report page")
    struct Page {
        @Test(
            "The report is one self-contained file with a section, charts and tables for each task",
            arguments: ReportFile.allCases)
        func sections(report: ReportFile) async throws {
            try await withReport(report) { page in
                let sections = try await page.evaluate("[...document.querySelectorAll('section')].map((one) => one.id)")
                #expect(sections.items.compactMap(\.string) == report.sections)
                let bare = try await page.evaluate(
                    """
                    [...document.querySelectorAll('section:not(#method)')]
                      .filter((one) => one.querySelectorAll('figure svg').length < 2 || !one.querySelector('table'))
                      .map((one) => one.id)
                    """)
                #expect(bare == [])
                // A timed task has additional charts and one additional table.
                let charts = try await page.evaluate("document.querySelectorAll('#badge figure').length").integer ?? 0
                #expect(report == .timed ? charts > 2 : charts == 2)
                let tables = try await page.evaluate("document.querySelectorAll('#badge table').length").integer
                #expect(tables == report.tables)
            }
        }

        @Test("The report has one top-level heading and no skipped heading level, and links lead to the tasks")
        func headings() async throws {
            try await withReport(.counted) { page in
                let levels = try await page.evaluate(
                    "[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map((one) => Number(one.tagName[1]))"
                ).items.compactMap(\.integer)
                #expect(levels.first == 1 && levels.count { $0 == 1 } == 1)
                for (one, next) in zip(levels, levels.dropFirst()) { #expect(next <= one + 1) }
                #expect(try await page.evaluate("document.documentElement.lang") == "en")
                #expect(try await page.evaluate("document.querySelectorAll('main').length") == 1)
                let links = try await page.evaluate("[...document.links].map((one) => one.getAttribute('href'))").items
                #expect(links.compactMap(\.string) == ReportFile.counted.sections.dropLast().map { "#" + $0 })
            }
        }

        @Test("Each table has a caption and header cells for columns and rows", arguments: ReportFile.allCases)
        func tables(report: ReportFile) async throws {
            try await withReport(report) { page in
                try await page.unfoldAll()
                let wrong = try await page.evaluate(
                    """
                    [...document.querySelectorAll('table')].flatMap((table) => {
                      const wrong = [...table.querySelectorAll('th')].filter((one) => one.textContent.trim() === '' || !one.scope);
                      const width = (row) => [...row.cells].reduce((sum, one) => sum + one.colSpan, 0);
                      const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
                      wrong.push(...rows.filter((row) => width(row) !== width(table.rows[0]) || row.cells[0].scope !== 'row'));
                      return (table.caption?.textContent.trim() ? [] : [table]).concat(wrong).map((one) => one.outerHTML);
                    })
                    """)
                #expect(wrong == [])
            }
        }

        @Test(
            "Each chart has a text description, and styles differ in pattern and not only in color",
            arguments: ReportFile.allCases)
        func charts(report: ReportFile) async throws {
            try await withReport(report) { page in
                let silent = try await page.evaluate(
                    """
                    [...document.querySelectorAll('svg')].filter((one) => one.getAttribute('aria-hidden') !== 'true').filter((one) => {
                      const name = one.getAttribute('aria-label') ?? '';
                      const bars = one.querySelectorAll('rect');
                      const said = [...one.querySelectorAll('text')].every((text) => name.includes(text.textContent));
                      return one.getAttribute('role') !== 'img' || bars.length < 6 || !said;
                    }).map((one) => one.outerHTML)
                    """)
                #expect(silent == [])
                let fills = try await page.evaluate(
                    "[...new Set([...document.querySelectorAll('figure rect')].map((one) => `${one.classList} ${getComputedStyle(one).fill.startsWith('url')}`))].sort()"
                )
                #expect(fills == ["graphql true", "rest false"])
            }
        }

        @Test("Every control and every table has an accessible name", arguments: ReportFile.allCases)
        func names(report: ReportFile) async throws {
            try await withReport(report) { page in
                try await page.unfoldAll()
                let (count, unnamed) = try await page.namedParts()
                #expect(count >= 3)
                #expect(unnamed == [])
            }
        }

        @Test("The Tab key reaches exactly the links, the collapsible parts and the wide tables")
        func keyboard() async throws {
            try await withReport(.timed, phoneWidth: 360) { page in
                var reached: [String] = []
                for _ in 0..<40 {
                    try await page.press("Tab")
                    let focused = try await page.evaluate(
                        "document.activeElement === document.body ? 'the end' : document.activeElement.tagName + document.activeElement.className"
                    )
                    guard let focused = focused.string, focused != "the end" else { break }
                    reached.append(focused)
                    if focused == "SUMMARY" { try await page.press("Enter") }
                }
                // The order is: the link in the overview, the task, its figures and their tables, the requests and
                // bytes, the machine, and the method.
                #expect(
                    reached == ["A", "SUMMARY", "SUMMARY"]
                        + Array(repeating: "DIVtable", count: ReportFile.timed.tables)
                        + ["SUMMARY", "DIVtable", "SUMMARY", "SUMMARY"])
            }
        }

        @Test(
            "Texts and bars have sufficient contrast in light and dark mode", arguments: ReportFile.allCases,
            [false, true])
        func contrast(report: ReportFile, isDark: Bool) async throws {
            try await withReport(report) { page in
                if isDark { try await page.setDark() }
                try await page.unfoldAll()
                let background = try await page.evaluate("getComputedStyle(document.body).backgroundColor")
                #expect((background == "rgb(18, 22, 28)") == isDark)
                let wrong = try await page.faintTexts()
                #expect(wrong["faint"] == [])
                #expect((wrong["count"]?.integer ?? 0) > 100)
                #expect(try await page.faintShapes("figure rect, figure line, .picture rect") == [])
            }
        }

        @Test(
            "On a phone, only wide tables scroll horizontally, and texts in charts are at least 12 pixels high",
            arguments: ReportFile.allCases, [360, 320])
        func phone(report: ReportFile, width: Int) async throws {
            try await withReport(report, phoneWidth: width) { page in
                try await page.unfoldAll()
                #expect(try await page.evaluate("document.documentElement.scrollWidth").integer == width)
                #expect(
                    try await page.cut(
                        "h1, h2, p, li, dt, dd, summary, figcaption, svg, figure text, figure rect, .table")
                        == [])
                // If a chart is scaled down as a whole, its texts also become smaller.
                #expect(
                    try await page.evaluate(
                        "Math.min(...[...document.querySelectorAll('figure text')].map((one) => one.getBoundingClientRect().height)) >= 12"
                    ) == true)
            }
        }
    }
}
