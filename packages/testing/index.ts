export * from './check-addon.ts';
export * from './check-translations.ts';
export * from './expect-queries.ts';
export * from './mail-server.ts';
export * from './open-screens.ts';
export * from './test-database.ts';
export * from './test-env.ts';
export * from './test-kernel.ts';
