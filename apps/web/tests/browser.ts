import { fileURLToPath } from 'node:url';
import { isLong } from '@kontor/testing';
import { type AppOptions, openTestApp as openApp, type TestApp } from '@kontor/testing/browser';
import { it } from 'vitest';

export { type AppOptions, admin, signIn, type TestApp } from '@kontor/testing/browser';

/**
 * A test of the long run. `npm test` shows each capability once in a browser; other sizes, themes, directions and ways of input, and
 * what a test without a browser shows as well, are of the long run.
 */
export const long = it.runIf(isLong);

/** Addons that only tests install. */
const testAddons = fileURLToPath(new URL('./addons', import.meta.url));

export function openTestApp(options: AppOptions = {}): Promise<TestApp> {
  return openApp({ addonsPath: [testAddons], ...options });
}
