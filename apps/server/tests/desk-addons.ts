import { fileURLToPath } from 'node:url';

/** The help desk of the workspace's tests: a view of every type, and an addon that extends them. */
export const deskAddons = fileURLToPath(new URL('../../../packages/workspace/tests/addons', import.meta.url));
