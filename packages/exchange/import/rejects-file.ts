import type { Translate } from '@kontor/protocol';
import type { Reject } from './import-rows.ts';

/** The rows that were not written as a CSV file of the same columns, each with its reasons in one more. */
export function rejectsFile(headers: readonly string[], rejects: readonly Reject[], say: Translate): string {
  const lines = [csvLine([...headers, 'import_errors'])];
  for (const { cells, errors } of rejects) {
    const own = headers.map((_, index) => cells[index] ?? '');
    const reasons = errors.map(({ column, message }) => (column === '' ? say(message) : `${column}: ${say(message)}`));
    lines.push(csvLine([...own, reasons.join(' ')]));
  }
  return `\ufeff${lines.join('')}`;
}

/** Cells go back as they came; only the reasons are new, and those begin with a word. */
function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}
