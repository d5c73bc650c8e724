import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { explain, loadAddonCode, type OpenAddons, openAddons, parsePo, printView } from '@kontor/kernel';
import { systemParts } from '@kontor/parts';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explanationText } from '../commands/explain.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'kontor-tools-'));
const library = join(folder, 'library');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function kontor(...args: string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, 'bin/kontor.mjs'), ...args], {
    cwd: library,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, KONTOR_ADDONS_PATH: '', KONTOR_TEST_RUN: process.env.KONTOR_TEST_RUN },
  });
  return { stdout, stderr, status };
}

function edit(file: string, change: (text: string) => string): void {
  const path = join(library, file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(library, file)), { recursive: true });
  writeFileSync(join(library, file), text);
}

function lineOf(file: string, text: string): number {
  const lines = readFileSync(join(library, file), 'utf8').split('\n');
  return lines.findIndex((line) => line.includes(text)) + 1;
}

const words = (lang: string) => parsePo(readFileSync(join(library, `i18n/${lang}.po`), 'utf8'));

beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'packages/create-kontor/create-kontor.mjs'), 'library'], { cwd: folder });
});

describe('kontor words', () => {
  long('TRL-13 begins a language with every text of the addon, and changes nothing the second time', () => {
    const { stdout, status } = kontor('words', 'fr_FR');
    expect([stdout, status]).toEqual([
      expect.stringMatching(/^i18n\/fr_FR\.po: \d+ added, 0 obsolete, \d+ without/),
      0,
    ]);
    const ids = (lang: string) => new Set(words(lang).map(({ context, id }) => `${context} ${id}`));
    expect(ids('fr_FR')).toEqual(ids('de_DE'));
    const first = readFileSync(join(library, 'i18n/fr_FR.po'), 'utf8');
    expect(kontor('words', 'fr_FR', '--check')).toMatchObject({ status: 0 });
    expect(readFileSync(join(library, 'i18n/fr_FR.po'), 'utf8')).toBe(first);
  });

  long('TRL-13 follows the texts of models, views, code, browser code and data', () => {
    edit('models/entry.ts', (text) => text.replace("label: 'Due'", "label: 'Due on', synonyms: ['Deadline']"));
    edit('views/entry.xml', (text) => text.replace('label="New entry"', 'label="Another entry"'));
    edit(
      'client/days-field.tsx',
      (text) => `${text}\nexport const counted = (n: number) => tn('{n} day', '{n} days', n);\n`,
    );
    write(
      'data/10-groups.xml',
      '<records><record id="group_reader" model="core.group"><field name="name">Library: Reader</field></record></records>',
    );
    const before = words('de_DE').find(({ id }) => id === 'Due')?.strings;
    expect(before).toEqual(['Fällig']);
    expect(kontor('words', 'de_DE', '--check').status).toBe(1);
    const { stdout, stderr } = kontor('words', 'de_DE');
    expect(stdout, stderr).toMatch(/^i18n\/de_DE\.po: /);
    const now = words('de_DE').map(({ context, id, strings }) => [context, id, strings.length]);
    expect(now).toContainEqual([null, 'Due on', 1]);
    expect(now).toContainEqual(['import', 'Deadline', 1]);
    expect(now).toContainEqual(['client', '{n} day', 2]);
    expect(now).toContainEqual(['data', 'Library: Reader', 1]);
    expect(now).toContainEqual([null, 'Another entry', 1]);
    expect(now.map(([, id]) => id)).not.toContain('Due');
    expect(readFileSync(join(library, 'i18n/de_DE.po'), 'utf8')).toContain('#~ msgid "Due"\n#~ msgstr "Fällig"');
    edit('models/entry.ts', (text) => text.replace("label: 'Due on'", "label: 'Due'"));
    kontor('words', 'de_DE');
    expect(words('de_DE').find(({ id }) => id === 'Due')?.strings).toEqual(['Fällig']);
    rmSync(join(library, 'data'), { recursive: true });
  });

  long(
    'TRL-13 refuses what is no language, a file that it cannot read, and a message that cannot be translated',
    () => {
      expect(kontor('words', 'German')).toMatchObject({ status: 2, stderr: expect.stringContaining('such as de_DE') });
      write('i18n/it_IT.po', 'msgid "Shelf\nmsgstr ""\n');
      expect(kontor('words', 'it_IT')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('i18n/it_IT.po:1: '),
      });
      rmSync(join(library, 'i18n/it_IT.po'));
      const message = ['`$', '{name} is late.`'].join('');
      write('late.ts', `export const late = (name: string, UserError: typeof Error) => new UserError(${message});\n`);
      expect(kontor('words', 'de_DE')).toMatchObject({ status: 1, stderr: expect.stringContaining(message) });
      rmSync(join(library, 'late.ts'));
    },
  );
});

/** What the commands read, once for all questions that are not about the command itself. */
function readAddons(names?: readonly string[]): Promise<OpenAddons> {
  const file = (name: string) => join(root, 'addons', name, 'addon.ts');
  return openAddons(
    {
      roots: [
        { folder: join(root, 'addons'), isShipped: true },
        { folder: library, isShipped: false },
      ],
      parts: systemParts,
      codeOf: (addon) =>
        loadAddonCode(addon, {
          cacheDir: join(folder, 'cache'),
          addonDoor: pathToFileURL(join(root, 'packages/addon/index.ts')).href,
          addonUrl: async (name) => pathToFileURL(file(name)).href,
          shippedLoader: async (name) => (await import(/* @vite-ignore */ file(name))).default,
        }),
    },
    names,
  );
}

describe('kontor view and kontor explain', () => {
  let addons: OpenAddons;
  const explained = async (name: string) => explanationText(await explain(addons, name));
  beforeAll(async () => {
    edit('manifest.json', (text) => text.replace('"depends": [', '"depends": ["sale", '));
    write(
      'views/order.xml',
      `<views>
  <inherit id="order_entries" view="sale.order_form">
    <xpath expr="//field[@name='client_reference']" position="after">
      <field name="validity_date" help="Again"/>
    </xpath>
    <xpath expr="//field[@name='client_reference']" position="attributes"><attribute name="placeholder">Theirs</attribute></xpath>
  </inherit>
</views>
`,
    );
    addons = await readAddons();
  });

  long(
    'CHK-10 prints a composed view with the origin of each part, by the name of the view or of an extension',
    async () => {
      const { stdout, stderr, status } = kontor('view', 'sale.order_form');
      expect([stderr, status]).toEqual(['', 0]);
      const line = (text: string) => stdout.split('\n').find((each) => each.includes(text)) ?? '';
      expect(line('help="Again"')).toMatch(/<!-- library: views\/order\.xml:4 \(library\.order_entries\) -->$/);
      expect(line('name="client_reference"')).toMatch(
        /placeholder="Theirs".*<!-- sale: views\/\S+:\d+; placeholder by library: views\/order\.xml:6 \(library\.order_entries\) -->$/,
      );
      expect(line('name="lead_id"')).toMatch(/readonly='\[\["state",.*<!-- sale_crm: /);
      expect(`${printView(addons, 'library.order_entries')}\n`).toBe(
        `<!-- library.order_entries extends sale.order_form -->\n${stdout}`,
      );
      const alone = printView(await readAddons(['sale']), 'sale.order_form');
      expect(alone).toContain('sale: views/');
      expect(alone).not.toMatch(/library: |sale_crm: /);
    },
  );

  it('CHK-10 names the nearest view, or the views of a model', () => {
    expect(() => printView(addons, 'sale.order_from')).toThrow(
      'There is no view "sale.order_from". Did you mean "sale.order_form"?',
    );
    expect(() => printView(addons, 'library.entry')).toThrow(
      '"library.entry" is a model. Its views: library.entry_list, library.entry_form, library.entry_search.',
    );
  });

  long('CHK-11 says where a field is defined, extended and used', async () => {
    const { stdout } = kontor('explain', 'sale.order.state', '--json');
    const { title, definedAt, uses } = JSON.parse(stdout);
    expect([title, definedAt.addon]).toEqual(['sale.order.state: selection, required, tracked', 'sale']);
    const used = new Set(uses.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`));
    for (const use of [
      'states sale.order.states',
      'related sale.order.line.state',
      'compute sale.order.confirmed_total',
      'view sale.order_search',
      'action sale.quotations',
      'choices project.project.sale_order_id',
    ])
      expect(used).toContain(use);
    const team = await explain(addons, 'sale.order.team_id');
    expect(team.uses).toContainEqual(expect.objectContaining({ kind: 'rule', name: 'sale.rule_order_team' }));
    const own = await explained('library.entry.date_due');
    expect(own).toContain(`Defined in  library: models/entry.ts:${lineOf('models/entry.ts', 'date_due:')}\n`);
    expect(own).toContain(`library: views/entry.xml:${lineOf('views/entry.xml', 'date_due')}\n`);
    // A path through a relation, in a file that does not name the model.
    const unit = await explained('product.uom.factor');
    expect(unit).toMatch(/code +names it +invoice: models\/order\.ts:\d+\n/);
    const shown = await explained('sale.order.validity_date');
    expect(shown).toMatch(/view +sale\.order_form +library: views\/order\.xml:4\n/);
  });

  it('CHK-11 says of a model who extends it, refers to it and may use it', async () => {
    const said = await explained('sale.order');
    expect(said).toMatch(/Extended in +sale_crm: models\/order\.ts:\d+\n/);
    expect(said).toMatch(/Fields of sale_crm +lead_id, confirmed_total\n/);
    expect(said).toMatch(/many2one +sale\.order\.line\.order_id +sale: models\/order-line\.ts:\d+\n/);
    expect(said).toMatch(/access +sale\.access_order_user \(sale\.group_user: read, write, create, unlink\)/);
    expect(said).toMatch(/rule +sale\.rule_order_team \(sale\.group_team\)/);
    // Demonstration records about an order are no part of the program.
    expect(said).not.toContain(': demo/');
  });

  long('CHK-11 names the nearest model and field', async () => {
    expect(kontor('explain', 'sale.order.sate')).toMatchObject({
      status: 1,
      stderr: 'sale.order has no field "sate". Did you mean "state"?\n',
    });
    await expect(explained('sale.ordr')).rejects.toThrow('Did you mean "sale.order"?');
    await expect(explained('sale.ordr.state')).rejects.toThrow('Did you mean "sale.order.state"?');
  });

  long('CHK-11 reports the mistakes that prevent it', () => {
    edit('addon.ts', (text) => `import './nothing.ts';\n${text}`);
    const { stderr, status } = kontor('explain', 'library.entry');
    expect([stderr, status]).toEqual([
      expect.stringMatching(/^library: addon\.ts:1: .*nothing[\s\S]*kontor check\n$/),
      1,
    ]);
  });
});
