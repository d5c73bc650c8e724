import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCheckFolder, type Report } from './check-folder.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const { folder, kontor, write, edit, lineOf, makeAddon } = openCheckFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('kontor check DIR', () => {
  it('CHK-1 finds no error in the shipped addons and in what create-kontor writes, without a database', () => {
    execFileSync(process.execPath, [join(root, 'packages/create-kontor/create-kontor.mjs'), 'library'], {
      cwd: folder,
    });
    const schema = join(folder, 'views.xsd');
    const { stdout, status } = kontor('check', 'library', '--no-types', '--schema', schema);
    expect([stdout.replace(/\(.*\)/, '').trim(), status]).toEqual(['library: no error', 0]);
    expect(readFileSync(schema, 'utf8')).toContain('<xs:enumeration value="date_due"/>');
    const shipped = JSON.parse(kontor('check', join(root, 'addons'), '--no-types', '--json').stdout) as Report;
    expect(shipped.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('CUS-9 CUS-95 MOD-8 CHK-1 refuses names and tables of customisations, and a name that the door does not have', () => {
    const imports = "import { defineAddon, defineModel, fields, inheritModel } from '@kontor/addon';";
    const added = "inheritModel('core.partner', { fields: {\n    x_seats: fields.integer() } })";
    const table = "defineModel('x.machine', { label: 'Machine', fields: { name: fields.char({}) } })";
    const models =
      "import {\n  defineModel,\n  feelds,\n} from '@kontor/addon';\nexport const visit = defineModel('yard.visit', { fields: feelds });\n";
    const addon =
      "import { defineAddon } from '@kontor/addon';\nimport { visit } from './models/visit.ts';\nexport default defineAddon({ models: [visit] });\n";
    makeAddon('lot', ['base'], { 'addon.ts': `${imports}\nexport default defineAddon({ models: [${added}] });\n` });
    makeAddon('x', ['base'], { 'addon.ts': `${imports}\nexport default defineAddon({ models: [${table}] });\n` });
    makeAddon('yard', ['base'], { 'addon.ts': addon, 'models/visit.ts': models });
    const { findings } = JSON.parse(kontor('check', '.', '--no-types', '--json').stdout) as Report;
    const said = (name: string) => findings.filter((each) => each.addon === name && each.severity === 'error');
    expect(said('lot').map(({ message }) => message)).toEqual([
      expect.stringMatching(/^core.partner.x_seats begins with x_/),
    ]);
    expect(said('x').map(({ message }) => message)).toContainEqual(
      expect.stringContaining('The table of x.machine, x_machine, could be'),
    );
    expect(said('yard')).toMatchObject([{ file: 'models/visit.ts', line: 3 }]);
    expect(said('yard')[0]?.message).toBe('There is no "feelds" in "@kontor/addon". Did you mean "fields"?');
    for (const name of ['lot', 'x', 'yard']) rmSync(join(folder, name), { recursive: true });
  });

  describe('with mistakes', () => {
    let report: Report;
    const at = (addon: string, file: string, line: number) =>
      report.findings.filter((each) => each.addon === addon && each.file === file && each.line === line);
    beforeAll(() => {
      // A renamed field, whose uses in XML and CSV are where they were.
      edit('library/models/entry.ts', (text) =>
        text
          .replace('  date_due: fields', '  due_on: fields')
          .replaceAll(/date_due, name|'date_due'/g, (found) => found.replace('date_due', 'due_on'))
          .replace('entry.date_due', 'entry.due_on')
          .replace(/ {2}indexes: .*\n/, '')
          .replace("icon: 'check'", "icon: 'chekc'")
          .replace("label: 'Notes' }", "label: 'Notes', groups: ['base.group_users'] }"),
      );
      edit('library/views/entry.xml', (text) =>
        text
          .replace('<moves/>', '<moves/>\n      <button name="action_finsh" label="End"/>')
          .replace(
            '<filter name="by',
            `<filter name="lamps" label="Lamps" domain='[["name", "=", "Lamp"]]' default="true"/>\n    <filter name="by`,
          ),
      );
      edit('library/security/access.csv', (text) => text.split('\n').slice(0, 1).join('\n'));
      makeAddon('narrow', ['library'], {
        'views/entry.xml': `<views>
  <inherit view="library.entry_form">
    <xpath expr="//field[@name='partner_id']" position="replace"/>
  </inherit>
</views>`,
      });
      makeAddon('wide', ['narrow'], {
        'views/entry.xml': `<views>
  <inherit view="library.entry_form">
    <xpath expr="//field[@name='partner_id']" position="after"><field name="done_at"/></xpath>
    <xpath expr="//field[@name='sumary']" position="after"><field name="name"/></xpath>
  </inherit>
  <action id="all" label="All" model="library.entri"/>
</views>`,
        'security/rules.xml': `<data>
  <record id="rule_due" model="sys.rule">
    <field name="name">What is due</field>
    <field name="model">library.entry</field>
    <field name="domain" eval='[["date_due", "!=", null], ["partner_id.nmae", "=", "x"]]'/>
  </record>
</data>`,
        'data/10-library.entry.csv': 'id,name,partner_id:ref,date_due\none,One,base.main_partnr,2030-01-01\n',
      });
      makeAddon('late', ['base'], {
        'addon.ts': `import { defineAddon, defineQueue } from '@kontor/addon';
const handler = () => ({ body: 'x' });
const run = async () => {};
export default defineAddon({
  routes: [
    { method: 'GET', path: '/late/one', auth: 'session', handler },
    { method: 'GET', path: '/late/one', auth: 'none', handler },
    { method: 'FETCH' as 'GET', path: '/late/two', auth: 'none', handler },
    { method: 'GET', path: 'late/three', auth: 'none', handler },
    { method: 'GET', path: '/late/four', auth: 'user' as 'none', handler },
  ],
  jobs: [{ name: 'remind', run }, { name: 'remind', run }],
  queues: [
    defineQueue({ name: 'send', model: 'core.partnr', prepare: async () => ({ is: 'done' }), run }),
    defineQueue({ name: 'send', model: 'core.partner', orderKey: ['nmae'], prepare: async () => ({ is: 'done' }), run }),
    defineQueue({ name: 'sort', model: 'mail.queue', prepare: async () => ({ is: 'done' }), run }),
  ],
});
export const dayOf = (instant: string) => instant.slice(0, 10);
`,
        'client/index.tsx': `import { toLocalInput } from '@kontor/client';
export const named = (name: string) => name.slice(0, 10);
export const here = (sent_at: string) => toLocalInput(sent_at).slice(0, 10);
export const away = (row: { sent_at: string }) => row.sent_at.split('T')[0];
export const today = () => new Date().toISOString().substring(0, 10);
`,
        'data/jobs.xml': `<data>
  <record id="cron" model="sys.cron">
    <field name="name">Remind</field>
    <field name="handler">late.remnd</field>
    <field name="expression">0 7 * * *</field>
  </record>
  <record id="rule" model="sys.rule">
    <field name="name">Nobody</field>
    <field name="model">core.partner</field>
    <field name="domain">["|", ["name", "has", "x"]]</field>
  </record>
</data>`,
      });
      makeAddon('crm', ['base'], {});
      const { stdout, status } = kontor('check', '.', '--no-types', '--json');
      expect(status).toBe(1);
      report = JSON.parse(stdout) as Report;
      expect(report.ok).toBe(false);
    });

    it('CHK-2 finds the uses of a renamed field in XML and CSV, each with file, line and the nearest name', () => {
      const uses = report.findings.filter(({ message }) => message.includes('"date_due"'));
      expect(uses.map(({ addon, file, line }) => `${addon}/${file}:${line}`)).toEqual([
        'library/demo/library.entry.csv:1',
        `library/views/entry.xml:${lineOf('library/views/entry.xml', 'name="date_due" widget')}`,
        `library/views/entry.xml:${lineOf('library/views/entry.xml', 'name="date_due"/>')}`,
        'wide/data/10-library.entry.csv:1',
        'wide/security/rules.xml:5',
      ]);
      expect(at('wide', 'security/rules.xml', 5).map(({ message, fix }) => `${message} ${fix}`)).toContain(
        'core.partner has no field "nmae". Did you mean "name"?',
      );
    });

    it('CHK-3 finds handlers, icons, groups and models without rights, and says the fix', () => {
      const button = lineOf('library/views/entry.xml', 'action_finsh');
      expect(at('library', 'views/entry.xml', button)).toMatchObject([
        {
          check: 'views',
          message: expect.stringContaining('no action "action_finsh"'),
          fix: 'Did you mean "action_finish"?',
        },
      ]);
      const model = 'library/models/entry.ts';
      expect(at('library', 'models/entry.ts', lineOf(model, "'chekc'"))).toMatchObject([
        { check: 'icons', message: 'The client has no icon "chekc".', fix: 'Did you mean "check"?' },
      ]);
      expect(at('library', 'models/entry.ts', lineOf(model, 'base.group_users'))).toMatchObject([
        { check: 'groups', fix: 'Did you mean "base.group_user"?' },
      ]);
      expect(report.findings.filter(({ check }) => check === 'rights')).toMatchObject([
        {
          addon: 'library',
          file: 'models/entry.ts',
          fix: 'Add to security/access.csv: access_entry,Users,library.entry,base.group_user,1,1,1,1',
        },
      ]);
    });

    it('CHK-4 says which addon broke an xpath, what was meant by one that never was, and what is not there', () => {
      expect(at('wide', 'views/entry.xml', 3)).toMatchObject([
        { message: expect.stringMatching(/It was there until narrow changed the view \(views\/entry\.xml:2\)\.$/) },
      ]);
      expect(at('wide', 'views/entry.xml', 4)).toMatchObject([
        { fix: expect.stringContaining('<field name="summary">') },
      ]);
      expect(at('wide', 'views/entry.xml', 6)).toMatchObject([{ fix: 'Did you mean "library.entry"?' }]);
      expect(at('wide', 'data/10-library.entry.csv', 2).map(({ message }) => message)).toContain(
        'There is no record "base.main_partnr".',
      );
    });

    it('CHK-8 LAN-5 finds what would show only when it should run: routes, jobs, queues, schedules, domains of rules and days in UTC', () => {
      const said = report.findings.filter(({ addon }) => addon === 'late');
      expect(said.map(({ file, line, message, fix }) => `${file}:${line} ${message} ${fix}`.trim())).toEqual([
        'addon.ts:6 The route GET /late/one cannot be served: late has it already.',
        'addon.ts:8 The route FETCH /late/two cannot be served: there is no such method. Choose one of GET, POST, PUT, PATCH, DELETE.',
        'addon.ts:9 The route GET late/three cannot be served: a path begins with "/". Write "/late/three".',
        'addon.ts:10 The route GET /late/four cannot be served: nobody is let in by "user". Choose one of none, session, apikey.',
        'addon.ts:12 There are two jobs "remind".',
        'addon.ts:14 The queue send has no model "core.partnr". Did you mean "core.partner"?',
        'addon.ts:14 The queue send names "nmae", which is no stored field of core.partner. Did you mean "name"?',
        'addon.ts:14 The queue send needs fields that core.partner has not: state, attempts, next_try, locked_by, locked_until. Add ...queueFields to its fields.',
        'addon.ts:14 There are two queues "send".',
        'addon.ts:16 The queue sort needs the state "done", which mail.queue has not. Choose one of: queued, sending, sent, unclear, dead, withdrawn.',
        'addon.ts:16 The queue sort needs the state "running", which mail.queue has not. Choose one of: queued, sending, sent, unclear, dead, withdrawn.',
        'addon.ts:16 The queue sort needs the state "waiting", which mail.queue has not. Choose one of: queued, sending, sent, unclear, dead, withdrawn.',
        'addon.ts:19 slice(0, 10) of an instant is its day in UTC, not the day of the people who read it. Use dateIn(tz, instant), and addDays or addMonths to calculate with days.',
        "client/index.tsx:4 split('T')[0] of an instant is its day in UTC, not the day of the people who read it. Use today() or toLocalInput(instant).slice(0, 10), and addDays or addMonths to calculate with days.",
        'client/index.tsx:5 substring(0, 10) of an instant is its day in UTC, not the day of the people who read it. Use today() or toLocalInput(instant).slice(0, 10), and addDays or addMonths to calculate with days.',
        'data/jobs.xml:4 There is no job "late.remnd". Did you mean "late.remind"?',
        expect.stringMatching(/^data\/jobs\.xml:10 This is not a domain: /),
      ]);
    });

    it('CHK-5 warns of an addon that hides another of its name', () => {
      const [shadow] = report.findings.filter(({ check }) => check === 'shadow');
      expect(shadow).toMatchObject({ addon: 'crm', severity: 'warning' });
      expect(shadow?.message).toContain('hides the one that comes with Kontor');
    });

    it('CHK-7 warns of what is sorted and looked up without an index', () => {
      const warned = report.findings.filter(({ check, addon }) => check === 'index' && addon === 'library');
      expect(warned.map(({ severity, file, line, message }) => [severity, `${file}:${line}`, message])).toEqual([
        [
          'warning',
          `models/entry.ts:${lineOf('library/models/entry.ts', 'order:')}`,
          'library.entry is sorted by "due_on", which has no index: a long table is sorted for every page.',
        ],
        [
          'warning',
          `views/entry.xml:${lineOf('library/views/entry.xml', 'name="lamps"')}`,
          'library.entry is looked up by "name", which has no index.',
        ],
      ]);
    });

    it('CHK-6 says every mistake of the code at once, and refuses what is made for another Kontor', () => {
      rmSync(join(folder, 'crm'), { recursive: true });
      rmSync(join(folder, 'wide'), { recursive: true });
      write(
        'narrow/manifest.json',
        '{"name": "narrow", "label": "N", "version": "1.0", "kontor": "^2.0", "depends": ["library"]}',
      );
      write(
        'library/addon.ts',
        "import { nothing } from './models/nothing.ts';\nimport { more } from './more.ts';\nexport default [nothing, more];\n",
      );
      expect(kontor('check', 'narrow').stdout).toContain('Types of narrow were not checked');
      const { stdout } = kontor('check', '.', '--no-types');
      expect(stdout).not.toContain('not checked');
      expect(stdout).toContain(
        'library/addon.ts:1: The code does not compile: Could not resolve "./models/nothing.ts"',
      );
      expect(stdout).toContain('library/addon.ts:2: The code does not compile');
      expect(stdout).toMatch(/narrow\/manifest\.json:1: It requires Kontor \^2\.0, but this is Kontor 0\./);
    });
  });
});
