export * from './domain/tree.ts';
export * from './errors.ts';
