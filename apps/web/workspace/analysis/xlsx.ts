import { zipFile } from '../zip.ts';
import { isNumberText, type Sheet, type SheetCell } from './sheet.ts';

/**
 * One sheet as an Excel workbook (ECMA-376): a bold, frozen header, typed numbers, bold totals. A workbook is a ZIP of
 * a few small XML files, which the browser compresses.
 */
export async function xlsxFile(sheet: Sheet): Promise<Blob> {
  const encoder = new TextEncoder();
  const parts = Object.entries(partsOf(sheet)).map(([name, text]) => ({ name, bytes: encoder.encode(text) }));
  return zipFile(parts, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const documents = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const sheetTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

function partsOf(sheet: Sheet): Readonly<Record<string, string>> {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${documents}/${type}" Target="${target}"/>`;
  const relations = (content: string) =>
    `${head}<Relationships xmlns="${packages}/relationships">${content}</Relationships>`;
  const override = (part: string, type: string) =>
    `<Override PartName="/xl/${part}.xml" ContentType="${sheetTypes}.${type}+xml"/>`;
  return {
    '[Content_Types].xml': `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('workbook', 'sheet.main')}${override('styles', 'styles')}${override('worksheets/sheet1', 'worksheet')}</Types>`,
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${documents}"><sheets><sheet name="${escaped(sheetName(sheet.title))}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      relation('rId1', 'worksheet', 'worksheets/sheet1.xml') + relation('rId2', 'styles', 'styles.xml'),
    ),
    'xl/styles.xml': styles,
    'xl/worksheets/sheet1.xml': sheetPart(sheet),
  };
}

/**
 * Plain and bold, both for text and numbers (format 4: thousands and two decimals; 3: integers); then dates (14) and
 * datetimes (22).
 */
const styles = `${head}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="8">${[
  0, 1,
]
  .flatMap((font) =>
    [0, 3, 4].map((format) => `<xf numFmtId="${format}" fontId="${font}" applyFont="1" applyNumberFormat="1"/>`),
  )
  .join('')}<xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>`;

function sheetPart({ head: columns, rows }: Sheet): string {
  const labels = columns.map(({ label }) => ({ value: label }));
  const first = rowPart(1, labels, true);
  const others = rows.map(({ cells, isTotal = false }, index) => rowPart(index + 2, cells, isTotal));
  const widths = labels.map(
    (_, at) => `<col min="${at + 1}" max="${at + 1}" width="${at === 0 ? 28 : 16}" customWidth="1"/>`,
  );
  return `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>${first}${others.join('')}</sheetData></worksheet>`;
}

function rowPart(number: number, row: readonly SheetCell[], isBold: boolean): string {
  const cells = row.map(({ value, as }, at) => {
    const place = `${columnName(at)}${number}`;
    const base = isBold ? 3 : 0;
    if (value === null) return '';
    const text = String(value);
    const day = as === 'date' ? serialOf(text) : null;
    if (day !== null) return `<c r="${place}" s="${text.length > 10 ? 7 : 6}"><v>${day}</v></c>`;
    // Excel keeps 15 digits of a number; longer ones are written as text.
    if (as !== 'text' && isNumberText(text) && text.replace(/\D/g, '').length <= 15) {
      return `<c r="${place}" s="${base + (text.includes('.') ? 2 : 1)}"><v>${text}</v></c>`;
    }
    return `<c r="${place}" s="${base}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
  });
  return `<row r="${number}">${cells.join('')}</row>`;
}

/** Days since 30 December 1899, as in workbooks; null if the text is not a date. */
function serialOf(text: string): number | null {
  const instant = Date.parse(text.length > 10 ? `${text.replace(' ', 'T')}Z` : text);
  return Number.isNaN(instant) ? null : instant / 86_400_000 + 25_569;
}

/** A to Z, then AA. */
function columnName(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : columnName(Math.floor(at / 26) - 1) + letter;
}

function sheetName(title: string): string {
  return title.replace(/[\\/?*[\]:]/g, ' ').slice(0, 31) || 'Sheet';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no way to write these.
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

function escaped(text: string): string {
  const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(unwritable, '').replace(/[&<>"]/g, (sign) => signs[sign] as string);
}
