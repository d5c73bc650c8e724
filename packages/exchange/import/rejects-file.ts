import { byteOrderMark, csvLine, type Translate } from '@kontor/protocol';
import type { Reject } from './import-rows.ts';

/** People open the file again in a spreadsheet of theirs, whatever parts its cells. */
const quoted = /[",;\t\r\n]|^\s|\s$/;

/** The rows that were not written as a CSV file of the same columns, each with its reasons in one more. Cells go back as they came. */
export function rejectsFile(headers: readonly string[], rejects: readonly Reject[], say: Translate): string {
  const lines = [csvLine([...headers, 'import_errors'], quoted)];
  for (const { cells, errors } of rejects) {
    const own = headers.map((_, index) => cells[index] ?? '');
    const reasons = errors.map(({ column, message }) => (column === '' ? say(message) : `${column}: ${say(message)}`));
    lines.push(csvLine([...own, reasons.join(' ')], quoted));
  }
  return byteOrderMark + lines.join('');
}
