import { KontorError } from '@kontor/protocol';
import { makeWorkbook, makeZip, workbookRow } from '@kontor/testing';
import { describe, expect, it } from 'vitest';
import { ownFormat } from '../import/workbook/cell-formats.ts';
import { readWorkbook } from '../import/workbook/read-workbook.ts';

const limits = { bytes: 1_000_000, cells: 10_000, characters: 100_000 };
const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm;@"/><numFmt numFmtId="165" formatCode="00000"/></numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/></cellXfs></styleSheet>`;
const rows = async (xml: string, parts: Readonly<Record<string, string>> = {}) => {
  const { csv } = await readWorkbook(makeWorkbook({ sheets: { One: xml }, parts }), null, limits);
  return csv.split('\r\n').slice(0, -1);
};
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'taken',
    (error) => (error instanceof KontorError ? error.message : String(error)),
  );

describe('a workbook', () => {
  it('IMP-14 gives dates, times, numbers and yes or no as what they are', async () => {
    const xml = [
      '<row r="1"><c r="A1" s="1"><v>46342</v></c><c r="B1" s="2"><v>46342.395833333336</v></c><c r="C1" s="2"><v>46342</v></c>',
      '<c r="D1"><v>0.30000000000000004</v></c><c r="E1"><v>1.2E-7</v></c><c r="F1"><v>4915112345678</v></c>',
      '<c r="G1" t="b"><v>1</v></c><c r="H1" t="b"><v>0</v></c><c r="I1" s="3"><v>1067</v></c><c r="J1" s="4"><v>0.5</v></c>',
      '<c r="K1" s="1"><v>1</v></c><c r="L1" t="str"><f>A1&amp;"x"</f><v>=x</v></c><c r="M1" t="e"><v>#N/A</v></c></row>',
    ].join('');
    expect(await rows(xml, { 'xl/styles.xml': styles })).toEqual([
      `2026-11-16,2026-11-16T09:30:00,2026-11-16,0.3,0.00000012,4915112345678,true,false,01067,12:00:00,1900-01-01,'=x,#N/A`,
    ]);
    const old =
      '<workbook xmlns:r="x"><workbookPr date1904="1"/><sheets><sheet name="One" r:id="rId1"/></sheets></workbook>';
    const day = '<row r="1"><c r="A1" s="1"><v>44880</v></c></row>';
    expect(await rows(day, { 'xl/styles.xml': styles, 'xl/workbook.xml': old })).toEqual(['2026-11-16']);
  });

  it('IMP-14 gives texts whole: shared, in runs, escaped, with line ends, and none of how they are spoken', async () => {
    const shared =
      '<sst><si><t>A &amp; B</t></si><si><r><t>two </t></r><r><rPr><b/></rPr><t>looks</t></r><rPh sb="0"><t>no</t></rPh></si><si><t xml:space="preserve"> x_x000D_&#10;y </t></si><si><t/></si></sst>';
    const xml =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" t="s"><v>3</v></c></row>';
    const { csv } = await readWorkbook(
      makeWorkbook({ sheets: { One: xml }, parts: { 'xl/sharedStrings.xml': shared } }),
      null,
      limits,
    );
    expect(csv).toBe('A & B,two looks," x\r\ny "\r\n');
    const prefixed = '<x:row r="1"><x:c r="B1" t="inlineStr"><x:is><x:t><![CDATA[<b>]]></x:t></x:is></x:c></x:row>';
    expect(await rows(prefixed)).toEqual([',<b>']);
  });

  it('IMP-14 keeps rows and columns in their places, whatever is left out', async () => {
    expect(await rows('<row r="2"><c r="C2"><v>1</v></c></row><row><c><v>2</v></c><c><v>3</v></c></row>')).toEqual([
      '',
      ',,1',
      '2,3',
    ]);
  });

  it('IMP-14 lets a sheet be chosen; the first that holds something is taken, and hidden ones are not offered', async () => {
    const book = makeWorkbook({
      sheets: { Cover: '', Orders: workbookRow(1, ['name']), Notes: workbookRow(1, ['other']), Secret: '' },
      parts: {},
    });
    expect(await readWorkbook(book)).toMatchObject({ sheet: 'Orders', csv: 'name\r\n' });
    expect(await readWorkbook(book, 'Notes')).toMatchObject({ sheet: 'Notes', csv: 'other\r\n' });
    expect(await refusal(readWorkbook(book, 'Nowhere'))).toBe('The workbook has no such sheet.');
    const hidden =
      '<workbook xmlns:r="x"><sheets><sheet name="A" state="hidden" r:id="rId1"/><sheet name="B" r:id="rId2"/></sheets></workbook>';
    const other = makeWorkbook({
      sheets: { A: workbookRow(1, ['a']), B: workbookRow(1, ['b']) },
      parts: { 'xl/workbook.xml': hidden },
    });
    expect(await readWorkbook(other)).toMatchObject({ sheet: 'B', sheets: ['B'] });
  });

  it('IMP-14 tells which columns hold typed numbers, so that their point is one in every language', async () => {
    const xml = workbookRow(1, [1.234, 1.234, 7, 'x']) + workbookRow(2, [2, '1.234', 8, 'y']);
    expect((await readWorkbook(makeWorkbook({ sheets: { One: xml } }))).pointColumns).toEqual([0]);
  });

  it('IMP-15 that unpacks to more than it may hold is refused before it is in memory', async () => {
    const spaces = ' '.repeat(5_000_000);
    expect(await refusal(rows(`${spaces}<row r="1"/>`))).toContain('is too large');
    const one = `<row r="1">${'<c><v>1</v></c>'.repeat(10_001)}</row>`;
    expect(await refusal(rows(one))).toContain('is too large');
    // One long text that a thousand cells share.
    const shared = { 'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(1_000)}</t></si></sst>` };
    const many = Array.from({ length: 1_000 }, () => '<row><c t="s"><v>0</v></c></row>').join('');
    expect(await refusal(rows(many, shared))).toContain('is too large');
    const long = { 'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(200_000)}</t></si></sst>` };
    expect(await refusal(rows('', long))).toContain('is too large');
    expect(await refusal(rows('<row r="1"><c r="ZZZZ1"><v>1</v></c></row>'))).toContain('cannot be read');
  });

  it('IMP-15 that is none, is broken or declares entities is refused with what to do', async () => {
    expect(await refusal(readWorkbook(makeZip({ 'content.xml': '<x/>' })))).toContain('Save it as an Excel workbook');
    expect(await refusal(readWorkbook(Buffer.from('PK\u0003\u0004 and then nothing')))).toContain('cannot be read');
    const whole = makeWorkbook({ sheets: { One: workbookRow(1, ['a']) } });
    expect(await refusal(readWorkbook(whole.subarray(0, whole.length - 30)))).toContain('cannot be read');
    const bent = Buffer.from(whole);
    bent.fill(0xff, 60, 90);
    expect(await refusal(readWorkbook(bent))).toContain('cannot be read');
    const entity = { 'xl/sharedStrings.xml': '<!DOCTYPE x [<!ENTITY a "aaaa">]><sst><si><t>&a;</t></si></sst>' };
    expect(await refusal(rows('', entity))).toContain('cannot be read');
    expect(await refusal(rows('<row r="1"><c r="A1"><v>1</v>'))).toContain('cannot be read');
  });
});

it.each([
  ['General', 'number'],
  ['#,##0.00 "days"', 'number'],
  ['0.00%', 'number'],
  ['[Red]#,##0', 'number'],
  ['dd/mm/yyyy', 'date'],
  ['[$-407]d. mmmm yyyy;@', 'date'],
  ['mmm-yy', 'date'],
  ['m/d/yy h:mm', 'datetime'],
  ['yyyy-mm-dd\\ hh:mm:ss.000', 'datetime'],
  ['[h]:mm:ss', 'time'],
  ['h:mm AM/PM', 'time'],
  ['"Order" 0', 'number'],
])('IMP-14 the format %s shows a %s', (code, format) => {
  expect(ownFormat(code)).toBe(format);
});
