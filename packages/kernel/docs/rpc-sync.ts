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
- **Nothing is missed.** A transaction is shown once every transaction of the database with a lower number has ended. One that takes long holds the feed back
  until it ends, and its changes come then, never before a cursor that was handed out. A record comes once for each transaction.
- **Rights.** What the caller may not read is absent. What they could read before the change and cannot now is \`unlink\`, whether it was deleted, hidden or
  moved out of their company. A row tells no value: read the record, and take one that is not found as gone. Where rights are taken away, or a record is hidden by a change
  of another (somebody leaves a team), no record changes and nothing is told: read the ids again then. A line is hidden with its order.
- **A cursor is good for 59 days**, and stays good while it is asked for: a call that finds nothing for long gives a \`skip\` with a newer one. An older one is \`CONFLICT\` with
  \`reason\` \`expired\`, one from before a restore or a failover \`CONFLICT\` with \`reason\` \`history\`: begin again.
- **Not in it:** models whose changes are not kept (sessions, queues, logs), which are refused by name.
`;
