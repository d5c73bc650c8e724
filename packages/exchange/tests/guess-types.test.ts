import { expect, it } from 'vitest';
import { columnsIn, guessColumn } from '../index.ts';

const guess = (header: string, ...values: string[]) => {
  const csv = [header, ...values].map((cell) => `"${cell.replaceAll('"', '""')}",x`).join('\n');
  const [column] = columnsIn(csv, [header]);
  if (!column) throw new Error('There is no column.');
  const { type, format, sure, choices } = guessColumn(column);
  return [type, format, sure, type === 'selection' ? choices?.join('|') : undefined]
    .filter((each) => each !== undefined)
    .join(' ');
};
const three = (value: string) => [value, value, value];

it('CUS-47 the type of a column follows from its values, and is the surer the more they say', () => {
  expect(guess('Code', '007', '008', '010')).toBe('char sure');
  expect(guess('Count', '1', '-20', '300')).toBe('integer sure');
  expect(guess('Count', '1')).toBe('integer likely');
  expect(guess('Length', '1,5', '1.200,75', '3')).toBe('decimal sure');
  expect(guess('Day rate', '12.50', '8', '1,200.00')).toBe('monetary likely');
  expect(guess('Due', '2026-01-31', '31.12.2026', '1/2/26')).toBe('date sure');
  expect(guess('Due', '2026-13-31', '31.12.2026', '1/2/26')).toBe('char sure');
  expect(guess('At', '2026-01-31 10:30', '2026-01-31T10:30:00Z', '31.12.2026 8:05')).toBe('datetime sure');
  expect(guess('Rented', 'yes', 'no', 'Yes')).toBe('boolean sure');
  expect(guess('Verliehen', 'ja', 'nein', 'ja')).toBe('boolean sure');
  expect(guess('E-mail', 'a@example.com', 'b@example.org', 'c@example.net')).toBe('char email sure');
  expect(guess('Site', 'https://a.example', 'http://b.example/x', 'https://c.example')).toBe('char url sure');
  expect(guess('Phone', '+49 40 123456', '040/123456', '(040) 123-456')).toBe('char phone likely');
  expect(guess('Number', '+49 40 123456', '040/123456', '(040) 123-456')).toBe('char sure');
  expect(guess('Notes', 'short', 'l'.repeat(201), 'x')).toBe('text sure');
  expect(guess('Kind', ...three('Saw'), ...three('Lift'))).toBe('selection likely Lift|Saw');
  expect(guess('Empty', '', '', '')).toBe('char guess');
  expect(guess('Name', '=cmd()', '<b>', "'; drop")).toBe('char sure');
});
