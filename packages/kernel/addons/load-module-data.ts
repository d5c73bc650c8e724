import type { Env } from '@kontor/orm';
import type { AssembledModules } from './assemble-modules.ts';
import { addonOf } from './catalogue.ts';
import type { DataRecord } from './data/data-record.ts';
import { loadRecords } from './data/load-records.ts';
import { readDataFiles } from './data/read-data-files.ts';
import { type RemoveReport, removeRecords } from './data/remove-records.ts';
import { translateRecords } from './data/translate-data.ts';
import { xmlViewLoader } from './data/xml-view-loader.ts';
import type { AddonDefinition } from './define-addon.ts';
import { dependencyOrder } from './dependency-order.ts';
import type { InstallContext } from './install-context.ts';

export interface DataReport extends RemoveReport {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

interface LoadedData {
  readonly report: DataReport;
  readonly records: readonly DataRecord[];
  /** Records that this load created or wrote. */
  readonly touched: readonly DataRecord[];
}

/** Loads the data of one module and removes what is no longer in its files. */
export async function loadModuleData(
  context: InstallContext,
  env: Env,
  module: string,
  code: AddonDefinition | undefined,
): Promise<LoadedData> {
  const { tx } = context;
  const addon = addonOf(context.catalogue, module);
  const files = await readDataFiles(addon, context.viewLoader ?? xmlViewLoader, {
    withDemo: context.withDemo ?? false,
  });
  const modules = dependencyOrder(context.catalogue, [module]);
  const records = [...files, ...((code && context.recordsOf?.(module, code)) ?? [])];
  const { vanished, touched, ...counts } = await loadRecords({ tx, env, module, modules, records });
  const freshEnv = () => context.envFor(env.registry, tx).sudo();
  const removal = vanished.length > 0 ? await removeRecords(tx, freshEnv, vanished) : { removed: [], kept: [] };
  return { report: { ...counts, ...removal }, records, touched };
}

/** Translates the records of modules that were installed before the language was chosen. */
export async function translateModuleData(
  env: Env,
  { catalogue, recordsOf }: InstallContext,
  { definitions, translations }: Pick<AssembledModules, 'definitions' | 'translations'>,
  lang: string,
): Promise<void> {
  for (const [module, code] of definitions) {
    const files = await readDataFiles(addonOf(catalogue, module), xmlViewLoader, { withDemo: false });
    const records = [...files, ...(recordsOf?.(module, code) ?? [])];
    await translateRecords(env, { module, records, touched: records, lang, translations });
  }
}
