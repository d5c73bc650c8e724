const allColumns = [
  ['measure', 'measure'],
  ['ours', 'ours'],
  ['limit', 'limit in the same run'],
  ['ratio', 'ratio'],
  ['goal', 'goal'],
  ['bare', 'bare Node, its CPU'],
  ['bareRatio', 'of it'],
  ['bareGoal', 'goal'],
  ['peer', 'peer, its CPU'],
  ['peerRatio', 'of it'],
  ['latency', 'p50 / p99'],
  ['cpu', 'server CPU a call'],
  ['statements', 'statements'],
];

/** Rows as a Markdown table whose columns line up in a terminal as well. */
export function toTable(rows) {
  const columns = allColumns.filter(([key]) => !key.startsWith('peer') || rows.some((row) => key in row));
  const cells = rows.map((row) => columns.map(([key]) => cell(row[key])));
  const lines = [columns.map(([, label]) => label), ...cells];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index].length)));
  const text = ([head, ...body]) => [head, widths.map((width) => '-'.repeat(width)), ...body];
  return text(lines)
    .map((line) => `| ${line.map((value, index) => value.padEnd(widths[index])).join(' | ')} |`)
    .join('\n');
}

function cell(value) {
  if (value === undefined || value === null) return '–';
  return typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2) : String(value);
}
