// Measures graphql-js: node bench.cjs SCHEMA QUERY SECONDS
// Prints the operations per second as {"parse": …, "validate": …, "introspect": …, "list": …}.
const { readFileSync } = require('fs')
const { buildSchema, execute, getIntrospectionQuery, parse, validate } = require('graphql')

const [schemaFile, queryFile, seconds] = process.argv.slice(2)
const schema = buildSchema(readFileSync(schemaFile, 'utf8'))
const query = readFileSync(queryFile, 'utf8')
const document = parse(query)

const errors = validate(schema, document)
if (errors.length > 0) throw errors[0]

function rate(body, batch = 20) {
  const run = (milliseconds) => {
    const end = performance.now() + milliseconds
    const start = performance.now()
    let count = 0
    while (performance.now() < end) {
      for (let i = 0; i < batch; i++) body()
      count += batch
    }
    return (count * 1000) / (performance.now() - start)
  }
  // The first run lets the just-in-time compiler optimize the code.
  run(1500)
  return run(Number(seconds) * 1000)
}

// Returns the response as text, as a server sends it.
function respond(schema, document, rootValue) {
  const result = execute({ schema, document, rootValue })
  if (result.errors) throw result.errors[0]
  return JSON.stringify(result)
}

const introspection = parse(getIntrospectionQuery())
const listSchema = buildSchema('type Query { items: [Item!]! } type Item { id: Int! name: String! price: Float! }')
const list = parse('{ items { id name price } }')
const items = Array.from({ length: 10000 }, (_, id) => ({ id, name: `Item number ${id}`, price: id + 0.5 }))

const result = {
  parse: rate(() => parse(query)),
  validate: rate(() => validate(schema, document)),
  introspect: rate(() => respond(schema, introspection), 5),
  list: rate(() => respond(listSchema, list, { items }), 1),
}
console.log(JSON.stringify(result))
