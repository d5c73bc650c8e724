/** How programs keep a copy of records, for docs/rpc.md. */
export const following = `## Following what changes
The model \`sys.feed\` tells what changed, deletions included. It is read with \`search_read\` alone, by up to three conditions, each at most once:
\`["cursor", ">", …]\`, \`["model", "=" or "in", …]\` and \`["res_id", "=" or "in", …]\`. Rows come in the order of the cursor, \`limit\` as ever; ask again with the
last cursor until nothing comes.
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
| \`cursor\` | where this row is; opaque. Keep it once the row is dealt with |
| \`model\`, \`res_id\` | the record |
| \`operation\` | what to do: \`create\` or \`write\`, read the record; \`unlink\`, drop it; \`skip\`, nothing but to keep the cursor |
| \`fields\` | names of changed fields that the caller may read |
| \`at\` | when the transaction began |
| \`change_set\` | the \`X-Change-Set\` of the call that did it: so a program knows its own changes again |

- **To begin:** keep the cursor of \`["cursor", ">", "now"]\`, read all records, then follow from that cursor. Without a cursor the feed begins with the oldest change
  that is kept.
- **Nothing is missed, and nothing is held back.** A change is shown as soon as it is committed, whatever else is running. The changes of a transaction that takes long,
  such as an import, come after its end, behind every cursor that was handed out before. Those of one record come in order, and a record comes once for each transaction.
- **A cursor is opaque** and has up to 2,000 characters. Cursors that an earlier version handed out stay good.
- **Rights.** What the caller may not read is absent. What they could read before the change and cannot now is \`unlink\`, whether it was deleted, hidden or
  moved out of their company. A row tells no value: read the record, and take one that is not found as gone. Where rights are taken away, or a record is hidden by a change
  of another (somebody leaves a team), no record changes and nothing is told: read the ids again then. A line is hidden with its order.
- **A cursor is good for 59 days**, and stays good while it is asked for: a call that finds nothing for long gives a \`skip\` with a newer one. An older one is \`CONFLICT\` with
  \`reason\` \`expired\`, one from before a restore or a failover \`CONFLICT\` with \`reason\` \`history\`: begin again.
- **Not in it:** models whose changes are not kept (sessions, queues, logs), which are refused by name.
`;

export const naming = `## Names of records
An external id such as \`erp.customer_17\` names a record for a program: a prefix of the program's own (\`a-z\`, digits, \`_\`), a dot, and up to 128 letters,
digits, \`_\` and \`-\`. Prefixes of modules belong to those. A record may have several; a name whose record was deleted is free again.

- **With many records:** \`create_many\` with \`kwargs.external_ids\`, one for each row (null: none), names what it makes. With \`kwargs.upsert: true\` rows whose
  external id names a record are written instead; with \`kwargs.upsert: "ref"\` those whose \`ref\`, a field that no two records share, is there. To write needs the right to write, also
  of the key. The ids come back in the order of the rows, so that the same call can be repeated. Bad rows are in \`details.rows\` by their \`index\`.
- **To look up, to read and to give one:** the model \`sys.external.id\` has \`external_id\`, \`model\` and \`res_id\`. \`search_read\` takes \`["model", "=", …]\` and, each once, \`external_id\`
  and \`res_id\` with \`=\` or \`in\`; \`create\` names a record that the caller may change, \`unlink\` takes the name back. Only names of records that the caller may read are told.
- **Values of their own:** \`write_many\` with \`kwargs.each\`, one \`{"values": {…}, "base": {…}}\` for each id, writes them over the common values; \`base\` is that of \`write\`. One
  \`CONFLICT\`, which tells its \`id\`, and nothing is written.
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
