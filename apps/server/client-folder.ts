import { fileURLToPath } from 'node:url';

/** Where the build puts the client. The same from the source tree and from the server's own build, which are equally deep. */
export const clientFolder = fileURLToPath(new URL('../../dist/web', import.meta.url));
