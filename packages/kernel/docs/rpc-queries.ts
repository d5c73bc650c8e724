import {
  type DomainOperator,
  domainOperators,
  type FieldType,
  type Granularity,
  granularities,
  hasMeasure,
  type Measure,
  measures,
  positiveOperator,
  toCriterion,
  typesThat,
  type ValueType,
} from '@kontor/protocol';

interface OperatorText {
  readonly means: string;
  /** A condition on core.partner, which a test runs. */
  readonly example: string;
}

/** The meaning of each operator; one that is missing here does not compile. */
const operators: Readonly<Record<DomainOperator, OperatorText>> = {
  '=': { means: 'is the value; `null`: is empty', example: '["city", "=", "Oslo"]' },
  '!=': {
    means: 'is not the value, or is empty; `null`: is not empty',
    example: '["parent_id", "!=", null]',
  },
  '<': { means: 'is less, or earlier', example: '["create_date", "<", "$today"]' },
  '<=': { means: 'is less, earlier or equal', example: '["id", "<=", 100]' },
  '>': { means: 'is greater, or later', example: '["write_date", ">", "2026-11-14T09:30:00Z"]' },
  '>=': { means: 'is greater, later or equal', example: '["create_date", ">=", "$month-1"]' },
  in: {
    means: 'is one of the values; with `null`: or empty',
    example: '["country_id.code", "in", ["NO", "SE"]]',
  },
  'not in': {
    means: 'is none of the values, or is empty unless `null` is among them',
    example: '["lang", "not in", ["de_DE", null]]',
  },
  like: { means: 'contains the text', example: '["name", "like", "Berg"]' },
  'not like': { means: 'does not contain it, or is empty', example: '["name", "not like", "Berg"]' },
  ilike: { means: 'contains the text, ignoring case', example: '["email", "ilike", "@example.com"]' },
  'not ilike': {
    means: 'does not contain it, ignoring case, or is empty',
    example: '["email", "not ilike", "@example.com"]',
  },
  '=like': {
    means: 'matches the whole pattern: `%` for any text, `_` for one character',
    example: '["zip", "=like", "01__"]',
  },
  '=ilike': { means: 'the same, ignoring case', example: '["name", "=ilike", "berg%"]' },
  child_of: {
    means: 'is the record (or one of several), or below it in a tree',
    example: '["parent_id", "child_of", [1, 2]]',
  },
  parent_of: { means: 'is the record (or one of several), or above it in a tree', example: '["id", "parent_of", 1]' },
};

/** The meaning of each measure; `hasMeasure` says for which types. */
const measureTexts: Readonly<Record<Measure, string>> = {
  sum: 'the sum, 0 if there are no values; exact if the values are',
  count: 'the number of records with a value',
  avg: 'the average of the values, null if there are none',
  min: 'the minimum or earliest, null if there are none',
  max: 'the maximum or latest, null if there are none',
  count_distinct: 'how many different values there are',
  ratio: 'the sum of one field per sum of another, as the field declares; null where the second is 0',
};

/** The value of a group, as the answer writes it. */
const granularityTexts: Readonly<Record<Granularity, string>> = {
  hour: '`2026-11-14T09`; only for datetimes',
  day: '`2026-11-14`',
  week: "`2026-W46`, as the caller's company counts weeks; by ISO 8601 from Monday in most countries",
  month: '`2026-11`',
  quarter: '`2026-Q4`',
  year: '`2026`',
};

/** How to query records, for docs/rpc.md. */
export function queries(): string {
  return `## Domains
A domain is an array of conditions \`[path, operator, value]\`, ANDed; \`"&"\`, \`"|"\`, \`"!"\` are prefix operators:
\`["|", ["city", "=", "Oslo"], "!", ["is_company", "=", true]]\`. A path may follow relations (\`country_id.code\`); a condition on a list holds if it holds for
some line. A relation is compared by id, or by the name of its record if the value is a text.

| operator | the field | field types | example |
|---|---|---|---|
${domainOperators.map(operatorRow).join('\n')}

- **Empty** means null, also \`""\` in texts, and no lines in a list; \`false\` means empty in all fields but booleans, where empty and \`false\` are the same. Files and
  JSON can only be compared by \`=\` and \`!=\` with \`null\`.
- **Texts** are ordered by code point, and \`like\` takes \`%\` and \`_\` literally. Decimals compare exactly. For \`like\` and its relatives a number is its digits without trailing zeros: \`1250.5\`.
- **Tokens:** \`$uid\`, \`$company_id\`, \`$company_ids\`, \`$today\`, \`$now\`, and the first day of a period: \`$day\`, \`$week\`, \`$month\`, \`$quarter\`, \`$year\`, with an offset such as
  \`$month-1\`, the previous one. They are evaluated for the caller, in their time zone.

## Dates and times
| field | written | read | in a domain |
|---|---|---|---|
| \`date\` | \`"2026-11-14"\` | the same | the same, or a token |
| \`datetime\` | ISO 8601 with \`Z\` or an offset: \`"2026-11-14T09:30:00Z"\`, \`"2026-11-14T10:30+01:00"\`; without one it is rejected | in UTC, to the millisecond: \`"2026-11-14T09:30:00.000Z"\` | the same, a token, or a date, which means its start in the caller's time zone |

\`null\` empties either. Groups by a part of a date or time are in the caller's time zone:

| \`groupby\` | value of a group |
|---|---|
${granularities.map((name) => `| \`create_date:${name}\` | ${granularityTexts[name]} |`).join('\n')}

## Measures
| measure | value | field types |
|---|---|---|
${measures.map(measureRow).join('\n')}

A field that declares another \`aggregate\` than a sum, such as a percentage, has no \`sum\`.

## Order
\`order\` is \`"field, -other"\`, with at most 16 fields. A many2one sorts by the name of its record; lists, files, JSON and unstored computes cannot be sorted. Empty values come
last, and with \`-\` first. The default is the order of the model. **Ties** are broken by \`id\`, ascending, unless \`id\` is part of the order: while nothing changes, two pages
never repeat or omit a record. To read all records of a large model, page by \`id\`: \`[["id", ">", last]]\` with \`"order": "id"\`.

## Counting
There is no method to count: a \`read_group\` without groups returns \`__count\`, by the same rules as the records themselves.
\`\`\`sh
curl -s "$KONTOR/api/rpc" -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -d @- <<END
{"model": "core.country", "method": "read_group", "args": [{"domain": [["code", "in", ["NO", "SE"]]], "groupby": [], "fields": []}]}
END
\`\`\`
\`\`\`json
{"ok": true, "result": [{"__count": 2, "__domain": [["code", "in", ["NO", "SE"]]]}], "error": null}
\`\`\`

## Archived records
Models with a field \`active\` can archive records: \`action_archive\` sets \`active\` to \`false\`, \`action_unarchive\` to \`true\`. The web client hides archived records. **RPC does not:** every method finds and reads them, also in relations and groups; add \`["active", "=", true]\` to exclude them. An archived
user cannot sign in, and their keys do not work.
`;
}

function operatorRow(operator: DomainOperator): string {
  const { means, example } = operators[operator];
  return `| \`${operator}\` | ${means} | ${named(typesFor(operator))} | \`${example}\` |`;
}

function measureRow(measure: Measure): string {
  const types = measure === 'ratio' ? 'numbers that declare it' : named(typesThat((type) => hasMeasure(type, measure)));
  return `| \`${measure}\` | ${measureTexts[measure]} | ${types} |`;
}

function named(types: readonly FieldType[]): string {
  return types.map((type) => `\`${type}\``).join(', ');
}

/** A valid value for a condition, whatever the type. */
const samples: readonly unknown[] = [1, 'x', true, '2026-11-14'];

function typesFor(operator: DomainOperator): readonly FieldType[] {
  return typesThat(({ valueType }) => samples.some((value) => isTaken(operator, valueType, value)));
}

function isTaken(operator: DomainOperator, type: ValueType, value: unknown): boolean {
  const positive = positiveOperator(operator);
  try {
    const given = positive === 'in' ? [value] : value;
    return toCriterion({ type, operator: positive, value: given, tz: 'UTC', field: 'field' }) !== null;
  } catch {
    return false;
  }
}
