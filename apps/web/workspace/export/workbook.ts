import { type ArchField, byteOrderMark, csvRows, fieldType, unguardCell } from '@kontor/protocol';
import { request } from '../../data/request.ts';
import { showToast } from '../../data/toasts.ts';
import { t } from '../../i18n/messages.ts';
import { saveFile } from '../analysis/download.ts';
import type { SheetCell } from '../analysis/sheet.ts';
import { xlsxFile } from '../analysis/xlsx.ts';

/** Creates a workbook from the server's export: numbers and dates are typed, everything else is text. */
export async function saveWorkbook(href: string, title: string, columns: readonly ArchField[]): Promise<void> {
  const { body } = await request<{ readonly result: { readonly name: string } }>(`${href}&dry_run=1`);
  const answer = await fetch(href);
  if (!answer.ok) throw new Error(t('The export could not be downloaded.'));
  const text = (await answer.text()).replace(byteOrderMark, '');
  const [head, ...rows] = [...csvRows(text, ',')].map(({ cells }) => cells);
  const file = await xlsxFile({
    title,
    head: (head ?? []).map((label, at) => ({ key: String(at), label })),
    rows: rows.map((cells, row) => ({ key: String(row), cells: cells.map((cell, at) => cellOf(columns[at], cell)) })),
    names: columns.length,
  });
  const name = body.result.name.replace(/\.csv$/, '.xlsx');
  saveFile(file, name);
  showToast({ kind: 'info', title: t('Your download has started'), body: name });
}

function cellOf(field: ArchField | undefined, cell: string): SheetCell {
  if (cell === '') return { value: null };
  const { isNumber, isDate } = fieldType(field?.type);
  if (isNumber) return { value: cell };
  return isDate ? { value: cell, as: 'date' } : { value: unguardCell(cell), as: 'text' };
}
