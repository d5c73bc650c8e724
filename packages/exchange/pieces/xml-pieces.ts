import { text } from '@kontor/protocol';
import { badFile } from '../import/open-table.ts';
import { scanXml, XmlError } from '../import/workbook/scan-xml.ts';
import type { XmlPiece, XmlSpec, XmlTag } from './pieces.ts';

const notXml = text('The file is not valid XML, or declares entities of its own.');
/** No format of records needs more. */
const deepest = 40;
const partSize = 65_536;
/** A piece is passed on whole: the thread that takes it serves others before and after, not meanwhile. */
export const mostTags = 100_000;

interface OpenTag {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly tags: XmlTag[];
  text: string;
}

/** Passes on each tag of one level with all that it contains, as soon as it ends. */
export async function readXmlPieces(
  content: Buffer,
  { level, attributes, most }: Omit<XmlSpec, 'kind'>,
  take: (piece: XmlPiece, tags: number) => void,
): Promise<void> {
  const open: OpenTag[] = [];
  let [group, count, size] = [-1, 0, 0];
  const scanned = scanXml(inParts(decodeXml(content)), {
    open(name, attribute) {
      if (open.length === deepest) throw new XmlError('The tags are too deep.');
      if (open.length === level - 1) group++;
      size = open.length > level ? size + 1 : 1;
      if (size > mostTags) throw badFile(text('A record of the file has more than {most} parts.', { most: mostTags }));
      // Names come from the file: an object without a prototype has no others.
      const kept: Record<string, string> = Object.create(null);
      for (const wanted of open.length < level ? [] : attributes) {
        const value = attribute(wanted);
        if (value !== undefined) kept[wanted] = value;
      }
      open.push({ name, attributes: kept, tags: [], text: '' });
    },
    text(piece) {
      const tag = open.at(-1);
      if (tag && open.length > level) tag.text += piece;
    },
    close(name) {
      const tag = open.pop();
      if (tag?.name !== name) throw new XmlError('A tag is not closed.');
      const done = { name, text: tag.text.trim(), attributes: { ...tag.attributes }, tags: tag.tags };
      if (open.length > level) open.at(-1)?.tags.push(done);
      if (open.length !== level) return;
      if (++count > most) throw badFile(text('The file has more than {most} records.', { most }));
      take({ ...done, parent: open.at(-1)?.name ?? '', group }, size);
    },
  });
  await scanned.catch((error: unknown) => {
    throw error instanceof XmlError ? badFile(notXml) : error;
  });
}

/** By its byte order mark, else as it declares itself; UTF-8 where it says nothing. */
function decodeXml(content: Buffer): string {
  const declared = /^(?:\xef\xbb\xbf)?<\?xml[^>]{0,200}?encoding=["']([\w-]{1,40})["']/.exec(
    content.toString('latin1', 0, 300),
  );
  const hasMark = (content[0] === 0xff && content[1] === 0xfe) || (content[0] === 0xfe && content[1] === 0xff);
  const wide = content[0] === 0xff ? 'utf-16le' : 'utf-16be';
  try {
    return new TextDecoder(hasMark ? wide : (declared?.[1] ?? 'utf-8'), { fatal: true }).decode(content);
  } catch {
    throw badFile(text('The letters of the file are not in the encoding that it declares.'));
  }
}

async function* inParts(source: string): AsyncGenerator<string> {
  for (let at = 0; at < source.length; at += partSize) yield source.slice(at, at + partSize);
}
