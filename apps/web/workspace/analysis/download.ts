import { byteOrderMark, csvLine, guardCell } from '@kontor/protocol';
import { showError } from '../../data/changes.ts';
import { whileBusy } from '../../state/idle.ts';
import { isNumberText, type Sheet } from './sheet.ts';

export type SheetFormat = 'csv' | 'xlsx';

/** Downloads a table: numbers are exact, even if the screen rounds them. */
export function downloadSheet(sheet: Sheet, format: SheetFormat): void {
  const made = format === 'csv' ? Promise.resolve(csvFile(sheet)) : xlsxFile(sheet);
  whileBusy(made).then((file) => saveFile(file, `${sheet.title}.${format}`), showError);
}

function csvFile({ head, rows }: Sheet): Blob {
  const lines = [
    head.map(({ label }) => guardCell(label)),
    ...rows.map(({ cells }) => cells.map(({ value }) => csvCell(value))),
  ];
  return new Blob([byteOrderMark, ...lines.map((cells) => csvLine(cells))], { type: 'text/csv;charset=utf-8' });
}

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  return typeof value === 'number' || isNumberText(value) ? String(value) : guardCell(value);
}

async function xlsxFile(sheet: Sheet): Promise<Blob> {
  return (await import('./xlsx.ts')).xlsxFile(sheet);
}

/** File names contain no characters that a file system treats as a separator. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name.replace(/[\\/:*?"<>|\s]+/g, ' ').trim();
  link.click();
  // The browser reads the URL after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
