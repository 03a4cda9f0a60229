/// A custom task. REST sends all titles and departments, and GraphQL sends only the current titles and departments.
let wholeHistories: KeyValuePairs = [
    "task": "own", "rest": "GET /employees/10004?fields=lastName&details=titles&details=departments",
    "query": """
    { employee(id: 10004) { lastName titles(current: true) { title } departments(current: true) { departmentName } } }
    """,
]
