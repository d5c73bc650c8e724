import { inspectDefinitions, type Registry } from '@kontor/orm';
import { AddonError } from '../addons/addon-error.ts';
import type { CodeOf } from '../addons/assemble-modules.ts';
import { type Addon, addonOf, type Catalogue, dependsOf } from '../addons/catalogue.ts';
import type { DataRecord } from '../addons/data/data-record.ts';
import { readDataFiles } from '../addons/data/read-data-files.ts';
import { xmlViewLoader } from '../addons/data/xml-view-loader.ts';
import type { AddonDefinition } from '../addons/define-addon.ts';
import { type AddonRoot, discoverAddons } from '../addons/discover-addons.ts';
import { planInstall } from '../addons/plan-install.ts';
import type { Part } from '../define-part.ts';
import { createFindings, type Finding, type Findings } from './findings.ts';
import { sourcePlaces } from './source-places.ts';

/** Where addons are found, and how their code is loaded. */
export interface AddonSources {
  readonly roots: readonly AddonRoot[];
  readonly codeOf: CodeOf;
  readonly parts: readonly Part<unknown>[];
  /** Also demonstration data; default: yes. */
  readonly withDemo?: boolean;
}

/** Addons as they would be installed together, without a database. */
export interface AddonsRead {
  readonly definitions: ReadonlyMap<string, AddonDefinition>;
  /** Of the data files of each module, in load order. */
  readonly records: ReadonlyMap<string, readonly DataRecord[]>;
  /** Of the modules whose code, and that of all they depend on, can be loaded. */
  readonly registry: Registry;
}

export interface OpenAddons extends AddonsRead {
  readonly catalogue: Catalogue;
}

/** All addons of the given places, or those named with everything that they install. Throws with all mistakes if they do not fit together. */
export async function openAddons(sources: AddonSources, names?: readonly string[]): Promise<OpenAddons> {
  const findings = createFindings();
  const catalogue = await discoverAddons(sources.roots);
  const { modules } = planInstall(catalogue, new Set(), names ?? catalogue.keys());
  const read = await readAddons({ ...sources, withDemo: false }, catalogue, modules, findings);
  if (read.registry.modules.length < modules.length)
    throw new Error([...findings.all.map(written), 'See: kontor check'].join('\n'));
  return { ...read, catalogue };
}

function written({ addon, file, line, message, fix }: Finding): string {
  return `${addon}: ${file}:${line}: ${message} ${fix}`.trimEnd();
}

/** Loads the code and data files of modules, in dependency order, and assembles their models. */
export async function readAddons(
  sources: AddonSources,
  catalogue: Catalogue,
  modules: readonly string[],
  findings: Findings,
): Promise<AddonsRead> {
  const definitions = new Map<string, AddonDefinition>();
  for (const name of modules) {
    const code = await attemptAsync(findings, 'code', () => sources.codeOf(addonOf(catalogue, name)));
    if (code) definitions.set(name, code);
  }
  const records = new Map<string, readonly DataRecord[]>();
  for (const name of modules)
    records.set(name, await recordsOf(sources, addonOf(catalogue, name), definitions, findings));
  const whole = new Map<string, AddonDefinition>();
  for (const name of modules) {
    const code = definitions.get(name);
    const needed = dependsOf(addonOf(catalogue, name), catalogue);
    if (code && needed.every((other) => whole.has(other))) whole.set(name, code);
  }
  return { definitions, records, registry: assemble(whole, catalogue, findings) };
}

async function recordsOf(
  { parts, withDemo = true }: AddonSources,
  addon: Addon,
  definitions: ReadonlyMap<string, AddonDefinition>,
  findings: Findings,
): Promise<readonly DataRecord[]> {
  const report = (error: AddonError) => findings.error('data', error);
  const files = await attemptAsync(findings, 'data', () => readDataFiles(addon, xmlViewLoader, { withDemo, report }));
  const code = definitions.get(addon.name);
  const said = code ? parts.flatMap((part) => part.records?.(addon.name, code) ?? []) : [];
  return [...(files ?? []), ...said];
}

function assemble(
  definitions: ReadonlyMap<string, AddonDefinition>,
  catalogue: Catalogue,
  findings: Findings,
): Registry {
  const modules = [...definitions].map(([module, { models, texts }]) => ({ module, definitions: models, texts }));
  const { registry, problems } = inspectDefinitions(modules);
  for (const { module, model, field, message } of problems) {
    const [, told = message, fix = ''] =
      /^(.*?)( (?:Did you mean|Name|Give|Choose|Add|Declare) .*)?$/s.exec(message) ?? [];
    const name = field ?? memberIn(message);
    const part = field && /\bcompute\b|^depends /.test(message) ? 'computes' : undefined;
    const words = [...told.matchAll(/"([^"]+)"/g)].map(([, word = '']) => word).filter((word) => word !== name);
    const place = sourcePlaces(addonOf(catalogue, module)).of(model, name, part, words);
    findings.add('models', place, `${model}${field ? `.${field}` : ''}: ${told}`, fix);
  }
  return registry;
}

/** The member of the definition that a message about a model begins with. */
function memberIn(message: string): string | undefined {
  const named = /^(?:action|move|acyclic|unique|exclude|normalise|constraint) "([^"]+)"/.exec(message)?.[1];
  const [, key = ''] =
    /^(order|displayName|due|timeline|mail|portal|about|hooks|states|index|part of|was)\b/.exec(message) ?? [];
  return named ?? { index: 'indexes', 'part of': 'partOf' }[key] ?? (key || undefined);
}

export async function attemptAsync<T>(findings: Findings, check: string, step: () => Promise<T>): Promise<T | null> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof AddonError)) throw error;
    findings.error(check, error);
    return null;
  }
}
