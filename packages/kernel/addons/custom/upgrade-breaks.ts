import { sql, type Transaction } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { writeXml } from '@kontor/views';
import { assembleModules } from '../assemble-modules.ts';
import { addonOf } from '../catalogue.ts';
import type { DataRecord } from '../data/data-record.ts';
import { readDataFiles } from '../data/read-data-files.ts';
import { xmlViewLoader } from '../data/xml-view-loader.ts';
import type { InstallContext } from '../install-context.ts';
import { modulesToChange, readModuleStates } from '../module-rows.ts';
import { type CustomDocument, customModule } from './document.ts';
import type { DocumentProblem } from './document-reader.ts';
import { fitViews, viewsOf } from './fit-views.ts';
import { readPublished } from './revision-models.ts';
import { stepNode } from './view-steps.ts';

/**
 * The parts of the customisation that are in use now and that an upgrade of these modules to their code on disk would leave out: models,
 * fields and steps. Nothing is changed.
 */
export async function customisationBreaks(
  context: InstallContext,
  modules: readonly string[],
): Promise<readonly DocumentProblem[]> {
  const { tx, catalogue } = context;
  const { number, document } = await readPublished(tx);
  if (number === 0) return [];
  const assembled = await assembleModules(context, modulesToChange(catalogue, await readModuleStates(tx)));
  const used = await usedParts(tx);
  // Of states and rules the database keeps nothing of its own that could tell whether they were in use.
  const lost = assembled.custom.skipped.filter(({ at }) => used.has(at) || /\.(?:states|checks)\b/.test(at));
  const env = context.envFor(assembled.registry, tx).sudo();
  const views = await usedSteps(env, assembled.custom.document);
  const { problems } = await fitViews(
    viewsOf(assembled, catalogue, env),
    { ...document, views },
    {
      modules,
      records: (await Promise.all(modules.map((module) => filesOf(context, module)))).flat(),
    },
  );
  return [...lost, ...problems];
}

/** `model.field` of the added fields, and the added models, that the database has. */
async function usedParts(tx: Transaction): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ at: string }>(sql`
    select model || '.' || name as at from sys_field where module = ${customModule}
    union all select name from sys_model where module = ${customModule}`);
  return new Set(rows.map(({ at }) => at));
}

/** Steps that are applied now: those that did not fit before are in no stored view. */
async function usedSteps(env: Env, { views }: CustomDocument): Promise<CustomDocument['views']> {
  const rows = await env.model('sys.view').searchRead(
    [
      ['module', '=', customModule],
      ['inherit_id', '!=', null],
      ['active', '=', true],
    ],
    ['arch', 'inherit_id.key'],
  );
  const archs = new Map(rows.map((row) => [String(row['inherit_id.key']), String(row.arch)]));
  return views.flatMap(({ view, steps }) => {
    const applied = steps.filter((step) => archs.get(view)?.includes(writeXml(stepNode(step))));
    return applied.length === 0 ? [] : [{ view, steps: applied }];
  });
}

function filesOf(context: InstallContext, module: string): Promise<readonly DataRecord[]> {
  const loader = context.viewLoader ?? xmlViewLoader;
  return readDataFiles(addonOf(context.catalogue, module), loader, { withDemo: false });
}
