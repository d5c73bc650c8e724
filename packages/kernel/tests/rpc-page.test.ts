import { errorCatalogue } from '@kontor/protocol';
import { expect, it } from 'vitest';
import { rpcPage, undocumentedMethods } from '../docs/rpc-page.ts';
import { undescribedMethods } from '../schema/call-schema.ts';

/** `vitest -u` writes the page. */
it('RPC-4 docs/rpc.md says what the method table and the error catalogue say', async () => {
  await expect(rpcPage()).toMatchFileSnapshot('../../../docs/rpc.md');
});

it('RPC-4 every method has an example', () => {
  expect(undocumentedMethods()).toEqual([]);
});

it('RPC-2 the codes of the page are those of the catalogue, with their statuses', () => {
  const rows = [...rpcPage().matchAll(/^\| `([A-Z_]+)` \| (\d{3}) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(rows).toEqual(Object.entries(errorCatalogue).map(([code, { status }]) => [code, status]));
});

it('SCH-1 every method and argument of the endpoint has a schema', () => {
  expect(undescribedMethods()).toEqual([]);
});
