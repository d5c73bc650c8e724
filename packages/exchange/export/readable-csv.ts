import type { Env } from '@kontor/orm';
import { csvLine, guardCell, toLocal, type WireRecord } from '@kontor/protocol';
import { cellText } from '../pdf/cell-text.ts';
import type { TableColumn } from '../pdf/table-spec.ts';
import { tableColumns, tableWords } from './export-pdf.ts';
import type { ExportColumn, ExportPlan } from './plan-export.ts';

/**
 * A readable CSV: labels as headers, relations by name, selections by label, times in the user's time zone. Numbers and
 * dates stay in a format that every spreadsheet reads.
 */
export function readableCsv(env: Env, given: readonly ExportColumn[]) {
  const { lang, tz } = env.actor;
  const columns = tableColumns(given);
  const spec = { lang, tz, words: tableWords(env) };
  const cells = columns.map((column) => cellText({ ...column, kind: spreadKind(column) }, spec));
  const shown = given.map(({ field: { kind } }, at) => (record: WireRecord) => {
    const text = (cells[at] as (typeof cells)[number])(record);
    if (kind.isInstant)
      return text
        .split(', ')
        .map((each) => localTime(each, tz))
        .join(', ');
    return kind.isNumber || kind.isDate ? text : guardCell(text);
  });
  return {
    header: columns.map(({ label }) => label),
    async *parts(reading: ExportPlan['reading']): AsyncGenerator<Uint8Array> {
      for await (const records of reading.recordParts()) {
        yield Buffer.from(records.map((record) => csvLine(shown.map((cell) => cell(record)))).join(''));
      }
    },
  };
}

/** Values that a spreadsheet parses itself stay unchanged. */
function spreadKind({ kind }: TableColumn): TableColumn['kind'] {
  return kind === 'choice' || kind === 'boolean' || kind === 'html' || kind === 'json' ? kind : 'text';
}

function localTime(text: string, tz: string): string {
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) return text;
  return new Date(toLocal(instant, tz || 'UTC')).toISOString().slice(0, 16).replace('T', ' ');
}
