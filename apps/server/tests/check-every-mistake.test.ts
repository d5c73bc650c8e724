import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { long } from '@kontor/testing/long';
import { afterAll, describe, expect, it } from 'vitest';
import { openCheckFolder, type Report } from './check-folder.ts';

const { folder, kontor, write, makeAddon } = openCheckFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('kontor check DIR', () => {
  it('CHK-9 TXT-6 TXT-8 finds mistakes of every kind in one run, each once and at its own line', () => {
    makeAddon('yard', ['base'], {
      'addon.ts': [
        "import { defineAddon } from '@kontor/addon';",
        "import { visit } from './models/visit.ts';",
        "import { foreign, lost } from './texts.ts';",
        'export default defineAddon({ models: [visit], texts: [lost, foreign] });',
      ].join('\n'),
      'models/visit.ts': [
        "import { defineModel, fields, sequence } from '@kontor/addon';",
        "export const visit = defineModel('yard.visit', {",
        '  fields: {',
        "    name: fields.char({ required: true, default: sequence('yard.visit') }),",
        '    seats: fields.integer(),',
        '    total: fields.integer({ computed: true }),',
        '  },',
        '  computes: { total: { value: ({ seats }) => seats } },',
        "  uniques: { once: { fields: ['nmae'], message: 'Once.' } },",
        '});',
      ].join('\n'),
      'texts.ts': [
        "import { defineText } from '@kontor/addon';",
        "const place = { label: 'Gate', sample: 'North', needed: true };",
        "export const lost = defineText('yard.lost', {",
        "  label: 'Lost',",
        "  body: ['{{gate}}', 'Come to {gaet}.'],",
        '  values: { gate: place },',
        "  model: 'yard.visit',",
        '});',
        "export const foreign = defineText('sale.lost', { label: 'Lost', body: ['Come.'], values: { gate: place } });",
        "export const other = defineText('yard.other', { label: 'Other', body: [], values: {} });",
      ].join('\n'),
      'mail.ts': [
        "import { composeMail, type Env, queueMail, renderText, text, wordsIn } from '@kontor/addon';",
        "import { lost } from './texts.ts';",
        'export async function write(env: Env, to: string, written: string) {',
        "  const { say } = wordsIn(env, 'en_US');",
        '  const said = await renderText(env, lost, { lang: null }, { gate: "North" });',
        '  await queueMail(env, composeMail({ ...said, to, button: null }));',
        "  await queueMail(env, composeMail({ to, subject: written, paragraphs: written.split('and so on') }));",
        "  await queueMail(env, composeMail({ to, subject: 'Closed', paragraphs: [written] }));",
        "  const paragraphs = [say(text('The gate is closed.'))];",
        '  await queueMail(env, composeMail({ to, subject: written, paragraphs }));',
        '  await queueMail(env, composeMail({',
        '    ...{ to, subject: written, paragraphs: [written] },',
        "    button: { label: say('Open'), href: written },",
        '  }));',
        '}',
      ].join('\n'),
      'models/gate.ts':
        "import { defineModel, fields } from '@kontor/addon';\n\nexport const gate = defineModel('yard.gate', { fields: { name: fields.char() } });\n",
      'security/access.csv':
        'id,name,model,group,read,write,create,unlink\naccess_visit,Visit,yard.visit,base.group_user,1,1,1,1\n',
      'data/yard.visit.csv': 'id,name,seets\na,A,1\nb,B,2\nc,C\nd,D,4\n',
      'views/visit.yaml': 'list: visit\n',
      'views/visit.xml': '<views>\n<list id="visits" model="yard.visit">\n<field name="seatz"/></list></views>\n',
    });
    const { findings } = JSON.parse(kontor('check', 'yard', '--no-types', '--json').stdout) as Report;
    const said = findings.map(({ file, line, message, fix }) => `${file}:${line} ${message} ${fix}`.trim());
    expect(said).toEqual([
      'data/yard.visit.csv:1 yard.visit has no field "seets". Did you mean "seats"?',
      'data/yard.visit.csv:4 Broken CSV: a row of 2 cells under 3 columns.',
      ...[8, 9, 13].map(
        (line) =>
          `mail.ts:${line} This mail has a sentence in code, which administrators can neither change nor translate. Declare it with defineText, and use renderText.`,
      ),
      'models/gate.ts:3 yard.gate is defined here, but not listed in addon.ts. Import it in addon.ts and add it to `models`.',
      expect.stringMatching(
        /^models\/visit\.ts:4 No data file defines the sequence "yard\.visit"\. Add to a file in data\/: </,
      ),
      expect.stringMatching(/^models\/visit\.ts:8 yard\.visit\.total: .*depends/),
      expect.stringMatching(/^models\/visit\.ts:9 .*"nmae"/),
      'texts.ts:3 The text yard.lost needs both `model` and `load` for a preview with a record, or neither. Add the other one.',
      'texts.ts:5 The text yard.lost has a placeholder {gaet} without a value. Did you mean "gate"?',
      'texts.ts:5 The text yard.lost is not readable: Braces are only for placeholders. Use one of: {gate}',
      'texts.ts:9 The text sale.lost has a key of another addon. Name it "yard.…".',
      'texts.ts:9 The text sale.lost needs {gate}, but does not contain it. Use it in the subject or body, or drop `needed`.',
      'texts.ts:10 yard.other is defined here, but not listed in addon.ts. Import it in addon.ts and add it to `texts`.',
      expect.stringMatching(/^views\/visit\.xml:3 .*"seatz".* Did you mean "seats"\?$/),
      'views/visit.yaml:1 Kontor does not read this file: views/ contains only *.xml. Rename it, or move it out of views/.',
    ]);
    rmSync(join(folder, 'yard'), { recursive: true });
  });

  long('CHK-9 an addon that cannot be loaded hides neither its other mistakes nor those of other addons', () => {
    const model = (name: string, fields: string) =>
      `import { defineModel, fields } from '@kontor/addon';\nexport const thing = defineModel('${name}', {\n  fields: {\n${fields}\n  },\n});\n`;
    const addon =
      "import { defineAddon } from '@kontor/addon';\nimport { thing } from './models/thing.ts';\nexport default defineAddon({ models: [thing] });\n";
    const files = { 'addon.ts': addon, 'views/page.xml': '<views>\n<list id="a" model="x.y"\n</views>\n' };
    makeAddon('yard', ['base', 'sael'], { ...files, 'models/thing.ts': model('yard.thing', 'name: fields.char(') });
    write('yard/manifest.json', '{\n"name": "yard", "label": "Yard", "version": "1.0.0",\n"depends": ["sael"]\n}\n');
    makeAddon('barn', ['base'], {
      'addon.ts': addon,
      'models/thing.ts': model(
        'barn.thing',
        "    stall_id: fields.many2one('barn.stal'),\n    stall: fields.char({ related: 'stall_id.name' }),",
      ),
      'security/access.csv':
        'id,name,model,group,read,write,create,unlink\naccess_thing,Thing,barn.thing,base.group_user,1,1,1,1\n',
      'views/thing.xml': `<views>\n<list id="things" model="barn.thing">\n<field name="stall" widget="statusbar"/>\n<field name="stal"/>\n</list>\n<search id="s" model="barn.thing"><filter name="f" label="F" domain='[["stall_id.name", "=", "x"]]'/></search></views>\n`,
    });
    mkdirSync(join(folder, 'both'));
    for (const name of ['yard', 'barn']) renameSync(join(folder, name), join(folder, 'both', name));
    const { findings } = JSON.parse(kontor('check', 'both', '--no-types', '--json').stdout) as Report;
    expect(findings.map(({ addon, file, line, message }) => `${addon}/${file}:${line} ${message}`)).toEqual([
      'barn/models/thing.ts:4 barn.thing.stall_id: there is no model barn.stal.',
      'barn/views/thing.xml:4 <field>: barn.thing has no field "stal".',
      expect.stringMatching(/^yard\/manifest\.json:3 Depends on "sael", which is not there/),
      expect.stringMatching(/^yard\/models\/thing\.ts:5 The code does not compile/),
      expect.stringMatching(/^yard\/views\/page\.xml:3 /),
    ]);
    rmSync(join(folder, 'both'), { recursive: true });
  });

  it('CHK-9 reports all mistakes of a manifest at their lines', () => {
    write(
      'yard/manifest.json',
      '{\n  "name": "yard",\n  "label": "Yard",\n  "verion": "1.0",\n  "depends": "base",\n  "application": "yes"\n}\n',
    );
    const { findings } = JSON.parse(kontor('check', 'yard', '--no-types', '--json').stdout) as Report;
    expect(findings.map(({ path, line, message, fix }) => `${path}:${line} ${message} ${fix}`.trim())).toEqual([
      'yard/manifest.json:1 "version" is missing.',
      'yard/manifest.json:4 Unknown key "verion". Did you mean "version"?',
      'yard/manifest.json:5 "depends" must be a list of addon names, each alone or with versions as in "sale@^0.1", not "base".',
      'yard/manifest.json:6 "application" must be true or false, not "yes".',
    ]);
    rmSync(join(folder, 'yard'), { recursive: true });
  });

  long('CHK-9 says in plain words which defaults, choices and inverses do not fit', () => {
    const models = `import { defineModel, fields } from '@kontor/addon';
export const gate = defineModel('yard.gate', {
  fields: { name: fields.char(), visit_ids: fields.one2many('yard.visit', 'gat_id') },
});
export const visit = defineModel('yard.visit', {
  fields: {
    gate_id: fields.many2one('yard.gate'),
    seats: fields.integer({ default: 'many' }),
    day: fields.date({ default: 'tomorow' }),
    kind: fields.selection({ car: 'Car', van: 'Van' }, { default: 'vans' }),
  },
});
`;
    const addon =
      "import { defineAddon } from '@kontor/addon';\nimport { gate, visit } from './models/visit.ts';\nexport default defineAddon({ models: [gate, visit] });\n";
    makeAddon('yard', ['base'], { 'addon.ts': addon, 'models/visit.ts': models });
    const { findings } = JSON.parse(kontor('check', 'yard', '--no-types', '--json').stdout) as Report;
    const said = findings
      .filter(({ check }) => check === 'models')
      .map(({ line, message, fix }) => `${line} ${message} ${fix}`.trim());
    expect(said).toEqual([
      '3 yard.gate.visit_ids: its inverse: yard.visit has no field "gat_id". Did you mean "gate_id"?',
      '8 yard.visit.seats: its default does not fit: Must be a whole number. Give a number such as 1, or leave the default out.',
      '9 yard.visit.day: its default does not fit: Must be a date in the format YYYY-MM-DD. Give a value of its type, or leave the default out.',
      '10 yard.visit.kind: its default does not fit: "vans" is not one of the choices. Did you mean "van"?',
    ]);
    rmSync(join(folder, 'yard'), { recursive: true });
  });
});
