import { fileURLToPath } from 'node:url';

/** The help desk of the kernel's tests: a view of every type, and an addon that extends them. */
export const deskAddons = fileURLToPath(new URL('../../../packages/kernel/tests/addons', import.meta.url));
