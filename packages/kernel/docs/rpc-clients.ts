/** How programs learn what there is, for docs/rpc.md. */
export const schemas = `## Schemas
Two addresses tell what the endpoint takes and answers in this database, in the language of whoever asks and with no more than they may use: models, methods,
fields and actions that are closed to the person, or outside of the key, are not there. Both take a key or a session, and count as calls.

- \`GET /web/openapi.json\`: OpenAPI 3.1 of \`POST /api/rpc\`. Of each model there are \`core.partner-record\` (what is read), \`core.partner-values\` (what \`write\` takes),
  \`core.partner-create\` (the same, and what may not be left out) and \`core.partner-calls\`: every call that is open, with the schema of its result in \`x-result\` and what
  its actions ask in \`x-actions\`.
- \`GET /web/schema/core.partner.json\`: JSON Schema (draft 2020-12) of one model: a record, and under \`$defs\` what \`write\` (\`values\`) and \`create\` take.

A record may have any of its properties, since it has what was asked for; \`id\` is always there. \`readOnly\` marks what cannot be written, \`x-type\` is the type of the
field, \`x-model\` the model that a relation leads to, \`x-labels\` the words for choices. What only code knows (constraints, locks of states, rules about records) is not in a
schema: a call that fits may still be refused. [Clients](clients.md) for TypeScript and Python have types, pages, retries, conflicts and the feed.
\`\`\`sh
curl -s "$KONTOR/web/schema/core.country.json" -H "X-API-Key: $KEY" | node -p 'JSON.stringify(Object.keys(JSON.parse(fs.readFileSync(0)).$defs))'
\`\`\`
\`\`\`json
["values", "create"]
\`\`\`
`;
