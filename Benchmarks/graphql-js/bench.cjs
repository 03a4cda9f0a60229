// Measures graphql-js on a schema and a query: node bench.cjs SCHEMA QUERY SECONDS
// Prints operations a second, as {"parse": …, "validate": …}.
const { readFileSync } = require('fs')
const { buildSchema, parse, validate } = require('graphql')

const [schemaFile, queryFile, seconds] = process.argv.slice(2)
const schema = buildSchema(readFileSync(schemaFile, 'utf8'))
const query = readFileSync(queryFile, 'utf8')
const document = parse(query)

const errors = validate(schema, document)
if (errors.length > 0) throw errors[0]

function rate(body) {
  const run = (milliseconds) => {
    const end = performance.now() + milliseconds
    const start = performance.now()
    let count = 0
    while (performance.now() < end) {
      for (let i = 0; i < 20; i++) body()
      count += 20
    }
    return (count * 1000) / (performance.now() - start)
  }
  // The compiler gets to know the code first.
  run(1500)
  return run(Number(seconds) * 1000)
}

const result = { parse: rate(() => parse(query)), validate: rate(() => validate(schema, document)) }
console.log(JSON.stringify(result))
