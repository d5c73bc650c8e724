/** How programs discover models and fields, for docs/rpc.md. */
export const schemas = `## Schemas
Two addresses describe the calls and answers of the endpoint in this database, in the caller's language and limited to what they may use: models, methods,
fields and actions that the user or the key may not use are left out. Both accept a key or a session, and count as calls.

- \`GET /web/openapi.json\`: OpenAPI 3.1 of \`POST /api/rpc\`. Each model has \`core.partner-record\` (records in answers), \`core.partner-values\` (values of \`write\`),
  \`core.partner-create\` (the same, with required values) and \`core.partner-calls\`: every available call, with the schema of its result in \`x-result\` and the questions of
  its actions in \`x-actions\`.
- \`GET /web/schema/core.partner.json\`: JSON Schema (draft 2020-12) of one model: a record, and under \`$defs\` the values of \`write\` (\`values\`) and \`create\`.

All properties of a record are optional, since it contains what was requested, except \`id\`. \`readOnly\` marks fields that cannot be written, \`x-type\` is the type of the
field, \`x-model\` the model of a relation, \`x-labels\` the labels of choices. Rules in code (constraints, locks of states, record rules) are not part of a
schema: a valid call may still be rejected. [Clients](clients.md) for TypeScript and Python have types, pages, retries, conflicts and the feed.
\`\`\`sh
curl -s "$KONTOR/web/schema/core.country.json" -H "X-API-Key: $KEY" | node -p 'JSON.stringify(Object.keys(JSON.parse(fs.readFileSync(0)).$defs))'
\`\`\`
\`\`\`json
["values", "create"]
\`\`\`
`;
