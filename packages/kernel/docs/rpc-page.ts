import { budgets } from '@kontor/orm';
import { type ErrorCode, errorCatalogue } from '@kontor/protocol';
import { sysField, sysModel } from '../addons/model-rows.ts';
import { maxIds, maxLimit, type RpcMethod, rpcMethods } from '../rpc/methods.ts';
import { schemas } from './rpc-clients.ts';
import { queries } from './rpc-queries.ts';
import { following, naming } from './rpc-sync.ts';

/** What `details` holds, by code; a code that is missing here does not compile. */
const details: Readonly<Record<ErrorCode, string>> = {
  INVALID_JSON: '',
  INVALID_ARGS: '`method`, `field`, `hint`; `budget` and `limit` of a call that would cost too much',
  UNAUTHORIZED: '',
  CSRF_INVALID: '',
  ACCESS_DENIED: '`model`, `operation`, `layer` (`model`, `rule`, `field`), and what the caller may know of why',
  METHOD_NOT_ALLOWED: '`method`; 405 for a verb other than POST',
  MODEL_NOT_FOUND: '`model`',
  NOT_FOUND: '`missing_ids`',
  ACTION_NOT_FOUND: '`model`, `action`',
  CONFLICT:
    '`fields: {name: {base, mine, theirs}}` from a `write` with `base`; `key` from an Idempotency-Key; `reason` from a cursor of `sys.feed`',
  PAYLOAD_TOO_LARGE: '`max`, in bytes',
  UNSUPPORTED_MEDIA_TYPE: '',
  VALIDATION_ERROR: '`fields: {name: [messages]}`',
  USER_ERROR: 'what the action adds; the message is for the person',
  RATE_LIMITED: '`retry_after` in seconds, as the header `Retry-After`',
  INTERNAL_ERROR: '`request_id`, under which the log has more; in development also `error`, `file` and `line`',
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

The same object may be wrapped: \`{"params": {…}}\`. A key that is given twice, a number past the range of a double or that
would become another in one (\`999999999999999.99\`: send more than 15 digits as text), bytes that are not UTF-8 and nesting past 100 are refused. Unknown keys, arguments and fields are errors that name them.

The answer is always complete:
\`\`\`
{"ok": true, "result": …, "error": null}
{"ok": false, "result": null, "error": {"code": "…", "message": "…", "details": {…}}}
\`\`\`

## Who calls
- **API key:** \`X-API-Key: sk_…\` or \`Authorization: Bearer sk_…\`. A request with a key is judged by the key alone.
- **Session:** the cookie \`svc_session\` and, since browsers send cookies by themselves, the header \`X-CSRF-Token\`.

An administrator makes a key under *Settings*, or with \`kontor key create\`, and sees its secret once. Its scope, if it has one, names methods by model:
\`{"sale.order": ["search_read", "read"], "*": ["search"]}\`. Everything else is what its owner may do: access rows, record rules and field
groups are those of the web client. An entry may say more than methods: \`{"sale.order": {"methods": ["search_read", "write"], "domain": [["state", "=", "sale"]],
"fields": ["name", "state", "note"]}}\`. Records outside the domain are then as those that a record rule hides, by every way; none can be made there or moved out of it. No
field but those, \`id\` and \`display_name\` can be read, written, searched, sorted or grouped by. \`"*"\` takes methods alone.

A scope covers every model that a call names on its way: dotted paths and nested projections in \`fields\`, paths, names and lists in a domain, what
\`order\`, \`groupby\` and measures go through, and x2many commands. To read there takes any of \`search\`, \`search_read\`, \`read\` and \`read_group\` on
that model, to make, change or delete a line a method that does so, to link or replace one to read it; else \`ACCESS_DENIED\` names the model. The id in
a many2one is a value of the record itself: it is read and set as the owner may. What nobody named is left out: labels in \`read_group\` and what
\`onchange\` would tell of other models are empty, and \`changes\` of a dry run are those of models that the key may read. What an action, a hook or a
job does inside runs as the owner.

| a key can | a key cannot |
|---|---|
| call every method on every model that its owner may and its scope names | do more than its owner; see what a record rule, a field group or the domain of its scope hides |
| open the metrics (of an administrator) and routes of addons that take keys, if it has no scope | open the web client, exports, files or the bus: programs follow \`sys.feed\` |
| be used by several programs at once; they share its rate | make or rotate keys, or change a scope |
| be rotated by its owner or an administrator, in the profile, on the key or with \`kontor key rotate\`: the old secret goes on for 24 hours, or 0 to 720, and then ends | go on once it has expired, is switched off or deleted, or its owner is archived: \`UNAUTHORIZED\` |

A key may be that of an agent ([agents.md](agents.md)): its changes are marked, and some or all of them wait for a person. Such a call answers 202 with
\`{"held": true, "proposal": 12, "state": "waiting", "changes": […]}\` as its result, and \`sys.proposal\` tells what became of it. Whoever calls, \`kwargs.task\` (up to 120
characters) and \`kwargs.reason\` (500) of a changing call are kept with its change set; what is of one task is listed and taken back as one. \`sys.reach\`, read with
\`search_read\`, tells which models the caller may read and what they may do there: \`fields\` and \`actions\` come when they are asked for.

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
| \`X-Undo\` | \`no\` beside \`X-Change-Set\`: what was done reached others, such as a mail, and \`action_revert\` is refused |
| \`X-Agent\` | in answers to the key of an agent: its name |
| \`RateLimit-Limit\`, \`RateLimit-Remaining\`, \`RateLimit-Reset\` | in answers that were counted: calls per minute, calls that are left, seconds until the oldest calls no longer count |
| \`Retry-After\` | with \`RATE_LIMITED\`, in seconds |
| \`Accept-Encoding\` | sent with \`br\` or \`gzip\`: answers from 1,400 characters on come compressed (\`curl --compressed\`) |

**How often.** A person has \`rate_limit_rpm\` calls per minute (off unless configured), whatever keys and sessions they use; a key may have a rate of its own, and its calls count in both. No period of 60 seconds
holds more calls than that, over all processes; they may be used all at once. The headers describe the allowance that has least left.
`;

const actions = `## Actions
\`call\` runs an action or a move of a model; \`action_name\` begins with \`action_\`. \`vals\` are the answers to what it asks, as texts: numbers and
dates as in records, \`true\`, \`false\`, \`1\` or \`0\`, a many2one by its id, a many2many by ids with commas between, \`""\` for nothing. \`active_ids\`
names the records when the id is 0. A name that is not asked is \`INVALID_ARGS\`, a wrong or missing answer \`VALIDATION_ERROR\` at its name.
\`onchange\` with \`kwargs.action\` and \`kwargs.active_ids\` (an array of ids) gives the first answers and what may be chosen; its values are then answers.

A move leads from some states to another. A plain \`write\` of the state, or of a stage of another state, passes where a move joins the two, with what
that move needs, sets and whom it is for; what it asks, and what it does besides, belongs to the move itself.
`;

const records = `## Records
A record's keys are \`id\` and exactly the paths that were asked for. Without \`fields\`: every readable stored field and \`display_name\`, no
binary and no x2many. A many2one is an id or null; its own fields come by dotted paths (\`country_id.code\`), up to 4 deep. x2many fields are
arrays of ids; a nested projection gives their fields: \`{"child_ids": ["name"]}\`. Dates are \`YYYY-MM-DD\`, datetimes ISO 8601 in UTC, decimals
exact JSON numbers, binaries base64.

x2many values in \`create\` and \`write\`: \`[["create", {…}], ["update", id, {…}], ["link", id], ["unlink", id], ["delete", id], ["set", [ids]], ["clear"]]\`.
`;

const costs = `## What a call may cost
A call that would cost too much is refused before it runs, with \`INVALID_ARGS\`; \`details\` has \`budget\`, \`limit\` and a \`hint\`. Record rules are not counted.
The same holds for lists, exports, saved searches and boards.

| budget | limit | counts |
|---|---|---|
| \`relations\` | ${budgets.relations} | relations that the conditions of a domain go through, all together: \`["partner_id.country_id.code", "=", "NO"]\` goes through two; so does a condition on the name of a related record, on a list or on a tree through one. Several values of one path cost less with \`in\` |
| \`joins\` | ${budgets.joins} | relations that \`fields\`, \`order\`, \`groupby\` and measures go through; paths with the same beginning share them |
| \`paths\` | ${budgets.paths.outside} | entries of \`fields\`, nested ones included |
| \`groups\` | ${budgets.groups.toLocaleString('en-US')} | rows of a \`read_group\`; with \`limit\` and \`offset\` they come in parts, and a larger \`limit\` is refused |
| \`bytes\` | ${budgets.bytes.toLocaleString('en-US')} | the answer; it is sent in pieces as the caller takes it |

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

\`needs\` is the right on the model. What needs more than \`read\` is one transaction: all or nothing. With a replica configured, ${replicaMethods} are
answered by it as soon as it has what the caller last wrote. \`limit\` is ${maxLimit} unless it is less, \`offset\` skips rows, \`order\` is
\`"field, -other"\`. A call takes up to ${maxIds.toLocaleString('en-US')} ids or rows. With \`dry_run\` everything runs and is taken back; the result tells
what would have happened. With \`base\`, the values that the caller saw, \`write\` merges what others changed meanwhile.
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
| code | HTTP | message, unless there is a better one | details |
|---|---|---|---|
${rows.join('\n')}

Below HTTP, a request that cannot be read gets 400, headers over 16 kB get 431, and one that takes too long to arrive gets 408.
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
Which models there are depends on the installed modules; the server tells. \`sys.model\` has ${list(sysModel)}. \`sys.field\` has
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

/** A call of one method, as it is shown and as a test runs it. `$ID` is the record that the example of `create` made. */
interface RpcExample {
  readonly model: string;
  readonly args: string;
  readonly kwargs?: string;
  /** Numbers are examples; everything else is what comes back. */
  readonly result: string;
  /** What else there is to know of the method. */
  readonly more?: string;
}

const aboutGroups = `
The spec, beside \`domain\`, \`groupby\` (fields, dotted paths, dates as \`date_order:month\`; at most 8) and \`fields\` (\`{name, field, measure}\`, with \`sum\`,
\`avg\`, \`min\`, \`max\`, \`count\` and \`count_distinct\`; at most 64):

| key | means |
|---|---|
| \`order\`, \`limit\`, \`offset\` | by any key of a row, \`-\` for descending. Without an order, and where it says nothing, groups come in the order that people know: choices as the model lists them, related records as their own model sorts them (stages as they follow each other), or by name where it does not, empty ones last; \`partner_id.display_name\` sorts by name, and \`stage_id.sequence\` by the place of records that people put into an order |
| \`subtotals\` | \`[[], ["state"]]\`: besides the groups by all of \`groupby\`, groups by fewer of its entries, in the same statement. A row has the keys of its set alone: an absent key means all values, null means none. Subtotals come first, in the order asked for, the groups by all keys last, so that a \`limit\` never cuts a total. A record with several tags is in the group of each and once in every total |
| \`money\` | \`true\`: each row has \`__money\`, the measures of money by currency: \`{"total": [{"currency": "EUR", "value": 1200}]}\`. A measure whose records are in several currencies is null under its own name, since amounts of two currencies have no sum; currencies that come to nothing are left out. Without it amounts are added whatever they stand for. Amounts in the company's currency are fields of their own where a model has them (\`turnover\` of \`sale.order\`) |
| \`running\` | \`"date_order:month"\`, a date of \`groupby\`: sums and counts of a group are of all dates up to it, and so are \`__count\` and \`__domain\`; records without a date come last |
| \`cohort\` | \`{"start": "date_order", "stop": "date_end", "interval": "month"}\` instead of \`groupby\`, with one measure, a sum or a count. A row is of those who began in one period (\`date_order:month\`), \`__age\` periods later: the measure, \`__count\` and \`__domain\` are of those who are still there (in the period in which they ended, too), \`__began\` and \`__whole\` of all who began, \`__left\` is the domain of those who are not. Rows without the period are of all periods that are that old, and their \`__domain\` is of those who began. The newest 120 periods and 60 ages are told, none that are still to come; measures that would add several currencies are null |
| \`load\` | \`{"start": "date_start", "stop": "date_end", "people": "assignee_ids", "hours": "hours_planned", "from": "2026-11-02", "to": "2026-11-16"}\` instead of \`groupby\` and \`fields\`: a row is of one person (\`assignee_ids\` and its name) on one day (\`__day\`; with \`"interval": "month"\` in the month that begins on it). \`__hours\` are shared by the people of a record and spread over its working days, Monday to Friday; without hours it takes its people as long as it lasts, up to \`dayHours\` (8). \`__domain\` is of the records under way on those days. At most 400 days |

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
