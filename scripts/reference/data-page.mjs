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
inside each. A mistake is reported with file, line and the nearest valid name, and nothing is written.

| folder | content |
| --- | --- |
| \`models/\` | models, one per file, listed in \`addon.ts\`: [models.md](models.md) |
| \`security/\` | \`access.csv\`, and groups and rules in \`*.xml\` |
| \`data/\` | records that belong to the addon, in \`*.xml\` and \`*.csv\` |
| \`views/\` | views, actions and menus in \`*.xml\`: [views.md](../views.md) |
| \`demo/\` | demonstration records, as in \`data/\` |
| \`i18n/\` | translations, one \`*.po\` per language |
| \`migrations/\` | SQL that runs once; migrations in TypeScript are in \`addon.ts\` |
| \`static/\` | pictures and other files that \`file\` names |
| \`client/\` | widgets and views in the browser |
| \`tests/\` | tests, run by \`kontor test\` |

## Records in XML

Inside \`<data>\` or \`<records>\`. \`id\` is the external id, by which other records refer to the record and upgrades find it. With \`noupdate="1"\`, on the
file or on a record, it is created once, and upgrades do not change it. A field contains text, which may have tags for rich text, or one of:

${table(
  ['attribute', 'value'],
  ways.map(([name, doc]) => [`\`${name}\``, doc]),
)}

${fence('xml', examples[0])}

${fence('xml', wholeFile('data/10-stages.xml'))}

## Records in CSV

The file is named after the model; a number in front sets its order (\`40-workshop.part.csv\`). A column is a field; ${inCsv.map((way) => `\`field:${way}\``).join(', ')} have the same meaning as
in XML. An empty cell is no value.

${fence('csv', examples[1])}

${fence('csv', examples[2])}

## Rights

\`security/access.csv\` grants rights on models. Without a row, nobody has access.

${fence('csv', wholeFile('security/access.csv'))}

Groups and rules are records. A rule is a domain that limits the records that members of its groups can access; rules of several groups are combined with OR.
\`$uid\`, \`$company_id\` and \`$company_ids\` are the values of the current user.

${fence('xml', wholeFile('security/groups.xml'))}

## Translations

\`i18n/de_DE.po\`; \`msgctxt "client"\` for texts in \`client/\`, \`msgctxt "data"\` for names of records in \`data/\` and \`security/\`.

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
