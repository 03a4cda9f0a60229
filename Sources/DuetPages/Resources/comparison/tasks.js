const PUBLISHED_EXAMPLE = `query PublishedExample {
  employee(id: 10004) {
    employeeNumber
    firstName
    lastName
    titles {
      title
      fromDate
      toDate
    }
    salaries {
      salary
      fromDate
      toDate
    }
  }
}`;

/**
 * Tasks that clients have, and how either style asks for what they need: those of `duet compare`, each REST side in one of its styles;
 * a test holds what is sent against what `duet compare` sends.
 *
 * `rest` has a request a line, as `request-lines.js` reads them, `query` one operation or several. `pages` is how many pages of a list
 * are asked for, at most; else it is one. `note` is told with the task. What is at `changes` is changed by the task, and is put back.
 * `scenario` is what `duet compare` calls the task, where it is not its name.
 */
export const TASKS = [
  {
    name: 'published-example',
    task: 'Show one employee with every title and every salary they have had.',
    rest: 'GET /employees/10004?details=titles&details=salaries',
    query: PUBLISHED_EXAMPLE,
  },
  {
    name: 'published-example-by-resource',
    scenario: 'published-example',
    task: 'The same, as REST is often written: one request for each resource.',
    rest: 'GET /employees/10004\nGET /employees/10004/titles\nGET /employees/10004/salaries',
    query: PUBLISHED_EXAMPLE,
  },
  {
    name: 'names',
    task: 'Show the name of one employee.',
    rest: 'GET /employees/10004?fields=firstName,lastName',
    query: `query Names {
  employee(id: 10004) {
    firstName
    lastName
  }
}`,
  },
  {
    name: 'badge',
    task: 'Show three of many fields: last name, present title, present department.',
    rest: 'GET /employees/10004?fields=lastName&details=titles,departments&titles.current=true&titles.fields=title&departments.current=true&departments.fields=departmentName',
    query: `query Badge {
  employee(id: 10004) {
    lastName
    titles(current: true) {
      title
    }
    departments(current: true) {
      departmentName
    }
  }
}`,
  },
  {
    name: 'list',
    task: 'List a hundred employees with their names.',
    rest: 'GET /employees?first=100&fields=employeeNumber,firstName,lastName',
    query: `query List {
  employees(first: 100) {
    nodes {
      employeeNumber
      firstName
      lastName
    }
  }
}`,
  },
  {
    name: 'list-with-histories',
    task: 'List a hundred employees with every title and every salary they have had.',
    rest: 'GET /employees?first=100&details=titles&details=salaries',
    query: `query ListWithHistories {
  employees(first: 100) {
    nodes {
      employeeNumber
      firstName
      lastName
      titles {
        title
        fromDate
        toDate
      }
      salaries {
        salary
        fromDate
        toDate
      }
    }
  }
}`,
  },
  {
    name: 'three-levels',
    task: 'Show every department with ten of its people and what they are paid now.',
    rest: 'GET /departments?fields=departmentName&details=employees.salaries&employees.first=10&employees.fields=firstName,lastName&employees.salaries.current=true&employees.salaries.fields=salary',
    query: `query ThreeLevels {
  departments {
    departmentName
    employees(first: 10) {
      nodes {
        firstName
        lastName
        salaries(current: true) {
          salary
        }
      }
    }
  }
}`,
  },
  {
    name: 'pages',
    task: 'Walk through the first 10,000 employees, a hundred at a time.',
    rest: 'GET /employees?first=100&fields=employeeNumber,firstName,lastName',
    query: `query Pages($after: String) {
  employees(first: 100, after: $after) {
    nodes {
      employeeNumber
      firstName
      lastName
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`,
    pages: 100,
    note: 'The walk ends after a hundred pages, which are all employees of the smallest samples and of that of 10,000.',
  },
  {
    name: 'search',
    task: 'Find the first twenty whose names begin with "Ge", hired after 1990, newest first.',
    rest: 'GET /employees?name=Ge*&hiredAfter=1990-01-01&sort=-hireDate&first=20&fields=employeeNumber,firstName,lastName',
    query: `query Search($filter: EmployeeFilter!) {
  employees(
    first: 20
    filter: $filter
    sort: { field: HIRE_DATE, direction: DESCENDING }
  ) {
    nodes {
      employeeNumber
      firstName
      lastName
    }
  }
}`,
    variables: '{ "filter": { "name": "Ge*", "hiredAfter": "1990-01-01" } }',
  },
  {
    name: 'report',
    task: 'Make a report over a whole table: when everybody was hired.',
    rest: 'GET /employees?first=1000&fields=employeeNumber,hireDate',
    query: `query Report($after: String) {
  employees(first: 1000, after: $after) {
    nodes {
      employeeNumber
      hireDate
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`,
    pages: 100,
    note: 'Either side ends after a hundred pages of a thousand. REST can also send the whole table in one answer, as NDJSON or CSV.',
  },
  {
    name: 'write',
    task: 'Change an employee\'s last name and show what is stored.',
    rest: 'PATCH /employees/10050?fields=firstName,lastName {"lastName":"Marchetti"}',
    query: `mutation Rename($input: UpdateEmployeeInput!) {
  updateEmployee(input: $input) {
    employee {
      firstName
      lastName
    }
    errors {
      message
    }
  }
}`,
    variables: '{ "input": { "id": "10050", "lastName": "Marchetti" } }',
    note: 'This task writes: each side changes the last name of employee 10050. The page reads the name before, and writes it back after each side.',
    changes: '/employees/10050?fields=lastName',
  },
  {
    name: 'journey',
    task: 'Go through six screens: departments, one department, its people, one of them with their history, who manages it, and a search.',
    rest: `GET /departments?fields=departmentNumber,departmentName

GET /departments/d005?fields=departmentName

GET /departments/d005/employees?first=20&fields=employeeNumber,lastName

GET /employees/10004?fields=lastName&details=titles&details=salaries

GET /departments/d005?fields=departmentName&details=managers

GET /employees?name=Ge*&first=20&fields=employeeNumber,lastName`,
    query: `query Departments {
  departments {
    departmentNumber
    departmentName
  }
}

query Department($id: ID!) {
  department(id: $id) {
    departmentName
  }
}

query People($id: ID!) {
  department(id: $id) {
    employees(first: 20) {
      nodes {
        employeeNumber
        lastName
      }
    }
  }
}

query History($id: ID!) {
  employee(id: $id) {
    lastName
    titles {
      title
      fromDate
    }
    salaries {
      salary
      fromDate
    }
  }
}

query Managers($id: ID!) {
  department(id: $id) {
    managers {
      lastName
      fromDate
    }
  }
}

query Search($name: String!) {
  employees(first: 20, filter: { name: $name }) {
    nodes {
      employeeNumber
      lastName
    }
  }
}`,
    variables: `{
  "Department": { "id": "d005" },
  "People": { "id": "d005" },
  "History": { "id": "10004" },
  "Managers": { "id": "d005" },
  "Search": { "name": "Ge*" }
}`,
  },
  {
    name: 'unknown',
    task: 'Ask for an employee who does not exist, and learn just that.',
    rest: 'GET /employees/999999',
    query: `query Unknown {
  employee(id: 999999) {
    firstName
    lastName
  }
}`,
  },
];
