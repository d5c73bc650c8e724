import { wholeFile } from './examples.mjs';
import { textOf } from './read-source.mjs';
import { addGap, fence, table } from './sections.mjs';

/** The text of docs/reference/data.md. */
export function dataPage() {
  const examples = ['demo/10-bikes.xml', 'demo/20-workshop.repair.csv', 'data/40-workshop.part.csv'].map(wholeFile);
  const ways = waysOfGiving();
  const inCsv = /\^\(\.\*\):\(([\w|]+)\)\$/.exec(textOf('packages/kernel/addons/data/read-csv-file.ts'))[1].split('|');
  for (const [name] of ways) {
    if (!examples[0].includes(` ${name}="`) && !examples[0].includes(` ${name}='`))
      addGap(`data files: ${name} has no example`);
  }
  return `# Files of an addon

Everything is loaded at install and at upgrade, in one transaction: first \`security/\`, then \`data/\`, \`views/\` and, with demonstration data, \`demo/\`; by name
inside each. A mistake stops it with file, line and the nearest valid name, and nothing is written.

| folder | holds |
| --- | --- |
| \`models/\` | models, one a file, listed in \`addon.ts\`: [models.md](models.md) |
| \`security/\` | \`access.csv\`, and groups and rules in \`*.xml\` |
| \`data/\` | records that belong to the addon, in \`*.xml\` and \`*.csv\` |
| \`views/\` | views, actions and menus in \`*.xml\`: [views.md](../views.md) |
| \`demo/\` | records to show it with, as in \`data/\` |
| \`i18n/\` | words, one \`*.po\` a language |
| \`migrations/\` | SQL that runs once; migrations in TypeScript are in \`addon.ts\` |
| \`static/\` | pictures and other files that \`file\` names |
| \`client/\` | widgets and views in the browser |
| \`tests/\` | tests, run by \`kontor test\` |

## Records in XML

Inside \`<data>\` or \`<records>\`. \`id\` is the external id, by which others point at the record and an upgrade finds it again. With \`noupdate="1"\`, on the
file or on a record, it is made once and then left to the people who change it. A field holds a text, which may have tags for rich text, or one of:

${table(
  ['attribute', 'gives'],
  ways.map(([name, doc]) => [`\`${name}\``, doc]),
)}

${fence('xml', examples[0])}

${fence('xml', wholeFile('data/10-stages.xml'))}

## Records in CSV

The file is named after the model; a number in front sets its turn (\`40-workshop.part.csv\`). A column is a field; ${inCsv.map((way) => `\`field:${way}\``).join(', ')} mean what they
do in XML. An empty cell is no value.

${fence('csv', examples[1])}

${fence('csv', examples[2])}

## Rights

\`security/access.csv\` says who may do what with a model. Nobody may do anything until a row says so.

${fence('csv', wholeFile('security/access.csv'))}

Groups and rules are records. A rule is a domain that limits which records the people of its groups reach; those of several groups are joined with or, and
\`$uid\`, \`$company_id\` and \`$company_ids\` stand for the person's own.

${fence('xml', wholeFile('security/groups.xml'))}

## Words

\`i18n/de_DE.po\`; \`msgctxt "client"\` for what \`client/\` says, \`msgctxt "data"\` for names of records in \`data/\` and \`security/\`.

${fence('po', wholeFile('i18n/de_DE.po'))}

## Migrations

\`0001-name.sql\` runs once, after the schema was brought up to date, on a new install too; \`0001-name.pre.sql\` before it, on upgrade only. Renames need neither
(\`was\`), and what works with records is better written in TypeScript: [addon.md](addon.md#migrations).

${fence('sql', wholeFile('migrations/0001-colours.pre.sql'))}

${fence('sql', wholeFile('migrations/0001-colours.sql'))}

## Views

Every tag and attribute is in [views.md](../views.md).

${fence('xml', wholeFile('views/10-repair.xml'))}
`;
}

function waysOfGiving() {
  const body = /const waysOfGiving = \{([\s\S]*?)\} as const/.exec(
    textOf('packages/kernel/addons/data/read-xml-file.ts'),
  )[1];
  return [...body.matchAll(/^ {2}(\w+): '(.*)',$/gm)].map(([, name, doc]) => [name, doc]);
}
