import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './browser.ts';

describe('the shell', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['contacts', 'product'] });
  });
  afterAll(() => app.close());

  it('shows the installed apps at home, and axe finds nothing', async () => {
    const home = await app.open({ path: '/web/home' });
    expect(await home.find('link', /^Products/).count()).toBeGreaterThan(0);
    await home.checkAccessible();
  });
});
