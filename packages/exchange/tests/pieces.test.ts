import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { long } from '@kontor/testing/long';
import { expect, it } from 'vitest';
import type { XmlPiece, XmlSpec, XmlTag } from '../pieces/pieces.ts';
import { readPieces } from '../pieces/read-pieces.ts';
import { type FromPieces, servePieces } from '../pieces/serve-pieces.ts';
import { mostTags } from '../pieces/xml-pieces.ts';

const spec: XmlSpec = { kind: 'xml', level: 1, attributes: [], most: 100_000 };
const file = (...records: readonly string[]) => Buffer.from(`<a>${records.join('')}</a>`);
const record = (tags: number) => `<b>${'<c/>'.repeat(tags - 1)}</b>`;
const tagsOf = (tag: XmlTag): number => 1 + tag.tags.reduce((sum, each) => sum + tagsOf(each), 0);

/** What the other thread sends, message by message. */
async function messagesFor(content: Buffer): Promise<readonly (readonly XmlPiece[])[]> {
  const { port1, port2 } = new MessageChannel();
  servePieces(port2);
  const found: (readonly XmlPiece[])[] = [];
  try {
    port1.postMessage({ content, spec });
    for (;;) {
      const [message] = (await once(port1, 'message')) as [FromPieces];
      if (!('pieces' in message)) return found;
      found.push(message.pieces as readonly XmlPiece[]);
    }
  } finally {
    port1.close();
  }
}

long(
  'CST-10 records of a file come in parts that the main thread takes in milliseconds, however large they are',
  async () => {
    const messages = await messagesFor(
      file(...Array.from({ length: 300 }, () => record(1_000)), record(9_000), record(2)),
    );
    const sizes = messages.map((pieces) => pieces.map(tagsOf));
    expect(sizes.flat()).toEqual([...Array.from({ length: 300 }, () => 1_000), 9_000, 2]);
    const heavy = sizes.filter((each) => each.length > 1 && each.reduce((sum, tags) => sum + tags, 0) > 4_000);
    expect(heavy).toEqual([]);
  },
);

it('CST-7 a record with more tags than any format needs is refused', async () => {
  const read = (tags: number) => {
    const taken: XmlPiece[] = [];
    return readPieces(file(record(2), record(tags)), spec, (piece) => void taken.push(piece)).then(() => taken.length);
  };
  expect(await read(mostTags)).toBe(2);
  await expect(read(mostTags + 1)).rejects.toMatchObject({
    ...{
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('A record of the file has more than 100000 parts.'),
    },
  });
});
