import { parseMultipart } from '@kontor/kernel';
import { expect, it } from 'vitest';
import { readFields } from '../http/fields.ts';

/** Forms and JSON are read before anybody has signed in: on the pages to sign in and to opt out, and on those of customers. */
const form = (text: string) =>
  readFields({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(text),
  } as never);
const json = (text: string) =>
  readFields({ headers: { 'content-type': 'application/json' }, body: Buffer.from(text) } as never);
const multipart = (text: string) => parseMultipart('multipart/form-data; boundary=X', Buffer.from(text));
const names = (n: number) => Array.from({ length: n }, (_, at) => `k${at}`);

const shapes: Readonly<Record<string, readonly [size: number, read: (n: number) => unknown]>> = {
  'equal names of a form': [2_400, (n) => form('a=1&'.repeat(n))],
  'different names of a form': [2_400, (n) => form(names(n).join('=1&'))],
  'escapes of a form': [100_000, (n) => form(`a=${'%41'.repeat(n)}`)],
  'separators of a form': [200_000, (n) => form('&'.repeat(n))],
  'names of a JSON object': [20_000, (n) => json(`{${names(n).map((name) => `"${name}":1`)}}`)],
  'values of a JSON array': [50_000, (n) => json(`{"a":[${'1,'.repeat(n)}1]}`)],
  'escapes of JSON': [100_000, (n) => json(`{"a":"${'\\u0041'.repeat(n)}"}`)],
  'depth of JSON': [20_000, (n) => json('{"a":'.repeat(n))],
  'parts of a form with files': [
    1_000,
    (n) => multipart(`${'--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(n)}--X--\r\n`),
  ],
  'lines of a head': [20_000, (n) => multipart(`--X\r\n${'A: b\r\n'.repeat(n)}`)],
  'parameters of a head': [
    20_000,
    (n) => multipart(`--X\r\nContent-Disposition: form-data; ${'a="b"; '.repeat(n)}\r\n`),
  ],
  boundaries: [100_000, (n) => multipart('--X'.repeat(n))],
  'empty lines': [100_000, (n) => multipart('\r\n'.repeat(n))],
};

/** The least CPU time of some runs, in microseconds; what is refused is refused after so much work. */
function costOf(read: (n: number) => unknown, n: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run++) {
    const before = process.cpuUsage();
    try {
      read(n);
    } catch {
      // A refusal is an answer too.
    }
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

it.each(Object.entries(shapes))(
  'CST-8 a body four times as large costs about four times as much: %s',
  (_, [n, read]) => {
    const small = costOf(read, n);
    // With the square it would be sixteen times as much. Below some milliseconds it is the machine that is measured.
    expect(costOf(read, 4 * n)).toBeLessThan(Math.max(small, 15_000) * 9);
  },
);

it('CST-7 a form has a limited number of fields, and repeated ones are a list in their order', () => {
  expect(() => form('a=1&'.repeat(10_001))).toThrow('A form has at most 10000 fields.');
  const { a, b } = form(`b=&${'a=1&a=2&'.repeat(4_999)}a=3`);
  expect([b, (a as string[]).length, (a as string[]).slice(-2)]).toEqual(['', 9_999, ['2', '3']]);
});
