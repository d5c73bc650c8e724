import type { Registry } from '@kontor/orm';
import { didYouMean } from '@kontor/protocol';
import { clientWidgets, type KnownNames, type Widgets } from '@kontor/views';
import { AddonError } from '../addons/addon-error.ts';
import { wordbooksOf } from '../addons/assemble-modules.ts';
import { checkBrowserNames } from '../addons/browser/client-names.ts';
import { type Addon, addonOf, type Catalogue, dependsOf } from '../addons/catalogue.ts';
import { checkRecords } from '../addons/data/check-records.ts';
import { type DataRecord, fieldPlace } from '../addons/data/data-record.ts';
import type { AddonDefinition } from '../addons/define-addon.ts';
import { discoverAddons } from '../addons/discover-addons.ts';
import { checkKontorRange } from '../addons/manifest.ts';
import { planInstall } from '../addons/plan-install.ts';
import { checkCode, checkListed } from './check-code.ts';
import { checkModels } from './check-models.ts';
import { checkQueries } from './check-queries.ts';
import { checkUpgrade } from './check-upgrade.ts';
import { checkFileViews } from './check-views.ts';
import { createFindings, type Finding, type Findings } from './findings.ts';
import { type AddonSources, attemptAsync, readAddons } from './read-addons.ts';

export interface AddonCheck extends AddonSources {
  /** The folder of an addon, or of several: these are checked, and external addons that depend on them. */
  readonly folder: string;
  readonly icons: ReadonlySet<string> | null;
  /** The folder of an earlier version, from which an upgrade must be possible. */
  readonly earlier?: string;
}

export interface CheckedAddons {
  readonly addons: readonly Addon[];
  readonly findings: readonly Finding[];
  /** Names for completion in editors. */
  readonly names: KnownNames;
}

/** Records that the first setup creates, to which data files may refer. */
const madeBySetup = ['base.main_company', 'base.user_admin'];

/**
 * Finds mistakes in addons as an install would, and some that it would not find, without a database: all of them at
 * once. Of an addon whose code or dependencies cannot be loaded, only what needs no models is checked.
 */
export async function checkAddons(check: AddonCheck): Promise<CheckedAddons> {
  const findings = createFindings();
  const done = (addons: readonly Addon[], names: KnownNames = {}) => ({ addons, findings: findings.all, names });
  const found = await attemptAsync(findings, 'manifest', () => findAddons(check, findings));
  if (!found) return done([]);
  const { catalogue, addons } = found;
  const plan = (names: readonly string[]) => planInstall(catalogue, new Set(), names).modules;
  const fitting: string[] = [];
  for (const addon of addons) {
    if (await attemptAsync(findings, 'manifest', async () => plan([addon.name]))) fitting.push(addon.name);
    await attemptAsync(findings, 'manifest', async () => checkKontorRange(addon.manifest));
    await attemptAsync(findings, 'words', () => wordbooksOf(addon));
  }
  const modules = [...new Set([...plan(fitting), ...addons.map(({ name }) => name)])];
  const { definitions, records, registry } = await readAddons(check, catalogue, modules, findings);
  for (const addon of addons) {
    const definition = definitions.get(addon.name);
    if (definition) checkListed(addon, definition, findings);
  }
  if (check.earlier !== undefined) await checkEarlier(check, catalogue, definitions, findings);
  const isWhole = (name: string) => registry.modules.includes(name);
  const checked = new Set(addons.map(({ name }) => name).filter(isWhole));
  const read = new Map([...records].filter(([name]) => isWhole(name)));
  checkTogether({ catalogue, registry, definitions, records: read, checked, icons: check.icons, findings });
  return done(addons, checked.size === addons.length ? knownNames(registry, definitions) : {});
}

async function checkEarlier(
  { earlier = '', codeOf }: AddonCheck,
  catalogue: Catalogue,
  definitions: ReadonlyMap<string, AddonDefinition>,
  findings: Findings,
): Promise<void> {
  for (const before of (await discoverAddons([{ folder: earlier, isShipped: false }])).values()) {
    const addon = catalogue.get(before.name);
    const definition = definitions.get(before.name);
    const code = await attemptAsync(findings, 'upgrade', () => codeOf(before));
    if (addon && definition && code)
      await checkUpgrade({ addon: before, definition: code }, { addon, definition }, findings);
  }
}

/**
 * The addons of the folder, and external ones that depend on them; reports those that hide another of the same name.
 */
async function findAddons({ roots, folder }: AddonCheck, findings: Findings) {
  const own = await discoverAddons([{ folder, isShipped: false }]);
  if (own.size === 0) {
    throw new AddonError(
      { addon: folder, file: 'manifest.json' },
      'There is no addon in this folder.',
      'Begin one with: npm create kontor NAME',
    );
  }
  const all = new Map<string, Addon>();
  for (const root of [...roots, { folder, isShipped: false }]) {
    for (const [name, addon] of await discoverAddons([root])) {
      const hidden = all.get(name);
      // A shipped addon is checked as itself if its own folder is given.
      if (hidden?.folder === addon.folder) continue;
      if (hidden) reportShadowed(findings, addon, hidden);
      all.set(name, addon);
    }
  }
  const catalogue: Catalogue = all;
  const names = new Set(own.keys());
  const stands = (name: string): boolean => {
    const addon = catalogue.get(name);
    return names.has(name) || (!!addon && !addon.isShipped && dependsOf(addon, catalogue).some(stands));
  };
  return { catalogue, addons: [...catalogue.values()].filter(({ name }) => stands(name)) };
}

function reportShadowed(findings: Findings, addon: Addon, hidden: Addon): void {
  const whose = hidden.isShipped ? 'the one that comes with Kontor' : `the one in ${hidden.folder}`;
  const message = `"${addon.name}" in ${addon.folder} hides ${whose}.`;
  const fix = 'Give it another name, or extend that one with inheritModel() and <inherit>.';
  findings.add('shadow', { addon: addon.name, file: 'manifest.json', line: 1 }, message, fix, 'warning');
}

interface Together {
  readonly catalogue: Catalogue;
  readonly registry: Registry;
  readonly definitions: ReadonlyMap<string, AddonDefinition>;
  readonly records: ReadonlyMap<string, readonly DataRecord[]>;
  readonly checked: ReadonlySet<string>;
  readonly icons: ReadonlySet<string> | null;
  readonly findings: Findings;
}

/** Checks that need everything to be read. */
function checkTogether({ catalogue, registry, definitions, records, checked, icons, findings }: Together): void {
  const all = [...records.values()].flat();
  const groups = new Set(all.filter(({ model }) => model === 'core.group').map(({ id }) => id));
  const ids = new Map(all.map((record) => [record.id, record]));
  try {
    checkBrowserNames(definitions);
  } catch (error) {
    if (!(error instanceof AddonError)) throw error;
    findings.error('code', error);
  }
  for (const name of checked) {
    const own = records.get(name) ?? [];
    checkRecords(registry, own, (error) => findings.error('data', error));
    checkReferences(own, ids, findings);
    const addon = addonOf(catalogue, name);
    const check = { addon, registry, records: own, allRecords: all, groups, icons, findings };
    checkCode({ addon, registry, definitions, records: own, findings });
    checkModels(check);
    checkQueries(check);
  }
  const viewTypes = new Set([...definitions.values()].flatMap(({ views }) => Object.keys(views)));
  const isChecked = (module: string) => checked.has(module);
  checkFileViews({
    catalogue,
    registry,
    widgets: widgetsOf(definitions),
    viewTypes,
    records: all,
    isChecked,
    findings,
  });
}

function checkReferences(own: readonly DataRecord[], ids: ReadonlyMap<string, DataRecord>, findings: Findings): void {
  const known = new Set([...ids.keys(), ...madeBySetup]);
  for (const record of own) {
    for (const item of record.fields) {
      const refs = item.value.kind === 'refs' ? item.value.refs : item.value.kind === 'same' ? [item.value.ref] : [];
      for (const ref of refs) {
        if (known.has(ref)) continue;
        findings.add('data', fieldPlace(record, item), `There is no record "${ref}".`, didYouMean(ref, known));
      }
    }
  }
}

function widgetsOf(definitions: ReadonlyMap<string, AddonDefinition>): Widgets {
  const own = [...definitions.values()].flatMap(({ widgets }) => Object.entries(widgets));
  return new Map([...clientWidgets, ...own]);
}

/** Names for completion in editors. */
export function knownNames({ models }: Registry, definitions: ReadonlyMap<string, AddonDefinition>): KnownNames {
  const fields = new Set<string>();
  for (const model of models.values()) {
    for (const name of model.fields.keys()) fields.add(name);
    for (const { asks } of model.actions.values()) for (const name of asks?.keys() ?? []) fields.add(name);
  }
  return { models: models.keys(), fields, widgets: widgetsOf(definitions).keys() };
}
