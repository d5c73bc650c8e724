import { parseMultipart } from '@kontor/kernel';
import { describe, expect, it } from 'vitest';

const type = 'multipart/form-data; boundary=XX';
const body = (...parts: string[]) => Buffer.from(`${parts.map((part) => `--XX\r\n${part}\r\n`).join('')}--XX--\r\n`);
const field = (name: string, value: string, rest = '') =>
  `Content-Disposition: form-data; name="${name}"${rest}\r\n\r\n${value}`;

describe('A form with files', () => {
  it('IMP-1 is read with its fields and the bytes of its files', () => {
    const csv = 'a,b\r\n--XY\r\n\r\n1,2\r\n';
    const form = body(
      field('model', 'shop.order'),
      field('file', csv, '; filename="a \\"b\\" %22.csv"\r\nContent-Type: text/csv'),
      field('empty', ''),
    );
    const { fields, files } = parseMultipart(type, form);
    expect(fields).toEqual({ model: 'shop.order', empty: '' });
    expect(files.get('file')).toEqual({ name: 'a "b" ".csv', content: Buffer.from(csv) });
    expect(parseMultipart('multipart/form-data; boundary="XX"', body(field('x', 'ü'))).fields).toEqual({ x: 'ü' });
    expect(parseMultipart(type, body(field('file', '', '; filename=""'))).files.size).toBe(0);
    const encoded = body(field('file', 'x', "; filename*=UTF-8''na%C3%AFve.csv"));
    expect(parseMultipart(type, encoded).files.get('file')?.name).toBe('naïve.csv');
  });

  it('IMP-1 is refused when it is broken', () => {
    const refused = (message: string, given: string | Buffer, as = type) =>
      expect(() => parseMultipart(as, Buffer.from(given))).toThrow(message);
    refused('The form has no parts.', '');
    refused('The form has no boundary.', '--XX--', 'multipart/form-data');
    refused('The form is cut off.', '--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\nnever ends');
    refused('The form is cut off.', '--XX');
    refused('A part of the form has no name.', body('Content-Type: text/csv\r\n\r\nx'));
    refused('a is given twice.', body(field('a', '1'), field('a', '2')));
    refused('At most 50 fields.', body(...Array.from({ length: 51 }, (_, n) => field(`f${n}`, ''))));
    const head = Buffer.from('--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\n');
    refused('The form is not UTF-8.', Buffer.concat([head, Buffer.from([0xff]), Buffer.from('\r\n--XX--')]));
  });
});
