import { type ChildProcess, type ExecFileSyncOptions, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { isLong } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'kontor-author-'));
const library = join(folder, 'library');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Nothing of the run around it, whose database and addons are not the author's. */
const env = Object.fromEntries(
  Object.entries({ ...process.env, NO_COLOR: '1' }).filter(
    ([name]) => !/^(KONTOR_(?!TEST_CHROMIUM)|VITEST|NODE_ENV)/.test(name),
  ),
);

function run(command: string, args: readonly string[], options: ExecFileSyncOptions = {}) {
  const { stdout, stderr, status } = spawnSync(command, [...args], { cwd: library, encoding: 'utf8', env, ...options });
  return { status, said: `${stdout}${stderr}` };
}

const person = { email: 'ada@example.com', password: 'correct horse battery' };
const running = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of running) await stop(child);
});

/** A command of the installed package that goes on. `heard` waits for a line and answers it. */
function start(args: readonly string[]) {
  const bin = join(library, 'node_modules/kontor/bin/kontor.mjs');
  const child = spawn(process.execPath, [bin, ...args], { cwd: library, env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const both = new PassThrough();
  for (const stream of [child.stdout, child.stderr]) stream.pipe(both, { end: false });
  child.once('close', () => both.end());
  const lines = createInterface({ input: both })[Symbol.asyncIterator]();
  const heard = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`It ended before it said ${pattern}.`);
      const found = pattern.exec(value);
      if (found) return found;
    }
  };
  return { child, heard };
}

async function stop(child: ChildProcess): Promise<void> {
  running.delete(child);
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(join(library, file), change(readFileSync(join(library, file), 'utf8')));
}

function setUp(place: readonly string[]): void {
  const words = ['--company', 'Nordlicht', '--name', 'Ada', '--email', person.email];
  const { status, said } = run('npx', ['kontor', 'setup', ...words, ...place], { input: `${person.password}\n` });
  expect(status, said).toBe(0);
}

it('PKG-3 brings what bundles tests in the versions that ours ran with', () => {
  const home = join(folder, 'testing');
  const stage = `import('./scripts/packages/pack-all.mjs').then(({ stageTesting }) => stageTesting(${JSON.stringify(home)}))`;
  execFileSync(process.execPath, ['-e', stage], { cwd: root });
  const { dependencies } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const ours = (name: string) => Object.keys(packages).filter((path) => path.endsWith(`node_modules/${name}`));
  for (const name of ['vitest', 'vite', 'rolldown'])
    expect([dependencies[name]], name).toEqual(ours(name).map((path) => packages[path].version));
});

/** Someone who has Node, npm and our tarballs, and nothing of this tree. */
describe.runIf(isLong)('PKG-3 an author with our packages alone', () => {
  const { KONTOR_TEST_PACKAGES } = process.env;
  const packages = KONTOR_TEST_PACKAGES ?? join(folder, 'packages');
  const elsewhere = ['--data-dir', join(folder, 'elsewhere')];
  let scaffold = 0;
  const tell = (what: string) =>
    console.log(`${what} ${((Date.now() - scaffold) / 1_000).toFixed(0)} s after the scaffold`);

  beforeAll(() => {
    if (!KONTOR_TEST_PACKAGES) {
      const code = `import('./scripts/packages/pack-all.mjs').then(({ packAll }) => packAll(${JSON.stringify(packages)}))`;
      execFileSync(process.execPath, ['-e', code], { cwd: root, stdio: 'ignore' });
    }
    scaffold = Date.now();
    const starter = join(packages, readdirSync(packages).find((name) => /^create-kontor.*\.tgz$/.test(name)) as string);
    const create = ['exec', '--yes', '--package', starter, '--', 'create-kontor', 'library', '--packages', packages];
    execFileSync('npm', create, { cwd: folder, stdio: 'ignore' });
    execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: library, stdio: 'ignore' });
  }, 900_000);

  it('checks what it began with, types included, and gives the editor its schema', () => {
    expect(run('npm', ['run', 'check'])).toMatchObject({
      status: 0,
      said: expect.stringContaining('library: no error'),
    });
    expect(readFileSync(join(library, '.kontor/views.xsd'), 'utf8')).toContain('<xs:enumeration value="partner_id"/>');
  });

  it('brings types, and no address of this machine', () => {
    expect(existsSync(join(library, 'node_modules/@kontor/addon/types/addons/sale/addon.d.ts'))).toBe(true);
    const types = readdirSync(join(library, 'node_modules/@kontor/addon/types'), { recursive: true, encoding: 'utf8' });
    const texts = types.filter((name) => name.endsWith('.d.ts'));
    expect(texts.length).toBeGreaterThan(100);
    const named = texts.filter((name) =>
      readFileSync(join(library, 'node_modules/@kontor/addon/types', name), 'utf8').includes(root.replace(/\/$/, '')),
    );
    expect(named).toEqual([]);
  });

  it('is written with @kontor/addon and @kontor/client, tested with @kontor/testing, and brings what to read', () => {
    const imported = (file: string) => readFileSync(join(library, file), 'utf8');
    expect(imported('models/entry.ts')).toContain("from '@kontor/addon'");
    expect(imported('client/days-field.tsx')).toContain("from '@kontor/client'");
    expect(imported('tests/entry.test.ts')).toContain("from '@kontor/testing'");
    expect(imported('tests/screen.test.ts')).toContain("from '@kontor/testing/browser'");
    const docs = join(library, 'node_modules/@kontor/addon/docs');
    for (const page of ['tutorial.md', 'reference/README.md', 'reference/door.md', 'reference/client.md'])
      expect(existsSync(join(docs, page)), page).toBe(true);
  });

  it('TRL-13 CHK-10 CHK-11 writes its words, and asks about views and fields of others', () => {
    expect(run('npx', ['kontor', 'words', 'fr_FR'])).toMatchObject({
      status: 0,
      said: expect.stringMatching(/^i18n\/fr_FR\.po: [1-9]\d* added, 0 obsolete/m),
    });
    rmSync(join(library, 'i18n/fr_FR.po'));
    expect(run('npx', ['kontor', 'view', 'sale.order_form']).said).toMatch(
      /name="lead_id".*<!-- sale_crm: views\/\S+:\d+/,
    );
    expect(run('npx', ['kontor', 'explain', 'sale.order.amount_total']).said).toMatch(
      /Defined in +sale: models\/order\.ts:\d+\n[\s\S]*view +sale\.order_list +sale: views\//,
    );
  });

  it('finds a misspelt field in code and in a view in one run', () => {
    const file = join(library, 'tests/entry.test.ts');
    const [text, view] = [readFileSync(file, 'utf8'), readFileSync(join(library, 'views/entry.xml'), 'utf8')];
    writeFileSync(file, text.replace("create({ name: 'Desk' })", "create({ nmae: 'Desk' })"));
    writeFileSync(join(library, 'views/entry.xml'), view.replace('name="summary"', 'name="sumary"'));
    const { status, said } = run('npx', ['kontor', 'check']);
    writeFileSync(file, text);
    writeFileSync(join(library, 'views/entry.xml'), view);
    expect(status).toBe(1);
    expect(said).toMatch(/tests\/entry\.test\.ts:\d+: .*nmae/);
    expect(said).toMatch(/views\/entry\.xml:\d+: .*no field "sumary".*\n\s+Did you mean "summary"\?/);
  });

  it('passes its tests on a database of its own and in a browser', () => {
    const { status, said } = run('npm', ['test']);
    tell('Tested');
    expect(said).toMatch(/Tests\s+(\d+) passed \(\1\)/);
    expect(status).toBe(0);
  });

  it("DEV-1 DEV-4 is followed while it is written: upgrades, mistakes and errors with the author's file and line", async () => {
    const place = ['--data-dir', join(library, '.kontor/data')];
    setUp(place);
    const { child, heard } = start(['dev', '-p', '0']);
    const [, url = ''] = await heard(/Kontor is ready: (\S+)/);
    await heard(/library: ready in/);
    tell('A screen');
    const browser = new Browser(url);
    await browser.signIn(person.email, person.password);
    const text = readFileSync(join(library, 'models/entry.ts'), 'utf8');
    edit('views/entry.xml', (view) => view.replace('name="summary"', 'name="sumary"'));
    await heard(/library: 1 error/);
    edit('views/entry.xml', (view) => view.replace('name="sumary"', 'name="summary"'));
    const [, seconds] = await heard(/library: ready in (\S+) s/);
    console.log(`Upgraded in place in ${seconds} s`);
    edit('models/entry.ts', () => text.replace('=> [name, contact', '=> [name.nothing.at, contact'));
    await heard(/library: ready in/);
    const id = await browser.rpc<number>('library.entry', 'create', [{ name: 'bad' }]);
    const { error } = await browser.call({ model: 'library.entry', method: 'read', args: [[id], ['summary']] });
    edit('models/entry.ts', () => text);
    await heard(/library: ready in/);
    expect(error).toMatchObject({
      code: 'INTERNAL_ERROR',
      details: {
        error: expect.stringMatching(/^The compute of library\.entry\.summary failed: .*'at'/),
        file: join(library, 'models/entry.ts'),
        line: expect.any(Number),
      },
    });
    const reference = await (await browser.get('/web/reference?model=library.entry')).text();
    expect(reference).toContain('library.entry');
    await stop(child);
  });

  it('PKG-9 is packed, and taken in by a Kontor that has nothing but the package', () => {
    const packed = run('npm', ['run', 'package']);
    expect([packed.said, packed.status]).toEqual([expect.stringContaining('kontor-library-1.0.0.tgz'), 0]);
    const [integrity = ''] = /sha512-\S{88}/.exec(packed.said) ?? [];
    const tarball = join(library, 'kontor-library-1.0.0.tgz');
    const added = run('npx', ['kontor', 'add', tarball, '--integrity', integrity, ...elsewhere]);
    expect([added.said, added.status]).toEqual([expect.stringContaining('library 1.0.0'), 0]);
    const started = run('npx', ['kontor', 'start', '-i', 'library', '--stop-after-init', ...elsewhere]);
    expect(started.status, started.said).toBe(0);
    // What it left behind: the tarball, here and in a folder, which its own tests and the check pass over.
    expect(run('npx', ['kontor', 'pack', '-o', 'dist'])).toMatchObject({ status: 0 });
    expect(run('npx', ['kontor', 'check'])).toMatchObject({ status: 0 });
    const again = run('npx', ['kontor', 'test', '.', 'addon.test.ts']);
    expect(again.status, again.said).toBe(0);
    const refused = run('npx', ['kontor', 'remove', 'library', ...elsewhere]);
    expect([refused.said, refused.status]).toEqual([expect.stringContaining('--uninstall'), 1]);
  });

  it('CLT-7 CLT-8 an integrator with @kontor/rpc alone has types of it, makes records and follows them', async () => {
    const place = join(folder, 'integrator');
    mkdirSync(place);
    writeFileSync(join(place, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    const rpc = join(packages, readdirSync(packages).find((name) => /^kontor-rpc.*\.tgz$/.test(name)) as string);
    execFileSync('npm', ['install', '--no-audit', '--no-fund', rpc], { cwd: place, stdio: 'ignore' });
    expect(readdirSync(join(place, 'node_modules/@kontor'))).toEqual(['rpc']);
    setUp(elsewhere);
    const create = ['kontor', 'key', 'create', '--user', person.email, '--name', 'sync', ...elsewhere];
    const [key = ''] = /^sk_\w+$/m.exec(run('npx', create).said) ?? [];
    const { child, heard } = start(['start', '-p', '0', ...elsewhere]);
    const [, url = ''] = await heard(/Kontor is ready: (\S+)/);
    const own = { env: { ...env, KONTOR_KEY: key } };
    const typed = run('npx', ['kontor', 'types', url, '-o', join(place, 'models.ts')], own);
    expect(typed.status, typed.said).toBe(0);
    const compile = (program: string) => {
      writeFileSync(join(place, 'program.ts'), program);
      const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom'];
      return run(
        join(library, 'node_modules/.bin/tsc'),
        [...options, '--rewriteRelativeImportExtensions', 'program.ts'],
        {
          cwd: place,
        },
      );
    };
    expect(compile(program.replace("['name', 'state']", "['nmae', 'state']")).said).toContain('nmae');
    expect(compile(program)).toEqual({ status: 0, said: '' });
    const ran = run(process.execPath, ['program.js', url], { cwd: place, ...own });
    expect(ran).toEqual({ status: 0, said: 'create library.entry\nFrom outside open\n' });
    writeFileSync(join(place, 'many.js'), many);
    cpSync(join(root, 'clients/python/kontor.py'), join(place, 'kontor.py'));
    writeFileSync(join(place, 'many.py'), manyInPython);
    for (const [command, file] of [
      [process.execPath, 'many.js'],
      ['python3', 'many.py'],
    ] as const) {
      console.time(`20,000 entries by ${file}`);
      expect(run(command, [file, url], { cwd: place, ...own })).toEqual({ status: 0, said: '20000\n' });
      console.timeEnd(`20,000 entries by ${file}`);
    }
    await stop(child);
  });

  it('PKG-9 LAN-12 an addon of 16 models is checked, packed, installed elsewhere, used and upgraded', async () => {
    const fleet = join(folder, 'fleet');
    cpSync(join(import.meta.dirname, 'addons/fleet'), fleet, { recursive: true });
    const manifest = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'));
    const writePackage = (version: string) =>
      writeFileSync(join(fleet, 'package.json'), JSON.stringify({ ...manifest, name: 'kontor-fleet', version }));
    writePackage('1.0.0');
    cpSync(join(library, 'tsconfig.json'), join(fleet, 'tsconfig.json'));
    symlinkSync(join(library, 'node_modules'), join(fleet, 'node_modules'));
    const here = { cwd: fleet };
    const kontor = (...args: string[]) => run('npx', ['kontor', ...args], here);
    expect(kontor('check')).toMatchObject({ status: 0, said: expect.stringContaining('fleet: no error') });
    expect(kontor('pack')).toMatchObject({ status: 0 });
    const yard = ['--data-dir', join(folder, 'yard')];
    setUp(yard);
    expect(kontor('add', join(fleet, 'kontor-fleet-1.0.0.tgz'), ...yard)).toMatchObject({ status: 0 });
    const first = start(['start', '-i', 'fleet', '-p', '0', ...yard]);
    const [, url = ''] = await first.heard(/Kontor is ready: (\S+)/);
    const browser = new Browser(url);
    await browser.signIn(person.email, person.password);
    const create = (model: string, values: object) => browser.rpc<number>(`fleet.${model}`, 'create', [values]);
    const type = await create('type', { name: 'FH', brand_id: await create('brand', { name: 'Volvo' }) });
    const id = await create('vehicle', { name: 'b ab 12', type_id: type, note: 'Blue' });
    await create('fuel', { vehicle_id: id, litres: 10, price: 1.5 });
    const serviceId = await create('service', { vehicle_id: id });
    const refused = await browser.call({ model: 'fleet.service', method: 'call', args: [serviceId, 'action_finish'] });
    expect(refused.error).toMatchObject({ message: 'Add a part first.' });
    await stop(first.child);

    const change = (file: string, from: string, to: string) => {
      const text = readFileSync(join(fleet, file), 'utf8');
      expect(text).toContain(from);
      writeFileSync(join(fleet, file), text.replace(from, to));
    };
    writePackage('2.0.0');
    change('manifest.json', '"version": "1.0.0"', '"version": "2.0.0"');
    change(
      'models/vehicle.ts',
      '  note: fields.text({',
      "  vin: fields.char({ required: true }),\n  remarks: fields.text({ was: 'note',",
    );
    change('views/vehicle.xml', '<field name="note"/>', '<field name="remarks"/>');
    const from = ['--from', 'kontor-fleet-1.0.0.tgz'];
    expect(kontor('pack', ...from)).toMatchObject({
      status: 1,
      said: expect.stringMatching(/models\/vehicle\.ts:\d+: .*vin/),
    });
    change(
      'models/vehicle.ts',
      'vin: fields.char({ required: true })',
      "vin: fields.char({ required: true, default: 'unknown' })",
    );
    expect(kontor('pack', ...from)).toMatchObject({ status: 0 });
    expect(kontor('add', join(fleet, 'kontor-fleet-2.0.0.tgz'), ...yard)).toMatchObject({ status: 0 });
    expect(kontor('upgrade', 'fleet', ...yard)).toMatchObject({ status: 0 });
    const second = start(['start', '-p', '0', ...yard]);
    const [, again = ''] = await second.heard(/Kontor is ready: (\S+)/);
    const later = new Browser(again);
    await later.signIn(person.email, person.password);
    const [vehicle] = await later.rpc<object[]>('fleet.vehicle', 'read', [
      [id],
      ['name', 'vin', 'remarks', 'fuel_cost'],
    ]);
    expect(vehicle).toEqual({ id, name: 'B-AB-12', vin: 'unknown', remarks: 'Blue', fuel_cost: 15 });
    await stop(second.child);
  });
});

const many = `import { createClient } from '@kontor/rpc';
const kontor = createClient({ url: process.argv[2], key: process.env.KONTOR_KEY });
const rows = Array.from({ length: 20000 }, (_, n) => ({ name: 'Entry ' + n, date_due: '2030-01-31', note: 'Note ' + n }));
console.log((await kontor.model('library.entry').createMany(rows)).length);
`;
const manyInPython = `import os, sys
from kontor import Client
client = Client(sys.argv[1], os.environ["KONTOR_KEY"])
rows = [{"name": "Entry %d" % n, "date_due": "2030-01-31", "note": "Note %d" % n} for n in range(20000)]
print(len(client.model("library.entry").create_many(rows)))
`;

const program = `import { createClient } from '@kontor/rpc';
import type { Models } from './models.ts';
declare const process: { argv: string[]; env: Record<string, string> };

const kontor = createClient<Models>({ url: process.argv[2] ?? '', key: process.env.KONTOR_KEY ?? '' });
const entries = kontor.model('library.entry');
const cursor = await kontor.cursor();
const [id = 0] = await entries.createMany([{ name: 'From outside' }], { externalIds: ['erp.entry_1'], upsert: true });
for await (const { changes } of kontor.follow(cursor, ['library.entry'], { untilQuiet: true }))
  for (const { operation, model } of changes) console.log(operation, model);
const [entry] = await entries.searchRead([['id', '=', id]], ['name', 'state']);
console.log(entry?.name, entry?.state);
`;
