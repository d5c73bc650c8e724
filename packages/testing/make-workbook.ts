import { deflateRawSync } from 'node:zlib';

/** Sheets by name; each is the XML inside `<sheetData>`. Additional or replaced parts, by path. */
export interface WorkbookParts {
  readonly sheets: Readonly<Record<string, string>>;
  readonly parts?: Readonly<Record<string, string>>;
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const documents = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Creates a workbook like other programs do. */
export function makeWorkbook({ sheets, parts = {} }: WorkbookParts): Buffer {
  const names = Object.keys(sheets);
  const list = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('');
  const relations = names.map((_, at) => {
    return `<Relationship Id="rId${at + 1}" Type="${documents}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`;
  });
  return makeZip({
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${documents}"><sheets>${list}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<?xml version="1.0"?><worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...parts,
  });
}

/** A row of texts and numbers. */
export function workbookRow(row: number, cells: readonly (string | number)[]): string {
  const written = cells.map((cell, at) => {
    const place = `${String.fromCharCode(65 + at)}${row}`;
    if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
    return cell === '' ? '' : `<c r="${place}" t="inlineStr"><is><t>${cell}</t></is></c>`;
  });
  return `<row r="${row}">${written.join('')}</row>`;
}

/** An archive of files by their names. */
export function makeZip(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const [bodies, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const data = deflateRawSync(content);
    const path = Buffer.from(name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(data.length, 18);
    local.writeUInt16LE(path.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(data.length, 20);
    central.writeUInt16LE(path.length, 28);
    central.writeUInt32LE(offset, 42);
    bodies.push(local, path, data);
    directory.push(central, path);
    offset += local.length + path.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, ...directory, end]);
}
