let users = 0;

/**
 * esbuild keeps a process for the next build. A server compiles only at the start and when an addon changes, so that process ends
 * with the last running build.
 */
export async function withCompiler<T>(work: (esbuild: typeof import('esbuild')) => Promise<T>): Promise<T> {
  // Loaded on use: servers without outside addons never start the compiler.
  const esbuild = await import('esbuild');
  users++;
  try {
    return await work(esbuild);
  } finally {
    if (--users === 0) await esbuild.stop();
  }
}

/** In development the next build comes soon: the process stays until it is released. */
export function keepCompiler(): () => Promise<void> {
  users++;
  return async () => {
    if (--users === 0) await (await import('esbuild')).stop();
  };
}
