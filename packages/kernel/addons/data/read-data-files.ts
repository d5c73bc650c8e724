import { readFile } from 'node:fs/promises';
import { openXml } from '@kontor/views';
import { AddonError, attempt, type ReportMistake } from '../addon-error.ts';
import type { Addon } from '../catalogue.ts';
import type { DataRecord } from './data-record.ts';
import { type DataFile, listDataFiles } from './list-data-files.ts';
import { readAccessFile, readCsvFile } from './read-csv-file.ts';
import { readXmlFile } from './read-xml-file.ts';
import type { ViewLoader } from './view-loader.ts';

/** Every record in the data files of an addon, in load order. Demonstration records are created once and never updated. */
export async function readDataFiles(
  addon: Addon,
  views: ViewLoader,
  options: { readonly withDemo: boolean; readonly report?: ReportMistake },
): Promise<readonly DataRecord[]> {
  const { report } = options;
  const files = (await listDataFiles(addon, report)).filter((file) => options.withDemo || !file.isDemo);
  const texts = await Promise.all(files.map((file) => readFile(file.path, 'utf8')));
  await openXml();
  const records = files.flatMap((file, index) =>
    attempt<readonly DataRecord[]>(report, [], () => readOne(file, texts[index] as string, views, report)),
  );
  refuseRepeated(records, report);
  return records;
}

function readOne(
  file: DataFile,
  text: string,
  views: ViewLoader,
  report: ReportMistake | undefined,
): readonly DataRecord[] {
  if (file.format === 'access') return readAccessFile(file, text, report);
  const records = file.format === 'csv' ? readCsvFile(file, text, report) : readXmlFile(file, text, views, report);
  return file.isDemo ? records.map((record) => ({ ...record, noupdate: true })) : records;
}

function refuseRepeated(records: readonly DataRecord[], report: ReportMistake | undefined): void {
  const seen = new Map<string, DataRecord>();
  for (const record of records) {
    const earlier = seen.get(record.id);
    attempt(report, undefined, () => {
      if (!earlier) return;
      const { file, line } = earlier.place;
      throw new AddonError(record.place, `The id "${record.id}" is taken by ${file}:${line}.`);
    });
    seen.set(record.id, earlier ?? record);
  }
}
