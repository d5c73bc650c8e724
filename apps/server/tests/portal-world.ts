import { deflateSync } from 'node:zlib';
import { Browser } from './browser.ts';
import { startTestServer, type TestServer, type TestUser } from './test-server.ts';

export interface PortalWorld extends TestServer {
  readonly seller: TestUser;
  readonly ids: Readonly<Record<'hotel' | 'ines' | 'other' | 'chair', number>>;
  /** A quotation of the hotel with one ordinary line and one option, in the given state. */
  quotation(values?: Record<string, unknown>, isSent?: boolean): Promise<number>;
  /** The path of a new link, made by the seller in the office. */
  link(model: string, id: number, values?: Record<string, unknown>): Promise<string>;
  /** A customer's browser. */
  customer(): Browser;
}

/** A company that sells chairs, a hotel with a contact, and another customer. */
export async function openPortal(env: Record<string, string> = {}): Promise<PortalWorld> {
  const world = await startTestServer({ modules: ['invoice', 'project'], env });
  const seller = await world.user('Selma Seller', ['sale.group_user', 'invoice.group_user', 'project.group_user']);
  const ids = await world.work(async (env) => {
    const partners = env.model('core.partner');
    const hotel = await partners.create({ name: 'Hôtel du Lac', is_company: true, email: 'hotel@lac.example' });
    const ines = await partners.create({
      name: 'Inès Roux',
      email: 'ines@lac.example',
      parent_id: hotel,
      lang: 'en_US',
    });
    const other = await partners.create({ name: 'Fjord AS', email: 'post@fjord.example' });
    const [unit] = await env.model('product.uom').search([['name', '=', 'pc']]);
    const vat = await env.model('sale.tax').create({ name: 'VAT 20 %', percent: 20 });
    const chair = await env.model('product.product').create({
      ...{ name: 'Armchair', uom_id: unit, list_price: '100', sale_tax_ids: [['set', [vat]]] },
    });
    return { hotel, ines, other, chair };
  });
  const call = <T>(model: string, method: string, args: unknown[]) => seller.browser.rpc<T>(model, method, args);
  const quotation: PortalWorld['quotation'] = async (values = {}, isSent = true) => {
    const id = await call<number>('sale.order', 'create', [
      {
        partner_id: ids.hotel,
        line_ids: [
          ['create', { product_id: ids.chair, quantity: 2, name: 'Armchair Sable\nIn graphite' }],
          ['create', { product_id: ids.chair, quantity: 1, name: 'Parasol', line_type: 'option' }],
        ],
        ...values,
      },
    ]);
    if (isSent) await call('sale.order', 'call', [id, 'action_mark_sent']);
    return id;
  };
  const link: PortalWorld['link'] = async (model, id, values = {}) => {
    const address = `${world.url}/portal/${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')}`;
    await call(model, 'call', [id, 'action_share', { recipient: 'ines@lac.example', days: '30', address, ...values }]);
    return new URL(address).pathname;
  };
  return { ...world, seller, ids, quotation, link, customer: () => new Browser(world.url) };
}

/** The data URL of a PNG of this size, all transparent. */
export function png(width = 40, height = 20): string {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((width * 4 + 1) * height));
  const bytes = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

function crc(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}

/** The hidden version of a page, which a signature is given under. */
export function versionIn(page: string): string {
  return /name="version" value="([0-9a-f]{64})"/.exec(page)?.[1] ?? '';
}

/** The ids of the options on a page. */
export function optionsIn(page: string): string[] {
  return [...page.matchAll(/name="chosen" form="accept" value="(\d+)"/g)].map(([, id = '']) => id);
}
