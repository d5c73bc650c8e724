let users = 0;

/**
 * esbuild keeps a process of its own for the next build. A server compiles when it starts and when an addon changed, so that
 * process ends with the last build under way.
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

/** In development the next build comes soon: the process stays until it is let go. */
export function keepCompiler(): () => Promise<void> {
  users++;
  return async () => {
    if (--users === 0) await (await import('esbuild')).stop();
  };
}
