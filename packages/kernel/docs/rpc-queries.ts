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

/** What each operator asks; one that is missing here does not compile. */
const operators: Readonly<Record<DomainOperator, OperatorText>> = {
  '=': { means: 'is the value; `null`: is empty', example: '["city", "=", "Oslo"]' },
  '!=': {
    means: 'is not the value, so that empty ones are found too; `null`: is not empty',
    example: '["parent_id", "!=", null]',
  },
  '<': { means: 'is less, or earlier', example: '["create_date", "<", "$today"]' },
  '<=': { means: 'is less, earlier or the same', example: '["id", "<=", 100]' },
  '>': { means: 'is more, or later', example: '["write_date", ">", "2026-11-14T09:30:00Z"]' },
  '>=': { means: 'is more, later or the same', example: '["create_date", ">=", "$month-1"]' },
  in: {
    means: 'is one of the values; `null` among them: or empty',
    example: '["country_id.code", "in", ["NO", "SE"]]',
  },
  'not in': {
    means: 'is none of the values; empty ones are found unless `null` is among them',
    example: '["lang", "not in", ["de_DE", null]]',
  },
  like: { means: 'contains the text', example: '["name", "like", "Berg"]' },
  'not like': { means: 'does not contain it; empty ones are found', example: '["name", "not like", "Berg"]' },
  ilike: { means: 'contains the text, in large or small letters', example: '["email", "ilike", "@example.com"]' },
  'not ilike': { means: 'does not; empty ones are found', example: '["email", "not ilike", "@example.com"]' },
  '=like': {
    means: 'fits the whole pattern: `%` for any text, `_` for one character',
    example: '["zip", "=like", "01__"]',
  },
  '=ilike': { means: 'the same, in large or small letters', example: '["name", "=ilike", "berg%"]' },
  child_of: {
    means: 'is the record, one of several, or below it in a tree',
    example: '["parent_id", "child_of", [1, 2]]',
  },
  parent_of: { means: 'is the record, one of several, or above it in a tree', example: '["id", "parent_of", 1]' },
};

/** What each measure tells; for `hasMeasure` to say of which types. */
const measureTexts: Readonly<Record<Measure, string>> = {
  sum: 'the sum, 0 of nothing; exact where the values are',
  count: 'how many records have a value',
  avg: 'the average of the values there are, null of none',
  min: 'the least or earliest, null of none',
  max: 'the greatest or latest, null of none',
  count_distinct: 'how many different values there are',
};

/** The value of a group, as the answer writes it. */
const granularityTexts: Readonly<Record<Granularity, string>> = {
  hour: '`2026-11-14T09`; of datetimes alone',
  day: '`2026-11-14`',
  week: '`2026-W46`, by ISO 8601: from Monday',
  month: '`2026-11`',
  quarter: '`2026-Q4`',
  year: '`2026`',
};

/** How records are asked for, for docs/rpc.md. */
export function queries(): string {
  return `## Domains
A domain is an array of conditions \`[path, operator, value]\`, ANDed; \`"&"\`, \`"|"\`, \`"!"\` come before what they combine:
\`["|", ["city", "=", "Oslo"], "!", ["is_company", "=", true]]\`. A path may go through relations (\`country_id.code\`); of a list it holds when it does of
some line. A relation is compared by id, or with a text by the name of the record.

| operator | the value | on fields of type | example |
|---|---|---|---|
${domainOperators.map(operatorRow).join('\n')}

- **Empty** is null, in texts \`""\` too, in a list to have no lines; \`false\` stands for it anywhere but in a boolean, where nothing and \`false\` are the same. Files and
  JSON can only be asked with \`=\` and \`!=\` \`null\`.
- **Texts** are ordered by code point, and \`like\` takes \`%\` and \`_\` as they are. Decimals compare exactly.
- **Words for values:** \`$uid\`, \`$company_id\`, \`$company_ids\`, \`$today\`, \`$now\`, and the first day of a period: \`$day\`, \`$week\`, \`$month\`, \`$quarter\`, \`$year\`, with a step such as
  \`$month-1\`, the last one. They are those of the caller, in their time zone.

## Dates and times
| field | is written | is read | in a domain |
|---|---|---|---|
| \`date\` | \`"2026-11-14"\` | the same | the same, or a word |
| \`datetime\` | ISO 8601 with \`Z\` or an offset: \`"2026-11-14T09:30:00Z"\`, \`"2026-11-14T10:30+01:00"\`; without one it is refused | in UTC, to the millisecond: \`"2026-11-14T09:30:00.000Z"\` | the same, a word, or a day, which is its first instant in the time zone of the caller |

\`null\` empties either. Groups by a part of a date or time are in the time zone of the caller:

| \`groupby\` | a group is |
|---|---|
${granularities.map((name) => `| \`create_date:${name}\` | ${granularityTexts[name]} |`).join('\n')}

## Measures
| measure | tells | of fields of type |
|---|---|---|
${measures.map(measureRow).join('\n')}

## Order
\`order\` is \`"field, -other"\`, at most 16 of them. A many2one sorts by the name of its record; lists, files, JSON and what is computed on reading do not sort. Empty values come
last, and with \`-\` first. Without an order it is that of the model. **Ties** are decided by \`id\`, the smaller first, unless \`id\` is among what was asked for: two pages
never show a record twice, and leave none out, while nothing changes. To walk through all of a large model, ask by \`id\`: \`[["id", ">", last]]\` with \`"order": "id"\`.

## Counting
There is no method to count: a \`read_group\` without groups gives \`__count\`, by the same rules as the records themselves.
\`\`\`sh
curl -s "$KONTOR/api/rpc" -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -d @- <<END
{"model": "core.country", "method": "read_group", "args": [{"domain": [["code", "in", ["NO", "SE"]]], "groupby": [], "fields": []}]}
END
\`\`\`
\`\`\`json
{"ok": true, "result": [{"__count": 2, "__domain": [["code", "in", ["NO", "SE"]]]}], "error": null}
\`\`\`

## Archived records
A model with a field \`active\` keeps records that are out of use: \`active\` is \`false\`, set by \`action_archive\` and taken back by \`action_unarchive\`. The web client leaves them out where
people choose. **RPC leaves out nothing:** every method finds and reads them, in relations and in groups too; add \`["active", "=", true]\` to see those in use. An archived
person cannot sign in, and their keys open nothing.
`;
}

function operatorRow(operator: DomainOperator): string {
  const { means, example } = operators[operator];
  return `| \`${operator}\` | ${means} | ${named(typesFor(operator))} | \`${example}\` |`;
}

function measureRow(measure: Measure): string {
  return `| \`${measure}\` | ${measureTexts[measure]} | ${named(typesThat((type) => hasMeasure(type, measure)))} |`;
}

function named(types: readonly FieldType[]): string {
  return types.map((type) => `\`${type}\``).join(', ');
}

/** A value that a condition could have, whatever the type. */
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
