export * from './queryable.ts';
export * from './schema/table-spec.ts';
export * from './sql/sql.ts';
