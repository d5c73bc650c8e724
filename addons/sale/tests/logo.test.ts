import { deflateSync, inflateSync } from 'node:zlib';
import type { RouteRequest } from '@kontor/addon';
import { typedEnv } from '@kontor/orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printOrder } from '../quotation/quotation-routes.ts';
import { makeOrder, openShop, type Shop } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const crcs = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc >>> 0;
});

/** A grey picture of this size. */
function png(width: number, height: number): string {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const crc = body.reduce((sum, byte) => ((crcs[(sum ^ byte) & 255] as number) ^ (sum >>> 8)) >>> 0, 0xffffffff);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
    return Buffer.concat([size, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const pixels = deflateSync(Buffer.alloc((width + 1) * height, 128));
  const parts = [chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]).toString('base64');
}

/** Width and height of the pictures on the pages, in points. */
function picturesOf(pdf: Buffer): (readonly [number, number])[] {
  const contents = [...pdf.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g)].flatMap(([, body = '']) => {
    try {
      return [inflateSync(Buffer.from(body, 'latin1')).toString('latin1')];
    } catch {
      return [];
    }
  });
  return contents.flatMap((content) =>
    [...content.matchAll(/([\d.]+) 0 0 -?([\d.]+) [\d.]+ [\d.]+ cm\s+\/I\d+ Do/g)].map(
      ([, width, height]) => [Number(width), Number(height)] as const,
    ),
  );
}

describe('the logo on the printed page', () => {
  it.each([
    [400, 80],
    [80, 400],
    [200, 200],
    [30, 20],
  ])('SAL-38 keeps its shape: %i by %i', async (width, height) => {
    const id = await makeOrder(shop);
    await shop.run((env) =>
      env.model('core.company').write([shop.admin.companyId as number], { logo: png(width, height) }),
    );
    const { result } = await shop.kernel.transact(shop.seller, async (env) =>
      printOrder({
        env: typedEnv(env),
        method: 'GET',
        path: `/web/sale/quotation/${id}.pdf`,
        ...{ params: { id: String(id) }, query: {}, body: null, headers: {}, lang: 'en_US' },
      } satisfies RouteRequest),
    );
    const drawn = picturesOf(result.body as Buffer);
    expect(drawn).toHaveLength(1);
    const [w, h] = drawn[0] as readonly [number, number];
    expect(w / h).toBeCloseTo(width / height, 2);
    expect(w).toBeLessThanOrEqual(120);
    expect(h).toBeLessThanOrEqual(52);
  });
});
