/**
 * Tasks that clients have, and how either style asks for what they need; `rest` has a request a line, as `request-lines.js` reads
 * them. Their names and words are those of `duet compare`.
 */
export const TASKS = [
  {
    name: 'published-example',
    task: 'Show one employee with every title and every salary they have had.',
    rest: 'GET /employees/10004?details=titles&details=salaries',
    query: `query PublishedExample {
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
}`,
  },
  {
    name: 'published-example-by-resource',
    task: 'The same, as REST is often written: one request for each resource.',
    rest: 'GET /employees/10004\nGET /employees/10004/titles\nGET /employees/10004/salaries',
    query: `query PublishedExample {
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
}`,
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
    task: 'Show three of some twenty fields: last name, present title, present department.',
    rest: 'GET /employees/10004?fields=lastName&details=titles&details=departments',
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
    task: 'Show a department, ten of its people, and what each earns now.',
    rest: 'GET /departments/d005?fields=departmentName\nGET /departments/d005/employees?first=10&fields=firstName,lastName&details=salaries',
    query: `query ThreeLevels($id: ID!) {
  department(id: $id) {
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
    variables: '{ "id": "d005" }',
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
