/** How programs keep a copy of records, for docs/rpc.md. */
export const following = `## Following what changes
The model \`sys.feed\` lists changes, including deletions. It supports only \`search_read\`, with up to three conditions, each at most once:
\`["cursor", ">", …]\`, \`["model", "=" or "in", …]\` and \`["res_id", "=" or "in", …]\`. Rows are in the order of the cursor, with \`limit\` as usual; repeat with the
last cursor until there are no more.
\`\`\`sh
curl -s "$KONTOR/api/rpc" -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -d @- <<END
{"model": "sys.feed", "method": "search_read", "args": [[["cursor", ">", "now"]], ["cursor", "operation"]]}
END
\`\`\`
\`\`\`json
{"ok": true, "result": [{"id": 0, "cursor": "…", "operation": "skip"}], "error": null}
\`\`\`

| field | |
|---|---|
| \`cursor\` | the position of this row; opaque. Store it once the row is processed |
| \`model\`, \`res_id\` | the record |
| \`operation\` | what to do: \`create\` or \`write\`: read the record; \`unlink\`: delete it; \`skip\`: only store the cursor |
| \`fields\` | names of changed fields that the caller may read |
| \`at\` | the start of the transaction |
| \`change_set\` | the \`X-Change-Set\` of the call, so that a program recognises its own changes |

- **Start:** store the cursor of \`["cursor", ">", "now"]\`, read all records, then follow from that cursor. Without a cursor the feed starts with the oldest kept
  change.
- **Complete and immediate.** A change is listed as soon as it is committed, whatever else is running. The changes of a long transaction,
  such as an import, come after its end, behind every cursor that was returned before. Changes of one record come in order, and a record comes once per transaction.
- **A cursor is opaque** and has up to 2,000 characters. Cursors of an earlier version stay valid.
- **Rights.** Records that the caller may not read are left out. A record that they could read before the change but not after it is \`unlink\`, whether it was deleted, hidden or
  moved to another company. A row contains no values: read the record, and treat one that is not found as deleted. If rights are revoked, or a change of another record hides a record
  (somebody leaves a team), no record changes and nothing is listed: read the ids again in that case. A line is hidden with its order.
- **A cursor is valid for 59 days**, and stays valid while it is used: a call without changes eventually returns a \`skip\` with a newer one. An older cursor is a \`CONFLICT\` with
  \`reason\` \`expired\`, one from before a restore or a failover a \`CONFLICT\` with \`reason\` \`history\`: start again.
- **Not included:** models whose changes are not stored (sessions, queues, logs); naming them is an error.
`;

export const naming = `## Names of records
An external id such as \`erp.customer_17\` identifies a record for a program: a prefix of the program (\`a-z\`, digits, \`_\`), a dot, and up to 128 letters,
digits, \`_\` and \`-\`. Prefixes of modules are reserved. A record may have several; the name of a deleted record can be used again.

- **With many records:** \`create_many\` with \`kwargs.external_ids\`, one for each row (null: none), names the new records. With \`kwargs.upsert: true\` rows whose
  external id exists are written instead; with \`kwargs.upsert: "ref"\` those whose \`ref\`, a unique field, exists. Writing requires the right to write, also
  in the scope of the key. The ids are returned in the order of the rows, so that the same call can be repeated. Bad rows are in \`details.rows\` by their \`index\`.
- **To read and set them:** the model \`sys.external.id\` has \`external_id\`, \`model\` and \`res_id\`. \`search_read\` takes \`["model", "=", …]\` and, each once, \`external_id\`
  and \`res_id\` with \`=\` or \`in\`; \`create\` names a record that the caller may change, \`unlink\` removes the name. Only names of records that the caller may read are returned.
- **Different values:** \`write_many\` with \`kwargs.each\`, one \`{"values": {…}, "base": {…}}\` for each id, overrides the common values; \`base\` is that of \`write\`. A single
  \`CONFLICT\`, which has its \`id\`, rolls back everything.
\`\`\`sh
curl -s "$KONTOR/api/rpc" -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -d @- <<END
{"model": "core.partner", "method": "create_many", "args": [[{"name": "Berg & Co"}]], "kwargs": {"external_ids": ["erp.customer_17"], "upsert": true}}
END
\`\`\`
\`\`\`json
{"ok": true, "result": [7], "error": null}
\`\`\`
\`\`\`sh
curl -s "$KONTOR/api/rpc" -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -d @- <<END
{"model": "sys.external.id", "method": "search_read", "args": [[["model", "=", "core.partner"], ["external_id", "=", "erp.customer_17"]], ["res_id"]]}
END
\`\`\`
\`\`\`json
{"ok": true, "result": [{"id": 1, "res_id": 7}], "error": null}
\`\`\`
`;
