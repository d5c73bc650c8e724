import { join } from 'node:path';
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts';

export const testAddons = join(import.meta.dirname, 'addons');

/** The real server with a small shop: orders, lines and tags, and groups with different rights to them. */
export function startShop(options: TestServerOptions = {}): Promise<TestServer> {
  return startTestServer({ addonsPath: [testAddons], modules: ['shop'], ...options });
}
