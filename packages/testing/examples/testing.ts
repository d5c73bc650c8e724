import {
  addonTarball,
  checkAddon,
  checkTranslations,
  codeTexts,
  compareWords,
  countStatements,
  createTestDatabase,
  createTestEnv,
  createTestKernel,
  expectQueries,
  findLeaks,
  isLong,
  type Leak,
  type MailServerMode,
  makeTarball,
  makeWorkbook,
  makeZip,
  markedCalls,
  noon,
  openScreens,
  type PackedEntry,
  type Preparation,
  pdfPages,
  pdfPlaces,
  pdfSizes,
  preparedDatabase,
  selfSigned,
  serverTexts,
  startMailServer,
  statementsOfRequest,
  type TestDatabase,
  type TestDatabaseOptions,
  type TestEnvOptions,
  type TestKernel,
  type TestKernelOptions,
  type TestMailServer,
  type TestWorld,
  type TranslationOptions,
  templateDatabase,
  testActor,
  testAdmin,
  testSeed,
  undeclaredPersonalFields,
  workbookRow,
} from '@kontor/testing';
import {
  type AppOptions,
  admin,
  type OpenOptions,
  openTestApp,
  signIn,
  type TestApp,
  type TestPage,
} from '@kontor/testing/browser';
import { afterAll, beforeAll, expect, it } from 'vitest';

// ## What every addon gets: checkAddon, checkTranslations, TranslationOptions
/** `tests/addon.test.ts`: it installs, opens every screen, upgrades without a change and can leave; and every text is translated. */
export function addonTest(testFile: string, also: TranslationOptions = {}): void {
  checkAddon(testFile);
  checkTranslations(testFile, ['de_DE', 'fr_FR'], also);
}

// ## Models on a real database: createTestKernel, TestKernel, TestKernelOptions, Preparation
/** `act` is one unit of work, as the administrator or a given user; the compiler knows models, fields and actions. */
export function partnerTest(): void {
  const prepared: Preparation = { modules: ['contacts'], demo: false };
  const options: TestKernelOptions = { ...prepared, env: { KONTOR_DEV_MODE: 'true' } };
  let world: TestKernel;
  beforeAll(async () => {
    world = await createTestKernel(options);
  });
  afterAll(() => world?.close());

  it('is seen by who made it', async () => {
    const kim = await world.person('Kim Berg', ['base.group_user']);
    const id = await world.act((env) => env.model('core.partner').create({ name: 'Nordlicht' }), kim);
    const [partner] = await world.act((env) => env.model('core.partner').read([id], ['name']), kim);
    expect(partner?.name).toBe('Nordlicht');
    expect(await openScreens(world, 'contacts', kim)).toEqual([]);
  });
}

// ## Opening every screen: openScreens
/** Opens each action of the module in each of its views, new and with a record, as a user who may use it. */
export async function screenFailures(world: TestKernel): Promise<readonly string[]> {
  return openScreens(world, 'contacts', world.admin);
}

// ## Screens in a browser: openTestApp, TestApp, AppOptions, TestPage, OpenOptions, admin, signIn
/** `@kontor/testing/browser`: the real server and a real browser. Every step waits until the page has nothing left to do. */
export function screenTest(): void {
  const options: AppOptions = { apps: ['contacts'], demo: true };
  const phone: OpenOptions = { as: admin, path: '/web/home', size: 'phone', theme: 'dark' };
  let app: TestApp;
  let page: TestPage;
  beforeAll(async () => {
    app = await openTestApp(options);
    page = await app.open(phone);
  });
  afterAll(() => app?.close());

  it('shows contacts on a phone', async () => {
    await app.rpc('core.partner', 'create', [{ name: 'Nordlicht' }]);
    await page.click(page.find('link', /Contacts/).first());
    expect(await page.text('main')).toContain('Nordlicht');
    const { csrf } = await signIn(app.url);
    expect(csrf).not.toBe('');
  });
}

// ## How many statements something costs: expectQueries, countStatements, statementsOfRequest
/** Lists must not need a statement per row; the number asserts that. */
export async function costOfReading({ database }: TestWorld, list: () => Promise<unknown>): Promise<number[]> {
  await expectQueries(database, { atMost: 3 }, list);
  return [await countStatements(list), await statementsOfRequest(database, list)];
}

// ## Days that do not end: noon
/** The test user gets the zone: then `today` is the same date in the test, on the server and in the browser. */
export async function dueToday(world: TestKernel) {
  const { tz, today } = noon();
  return { person: await world.person('Kim Berg', [], { tz }), values: { date_due: today } };
}

// ## Mail: startMailServer, TestMailServer, MailServerMode
/** A real SMTP server on a port of this machine; name it in the settings of the server under test. */
export async function refusedMail(mode: MailServerMode = 'busy'): Promise<readonly string[]> {
  const server: TestMailServer = await startMailServer();
  server.behave(mode);
  await server.close();
  return server.accepted;
}

// ## Servers with TLS: selfSigned
/** A certificate for localhost that signs itself, for a server that the test starts. */
export function certificateOfTest(): string {
  return selfSigned().cert;
}

// ## Files: pdfPages, pdfPlaces, pdfSizes, makeWorkbook, workbookRow, makeZip
/** The text of a PDF, and files for imports. */
export function readsAndMakes(printed: Buffer): readonly unknown[] {
  const rows = workbookRow(1, ['Name', 'Pages']) + workbookRow(2, ['Faust', 158]);
  return [
    pdfPages(printed)[0]?.includes('Invoice'),
    pdfPlaces(printed)[0]?.x,
    pdfSizes(printed)[0],
    makeWorkbook({ sheets: { Books: rows } }),
    makeZip({ 'covers/faust.txt': 'Faust' }),
  ];
}

// ## Long and random tests: isLong, testSeed
/** `kontor test` runs a part of the long tests; with `KONTOR_TEST_LONG=1` all of them. The seed is fixed except in long runs. */
export const sizes = { records: isLong ? 100_000 : 1_000, seed: testSeed };

// ## Databases and models by themselves: createTestDatabase, TestDatabase, TestDatabaseOptions, preparedDatabase, templateDatabase, testAdmin, createTestEnv, TestWorld, TestEnvOptions, testActor
/** For code beneath an addon: a database of one's own, or models without the rest of Kontor. */
export async function byThemselves(models: Parameters<typeof createTestEnv>[0]): Promise<number> {
  const copied: TestDatabaseOptions = { template: await preparedDatabase({ modules: ['contacts'] }) };
  const copy: TestDatabase = await createTestDatabase(copied);
  await copy.drop();
  await templateDatabase(`with ${testAdmin.email}`, { change: async () => {} });
  const open: TestEnvOptions = {};
  const world: TestWorld = await createTestEnv(models, open);
  const id = await world.transact((env) => env.model('library.book').create({ title: 'Faust' }), testActor({ uid: 7 }));
  await world.drop();
  return id;
}

// ## Packages of addons: addonTarball, makeTarball, PackedEntry
/** Packages that `kontor add` accepts, and packages that it must reject. */
export function packages(): readonly Buffer[] {
  const climbing: PackedEntry = { path: 'package/../../climbs.ts', text: '' };
  return [addonTarball('gadgets', { version: '1.1.0' }), makeTarball([climbing])];
}

// ## What checkAddon and checkTranslations ask: findLeaks, Leak, undeclaredPersonalFields, serverTexts, codeTexts, markedCalls, compareWords
/** One by one, for who wants to know more than a yes or no. */
export async function askedOneByOne(world: TestKernel, folder: string): Promise<readonly unknown[]> {
  const told: readonly Leak[] = await findLeaks(world);
  const markers = [{ call: 'text', argument: 0 }];
  const { texts } = codeTexts("throw new UserError(text('No such book.'))", markers);
  return [
    told.filter(({ reason }) => reason === null),
    undeclaredPersonalFields(world.kernel.registry, 'library'),
    compareWords([], new Set([...serverTexts([folder]), ...texts]), null).missing,
    markedCalls("text('No such book.')", markers).length,
  ];
}
