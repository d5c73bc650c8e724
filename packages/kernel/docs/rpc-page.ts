import { budgets } from '@kontor/orm';
import { type ErrorCode, errorCatalogue } from '@kontor/protocol';
import { sysField, sysModel } from '../addons/model-rows.ts';
import { maxIds, maxLimit, type RpcMethod, rpcMethods } from '../rpc/methods.ts';
import { schemas } from './rpc-clients.ts';
import { queries } from './rpc-queries.ts';
import { following, naming } from './rpc-sync.ts';

/** The content of `details`, by code; a code that is missing here does not compile. */
const details: Readonly<Record<ErrorCode, string>> = {
  INVALID_JSON: '',
  INVALID_ARGS: '`method`, `field`, `hint`; `budget` and `limit` of a call that would cost too much',
  UNAUTHORIZED: '',
  CSRF_INVALID: '',
  ACCESS_DENIED:
    '`model`, `operation`, `layer` (`model`, `rule`, `field`), and the reason, as far as the caller may know it',
  METHOD_NOT_ALLOWED: '`method`; 405 for a verb other than POST',
  MODEL_NOT_FOUND: '`model`',
  NOT_FOUND: '`missing_ids`',
  ACTION_NOT_FOUND: '`model`, `action`',
  CONFLICT:
    '`fields: {name: {base, mine, theirs}}` from a `write` with `base`; `key` from an Idempotency-Key; `reason` from a cursor of `sys.feed`',
  PAYLOAD_TOO_LARGE: '`max`, in bytes',
  UNSUPPORTED_MEDIA_TYPE: '',
  VALIDATION_ERROR: '`fields: {name: [messages]}`',
  USER_ERROR: 'details of the action; the message is for the user',
  RATE_LIMITED: '`retry_after` in seconds, as the header `Retry-After`',
  INTERNAL_ERROR: '`request_id` of the log entry; in development also `error`, `file` and `line`',
  NOT_INITIALISED: '',
  UNAVAILABLE: '',
};

const intro = `# JSON-RPC

Generated from the method table, the error catalogue and the definitions of models; a test runs every example on this page.
All record data go through \`POST /api/rpc\`. There is no other endpoint for them.

## A call
The body is one JSON object, at most 4 MB, with \`Content-Type: application/json\`:

| key | | |
|---|---|---|
| \`model\` | required | technical name, such as \`core.partner\` |
| \`method\` | required | one of the methods below |
| \`args\` | required | array of positional arguments; may be empty for some methods |
| \`kwargs\` | | object of named arguments |

The same object may be wrapped: \`{"params": {…}}\`. A repeated key, a number outside the range of a double or that
loses precision in one (\`999999999999999.99\`: send more than 15 digits as text), bytes that are not UTF-8 and nesting beyond 100 levels are rejected. Unknown keys, arguments and fields are errors that name them.

The answer is always complete:
\`\`\`
{"ok": true, "result": …, "error": null}
{"ok": false, "result": null, "error": {"code": "…", "message": "…", "details": {…}}}
\`\`\`

## Who calls
- **API key:** \`X-API-Key: sk_…\` or \`Authorization: Bearer sk_…\`. A request with a key is authenticated only by the key.
- **Session:** the cookie \`svc_session\` and, because browsers send cookies automatically, the header \`X-CSRF-Token\`.

An administrator creates a key under *Settings*, or with \`kontor key create\`, and sees its secret once. An optional scope lists methods by model:
\`{"sale.order": ["search_read", "read"], "*": ["search"]}\`. Otherwise the key has the rights of its owner: access rows, record rules and field
groups are those of the web client. An entry may also limit records and fields: \`{"sale.order": {"methods": ["search_read", "write"], "domain": [["state", "=", "sale"]],
"fields": ["name", "state", "note"]}}\`. Records outside the domain are then hidden as by a record rule; none can be created outside it or moved out of it. Only these
fields, \`id\` and \`display_name\` can be read, written, searched, sorted or grouped by. \`"*"\` takes only methods.

The scope must cover every model that a call names: dotted paths and nested projections in \`fields\`, paths, names and lists in a domain, paths of
\`order\`, \`groupby\` and measures, and x2many commands. Reading such a model requires any of \`search\`, \`search_read\`, \`read\` and \`read_group\` on
it; creating, changing or deleting a line a method that does so; linking or replacing one the right to read it; otherwise \`ACCESS_DENIED\` names the model. The id in
a many2one is a value of the record itself: it can be read and set with the rights of the owner. Data of other models that the call does not name are left out: labels in \`read_group\` and values of
\`onchange\` are empty, and \`changes\` of a dry run contain only models that the key may read. Actions, hooks and
jobs run with the rights of the owner.

| a key can | a key cannot |
|---|---|
| call every method on every model that its owner may use and its scope covers | do more than its owner; see what a record rule, a field group or the domain of its scope hides |
| read the metrics (as an administrator) and call addon routes that accept keys, if it has no scope | open the web client, exports, files or the bus: programs follow \`sys.feed\` |
| be used by several programs at once; they share its rate | create or rotate keys, or change a scope |
| be rotated by its owner or an administrator, in the profile, on the key or with \`kontor key rotate\`: the old secret stays valid for 24 hours, or 0 to 720 | be used after it has expired, is disabled or deleted, or its owner is archived: \`UNAUTHORIZED\` |

A key may belong to an agent ([agents.md](agents.md)): its changes are marked, and some or all of them need approval. Such a call answers 202 with
\`{"held": true, "proposal": 12, "state": "waiting", "changes": […]}\` as its result, and \`sys.proposal\` has its state. For all callers, \`kwargs.task\` (up to 120
characters) and \`kwargs.reason\` (500) of a changing call are stored with its change set; the changes of one task are listed and undone together. \`sys.reach\`, read with
\`search_read\`, lists the models that the caller may read and their rights: \`fields\` and \`actions\` are returned only on request.

The examples below expect \`KONTOR\` to be the address of the server and \`KEY\` a key:
\`\`\`sh
curl -s "$KONTOR/api/health"
\`\`\`
\`\`\`json
{"ok": true}
\`\`\`

## Headers
| header | |
|---|---|
| \`X-Request-ID\` | sent: comes back as it is, unless it has control characters or more than 1,000 characters; else one is made. The log and \`INTERNAL_ERROR\` name it (its first 128 characters) |
| \`Idempotency-Key\` | 1 to 200 visible characters, on a changing call: the same key and body from the same user within 24 hours get the first answer; another body is \`CONFLICT\` |
| \`X-Change-Set\` | in the answer of a call that changed something; \`call\` on \`sys.change.set\` with \`action_revert\` undoes it |
| \`X-Undo\` | \`no\` beside \`X-Change-Set\`: the change reached others, such as a mail, and \`action_revert\` fails |
| \`X-Agent\` | in answers to the key of an agent: its name |
| \`RateLimit-Limit\`, \`RateLimit-Remaining\`, \`RateLimit-Reset\` | in answers that were counted: calls per minute, calls that are left, seconds until the oldest calls no longer count |
| \`Retry-After\` | with \`RATE_LIMITED\`, in seconds |
| \`Accept-Encoding\` | sent with \`br\` or \`gzip\`: answers from 1,400 characters on come compressed (\`curl --compressed\`) |

**How often.** A person has \`rate_limit_rpm\` calls per minute (off unless configured), whatever keys and sessions they use; a key may have a rate of its own, and its calls count in both. No period of 60 seconds
holds more calls than that, over all processes; they may be used all at once. The headers describe the allowance that has least left.
`;

const actions = `## Actions
\`call\` runs an action or a move of a model; \`action_name\` starts with \`action_\`. \`vals\` are the answers to its questions, as texts: numbers and
dates as in records, \`true\`, \`false\`, \`1\` or \`0\`, a many2one by its id, a many2many by comma-separated ids, \`""\` for empty. \`active_ids\`
names the records if the id is 0. An unknown name is \`INVALID_ARGS\`, a wrong or missing answer \`VALIDATION_ERROR\` at its name.
\`onchange\` with \`kwargs.action\` and \`kwargs.active_ids\` (an array of ids) returns the initial answers and choices; its values are then answers.

A move is a transition between states. A plain \`write\` of the state, or of a stage of another state, is allowed if a move connects the two, with
the conditions, values and groups of that move; its questions and its handler run only with the move itself.
`;

const records = `## Records
A record's keys are \`id\` and exactly the requested paths. Without \`fields\`: every readable stored field and \`display_name\`, except
binary and x2many fields. A many2one is an id or null; its own fields come by dotted paths (\`country_id.code\`), up to 4 deep. x2many fields are
arrays of ids; a nested projection returns their fields: \`{"child_ids": ["name"]}\`. Dates are \`YYYY-MM-DD\`, datetimes ISO 8601 in UTC, decimals
exact JSON numbers, binaries base64.

x2many values in \`create\` and \`write\`: \`[["create", {…}], ["update", id, {…}], ["link", id], ["unlink", id], ["delete", id], ["set", [ids]], ["clear"]]\`.
`;

const costs = `## Cost limits
A call that would cost too much is rejected before it runs, with \`INVALID_ARGS\`; \`details\` has \`budget\`, \`limit\` and a \`hint\`. Record rules are not counted.
The same limits apply to lists, exports, saved searches and boards.

| budget | limit | counts |
|---|---|---|
| \`relations\` | ${budgets.relations} | relations in all conditions of a domain: \`["partner_id.country_id.code", "=", "NO"]\` has two; a condition on the name of a related record, on a list or on a tree has one. Several values of one path cost less with \`in\` |
| \`joins\` | ${budgets.joins} | relations in \`fields\`, \`order\`, \`groupby\` and measures; paths with the same beginning share them |
| \`paths\` | ${budgets.paths.outside} | entries of \`fields\`, including nested ones |
| \`groups\` | ${budgets.groups.toLocaleString('en-US')} | rows of a \`read_group\`; use \`limit\` and \`offset\` for pages; a larger \`limit\` is rejected |
| \`bytes\` | ${budgets.bytes.toLocaleString('en-US')} | the answer; it is sent in chunks as the caller reads it |

Besides, a domain has at most 1,000 conditions, 64 operators deep, of 8 steps and 10,000 values each; a text to look for has at most 2,000 characters.
`;

/** The text of docs/rpc.md. */
export function rpcPage(): string {
  return `${[intro, methodTable(), actions, records, queries(), costs, ...Object.keys(rpcExamples).map(methodSection), naming, following, errorTable(), modelSection(), schemas].join('\n').trim()}\n`;
}

/** Methods without an example, and examples without a method. */
export function undocumentedMethods(): readonly string[] {
  const shown = Object.keys(rpcExamples);
  return [
    ...[...rpcMethods.keys()].filter((name) => !shown.includes(name)),
    ...shown.filter((name) => !rpcMethods.has(name)),
  ];
}

function methodTable(): string {
  const rows = [...rpcMethods].map(([name, method]) => {
    const kwargs = method.kwargs.map((each) => `\`${each}\``).join(', ') || 'none';
    return `| \`${name}\` | \`${argumentsOf(method)}\` | ${kwargs} | ${method.result} | ${method.needs} |`;
  });
  const onReplica = [...rpcMethods].filter(([, method]) => method.mayUseReplica).map(([name]) => `\`${name}\``);
  const replicaMethods = onReplica.join(' and ');
  return `## Methods
| method | args | kwargs | result | needs |
|---|---|---|---|---|
${rows.join('\n')}

\`search\` returns records with their default fields; in the code of addons, \`env.model(…).search\` returns ids.
\`needs\` is the right on the model. A method that needs more than \`read\` is one transaction: all or nothing. With a replica configured, ${replicaMethods} use
it as soon as it has the caller's last write. \`limit\` is at most ${maxLimit}, the default; \`offset\` skips rows, \`order\` is
\`"field, -other"\`. A call takes up to ${maxIds.toLocaleString('en-US')} ids or rows. With \`dry_run\` everything runs and is rolled back; the result shows
what would have happened. With \`base\`, the values that the caller read, \`write\` merges changes that others made since.
`;
}

function argumentsOf({ args, isVariadic }: RpcMethod): string {
  return `[${args.join(', ')}${isVariadic ? ', …' : ''}]`;
}

function methodSection(name: string): string {
  const method = rpcMethods.get(name) as RpcMethod;
  const { model, args, kwargs, result, more } = rpcExamples[name] as RpcExample;
  const call = `{"model": "${model}", "method": "${name}", "args": ${args}${kwargs ? `, "kwargs": ${kwargs}` : ''}}`;
  return `### ${name}
${method.summary}
\`\`\`sh
curl -s "$KONTOR/api/rpc" -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -d @- <<END
${call}
END
\`\`\`
\`\`\`json
{"ok": true, "result": ${result}, "error": null}
\`\`\`
${more ? `${more}\n` : ''}`;
}

function errorTable(): string {
  const rows = Object.entries(errorCatalogue).map(
    ([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} | ${details[code as ErrorCode]} |`,
  );
  return `## Errors
| code | HTTP | default message | details |
|---|---|---|---|
${rows.join('\n')}

Below HTTP, an unreadable request gets 400, headers over 16 kB get 431, and a request that arrives too slowly gets 408.
\`\`\`sh
curl -s "$KONTOR/api/rpc" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d @- <<END
{"params": {"model": "core.partner", "method": "read", "args": [[2000000000]]}}
END
\`\`\`
\`\`\`json
{"ok": false, "result": null, "error": {"code": "NOT_FOUND", "message": "…", "details": {"model": "core.partner", "missing_ids": [2000000000]}}}
\`\`\`
`;
}

function modelSection(): string {
  const list = (definition: typeof sysModel) =>
    Object.entries(definition.fields ?? {})
      .map(([name, spec]) => `\`${name}\` (${(spec as { type: string }).type})`)
      .join(', ');
  return `## Models
The models depend on the installed modules. \`sys.model\` has ${list(sysModel)}; \`title\` is the label in the language of the caller. \`sys.field\` has
${list(sysField)}.
\`\`\`sh
curl -s "$KONTOR/api/rpc" -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -d @- <<END
{"model": "sys.field", "method": "search_read", "args": [[["model", "=", "core.currency"], ["name", "=", "name"]], ["name", "type", "required"]]}
END
\`\`\`
\`\`\`json
{"ok": true, "result": [{"id": 1, "name": "name", "type": "char", "required": true}], "error": null}
\`\`\`
`;
}

/**
 * A call of one method, as documented and as run by a test. `$ID` is the record that the example of `create` created.
 */
interface RpcExample {
  readonly model: string;
  readonly args: string;
  readonly kwargs?: string;
  /** Numbers are examples; everything else is the exact result. */
  readonly result: string;
  /** Further notes on the method. */
  readonly more?: string;
}

const aboutGroups = `
The spec, beside \`domain\`, \`groupby\` (fields, dotted paths, dates as \`date_order:month\`; at most 8) and \`fields\` (\`{name, field, measure}\`, with \`sum\`,
\`avg\`, \`min\`, \`max\`, \`count\`, \`count_distinct\` and \`ratio\`; at most 64):

| key | meaning |
|---|---|
| \`order\`, \`limit\`, \`offset\` | by any key of a row, \`-\` for descending. By default, and for ties, groups are in their natural order: choices as the model lists them, related records in the order of their model (such as stages) or by name, empty ones last; \`partner_id.display_name\` sorts by name, and \`stage_id.sequence\` by the order that users set |
| \`subtotals\` | \`[[], ["state"]]\`: adds groups by fewer entries of \`groupby\`, in the same statement. A row has only the keys of its set: an absent key means all values, null means none. Subtotals come first, in the requested order, the groups by all keys last, so that a \`limit\` never cuts off a total. A record with several tags is in the group of each and once in every total |
| \`money\` | \`true\`: each row has \`__money\`, the monetary measures by currency: \`{"total": [{"currency": "EUR", "value": 1200}]}\`. A measure over several currencies is null under its own name, since they have no common sum; currencies with a total of zero are left out. \`"EUR"\`, or \`"company"\` for the active company's currency: amounts are converted at the stored rates (\`rate\` of \`core.currency\`, or those of the record's date where the model names it), added, and rounded once to the digits of that currency; currencies without a rate stay apart in \`__money\`. Without \`money\`, amounts are added regardless of currency. Some models have separate fields in the company's currency (\`turnover\` of \`sale.order\`) |
| \`running\` | \`"date_order:month"\`, a date of \`groupby\`: sums and counts of a group include all earlier dates, and so do \`__count\` and \`__domain\`; records without a date come last |
| \`cohort\` | \`{"start": "date_order", "stop": "date_end", "interval": "month"}\` instead of \`groupby\`, with one measure, a sum or a count. A row describes the records that started in one period (\`date_order:month\`), \`__age\` periods later: the measure, \`__count\` and \`__domain\` are those of the records that remain (also in the period in which they ended), \`__began\` and \`__whole\` those of all that started, \`__left\` is the domain of the records that ended. Rows without the period combine all periods of that age, and their \`__domain\` is that of all that started. The newest 120 periods and 60 ages are returned, none in the future; measures over several currencies are null |
| \`load\` | \`{"start": "date_start", "stop": "date_end", "people": "assignee_ids", "hours": "hours_planned", "from": "2026-11-02", "to": "2026-11-16"}\` instead of \`groupby\` and \`fields\`: a row is of one person (\`assignee_ids\` and its name) on one day (\`__day\`; with \`"interval": "month"\` in the month that begins on it). \`__hours\` are shared by the people of a record and spread over the working time that each of them has in it, by the days of that person (\`work_calendar\` of a user: working hours, holidays and leave); without hours a record takes this working time. \`__domain\` is of the records under way on those days. At most 400 days |
| \`days\` | \`{"start": "start", "stop": "stop", "allDay": "all_day", "from": "2026-11-02", "to": "2026-11-16"}\` instead of \`groupby\` and \`fields\`: a row is of one day (\`__day\`) with the records that lie on it; \`stop\` and \`allDay\` may be absent. At most 400 days |

To compare two periods, ask twice: once for each, with the days of the period in \`domain\`. Rows belong together by their place in their period
(\`2026-11\` and \`2025-11\` against last year).`;

/** In an order in which they can be run one after another. */
const rpcExamples: Readonly<Record<string, RpcExample>> = {
  create: { model: 'core.partner', args: '[{"name": "Berg & Co", "city": "Oslo", "is_company": true}]', result: '7' },
  search: {
    model: 'core.currency',
    args: '[[["name", "=", "EUR"]]]',
    kwargs: '{"limit": 0}',
    result: '[]',
  },
  search_read: {
    model: 'core.partner',
    args: '[[["city", "ilike", "os"], ["is_company", "=", true]], ["name", "country_id.code", {"child_ids": ["name"]}]]',
    kwargs: '{"order": "name, -id", "limit": 80}',
    result: '[{"id": 7, "name": "Berg & Co", "country_id.code": null, "child_ids": []}]',
  },
  read: {
    model: 'core.partner',
    args: '[[$ID], ["name", "city"]]',
    result: '[{"id": 7, "name": "Berg & Co", "city": "Oslo"}]',
  },
  read_group: {
    model: 'core.partner',
    args: '[{"domain": [["city", "=", "Oslo"]], "groupby": ["city"], "fields": [{"name": "companies", "field": "id", "measure": "count"}]}]',
    result:
      '[{"city": "Oslo", "companies": 1, "__count": 1, "__domain": [["city", "=", "Oslo"], ["city", "=", "Oslo"]]}]',
    more: aboutGroups,
  },
  onchange: { model: 'core.partner', args: '[{"name": "Berg"}, "name"]', result: '{"value": {}}' },
  write: {
    model: 'core.partner',
    args: '[[$ID], {"city": "Bergen"}]',
    kwargs: '{"base": {"city": "Oslo"}}',
    result: 'true',
  },
  call: {
    model: 'core.partner',
    args: '[$ID, "action_archive"]',
    kwargs: '{"dry_run": true}',
    result:
      '{"dry_run": true, "result": true, "changes": [{"model": "core.partner", "id": 7, "operation": "write", "values": {"active": {"old": true, "new": false}}}]}',
  },
  create_many: { model: 'core.partner', args: '[[{"name": "Ada"}, {"name": "Grace"}]]', result: '[8, 9]' },
  write_many: { model: 'core.partner', args: '[[$ID], {"phone": "+47 22 00 00 00"}]', result: 'true' },
  unlink: { model: 'core.partner', args: '[[$ID]]', result: 'true' },
  unlink_many: { model: 'core.partner', args: '[[]]', result: 'true' },
};
