import { fileURLToPath } from 'node:url';
import { type AppOptions, openTestApp as openApp, type TestApp } from '@kontor/testing/browser';

export { type AppOptions, admin, signIn, type TestApp } from '@kontor/testing/browser';
export { long } from '@kontor/testing/long';

/** Addons that only tests install. */
const testAddons = fileURLToPath(new URL('./addons', import.meta.url));

export function openTestApp(options: AppOptions = {}): Promise<TestApp> {
  return openApp({ addonsPath: [testAddons], ...options });
}
