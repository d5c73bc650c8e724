import type { Kernel } from '@kontor/kernel';
import { planReading } from '@kontor/orm';
import type { WorkspaceCaller } from '@kontor/workspace';
import { type DownloadFile, fileName } from './download.ts';
import { columnsProjection, exportColumns, exportModel } from './export-columns.ts';
import { csvHeader } from './export-csv.ts';
import type { ExportQuery } from './export-query.ts';

/** The header row that an import of these fields begins with. */
export async function bulkTemplate(
  kernel: Kernel,
  { actor }: Pick<WorkspaceCaller, 'actor'>,
  { model: name, fields }: Pick<ExportQuery, 'model' | 'fields'>,
): Promise<DownloadFile & { readonly text: string }> {
  return kernel.read(
    actor,
    async (env) => {
      const model = exportModel(env, name);
      const columns = exportColumns(env, model, fields);
      // Names of fields that one may not read are not given away.
      planReading(env, model, { domain: [], projection: columnsProjection(columns), order: undefined });
      return { name: fileName(model.label, 'csv'), type: 'text/csv; charset=utf-8', text: csvHeader(fields) };
    },
    { isOutside: true },
  );
}
